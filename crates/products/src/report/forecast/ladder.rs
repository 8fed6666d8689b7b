// SPDX-License-Identifier: Apache-2.0
use std::fmt::Write as _;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;

use super::markdown::{cells, table};
use super::text::Page;
use super::totals::extent;
use crate::forecast::{Ladder, Lane, Outlook, Rung};
use crate::report::markup::text;
use crate::report::summary::JudgedAs;
use crate::report::truncation::counted;
use crate::report::{Look, json_document};

const MISSING: &str = "missing: what is below cannot be updated beyond it";

/// Formats a ladder of versions as text.
pub fn ladder_text(ladder: &Ladder, outlook: &Outlook, look: Look) -> String {
    let mut page = Page::new(look);
    page.wrapped("", "  ", &format!("{}: {}", ladder.title, extent(outlook)));
    page.line("");
    page.heading("Kubernetes");
    let width = widest(&ladder.kubernetes);
    for lane in &ladder.kubernetes {
        if lane.rungs.is_empty() {
            page.line(&format!("  {:width$}  {MISSING}", lane.name));
        } else {
            rungs(&mut page, lane, width);
        }
    }
    let width = widest(&ladder.images);
    for lane in &ladder.images {
        page.line("");
        page.heading(&lane.name);
        rungs(&mut page, lane, width);
    }
    page.into_text()
}

/// Formats a ladder of versions as Markdown for a comment or wiki.
pub fn ladder_markdown(ladder: &Ladder, outlook: &Outlook) -> String {
    let title = text(&ladder.title);
    let mut page = format!("### garden-gate forecast: {title}\n\n{}\n", extent(outlook));
    lanes_below(&mut page, "Kubernetes", &ladder.kubernetes);
    for lane in &ladder.images {
        lanes_below(&mut page, &lane.name, std::slice::from_ref(lane));
    }
    page
}

fn lanes_below(page: &mut String, title: &str, lanes: &[Lane]) {
    let _infallible = writeln!(page, "\n**{}**", text(title));
    let lines: Vec<String> = lanes.iter().flat_map(lines).collect();
    let count = lines.len();
    table(page, &["version", "stages", "Shoots", ""], lines.into_iter(), count);
}

fn lines(lane: &Lane) -> Vec<String> {
    if lane.rungs.is_empty() {
        let (name, nobody) = (text(&lane.name), String::new());
        return vec![cells(&[name, MISSING.to_owned(), nobody.clone(), nobody])];
    }
    let lines = lane.rungs.iter().map(|rung| {
        let dead_end = rung.dead_end.map_or("", |_| "a dead end");
        cells(&[
            text(&rung.version),
            text(&stages(rung)),
            rung.shoots.to_string(),
            dead_end.to_owned(),
        ])
    });
    lines.collect()
}

fn widest(lanes: &[Lane]) -> usize {
    let rungs = lanes.iter().flat_map(|lane| &lane.rungs);
    let widths = rungs.map(|rung| rung.version.chars().count());
    widths.max().unwrap_or_default()
}

fn rungs(page: &mut Page, lane: &Lane, width: usize) {
    for rung in &lane.rungs {
        let mut says = vec![stages(rung)];
        says.extend(counted(rung.shoots, "Shoot", "Shoots"));
        says.extend(rung.dead_end.map(|_| "a dead end".to_owned()));
        let line = format!("{:width$}  {}", rung.version, says.join("; "));
        page.wrapped("  ", "      ", &line);
    }
}

/// Formats the stages, such as `preview until 2026-12-14, then supported`.
fn stages(rung: &Rung) -> String {
    let mut text = String::new();
    for (index, (from, stage)) in rung.stages.iter().enumerate() {
        match index {
            0 => text.push_str(stage),
            _ => text.push_str(&format!(" until {}, then {stage}", from.strftime("%F"))),
        }
    }
    text
}

/// Formats a ladder of versions as JSON.
///
/// # Errors
/// Fails if `serde_json` fails, which does not happen for strings.
pub fn ladder_json(ladder: &Ladder, outlook: &Outlook) -> serde_json::Result<String> {
    let lanes = |lanes: &[Lane]| lanes.iter().map(lane).collect();
    let document = Document {
        at: outlook.at,
        until: outlook.until,
        judged_as: outlook.judged.into(),
        profile: ladder.title.clone(),
        kubernetes: lanes(&ladder.kubernetes),
        images: lanes(&ladder.images),
    };
    json_document(&document)
}

/// Versions of a profile, with `--cloud-profile`.
#[derive(JsonSchema, Serialize)]
#[schemars(rename = "Ladder")]
pub(crate) struct Document {
    /// The start of the period.
    at: Timestamp,
    /// The end of the period.
    until: Timestamp,
    /// The version of Gardener by which updates are judged.
    #[serde(rename = "judgedAs")]
    judged_as: JudgedAs<'static>,
    /// The profile, such as `CloudProfile stratus`.
    profile: String,
    /// Kubernetes versions.
    kubernetes: Vec<LaneOf>,
    /// Versions of machine images.
    images: Vec<LaneOf>,
}

/// Versions of a Kubernetes minor version or of a machine image.
#[derive(JsonSchema, Serialize)]
#[schemars(rename = "VersionGroup")]
struct LaneOf {
    /// The minor version of Kubernetes, or the name of the image.
    name: String,
    /// The versions.
    versions: Vec<RungOf>,
}

/// A version with its lifecycle stages.
#[derive(JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "VersionStages")]
struct RungOf {
    /// The version.
    version: String,
    /// The number of Shoots that currently use it.
    shoots: usize,
    /// The lifecycle stages with their start times; the first starts with the period.
    stages: Vec<StageOf>,
    /// The time from which Shoots require an update that is impossible.
    #[serde(skip_serializing_if = "Option::is_none")]
    dead_end_from: Option<Timestamp>,
}

/// A lifecycle stage.
#[derive(JsonSchema, Serialize)]
#[schemars(rename = "Stage")]
struct StageOf {
    /// The start.
    from: Timestamp,
    /// The classification.
    classification: String,
}

fn lane(lane: &Lane) -> LaneOf {
    let versions = lane.rungs.iter().map(|rung| RungOf {
        version: rung.version.clone(),
        shoots: rung.shoots,
        stages: rung
            .stages
            .iter()
            .map(|(from, stage)| StageOf { from: *from, classification: stage.clone() })
            .collect(),
        dead_end_from: rung.dead_end,
    });
    LaneOf { name: lane.name.clone(), versions: versions.collect() }
}
