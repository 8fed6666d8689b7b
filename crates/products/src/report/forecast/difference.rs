// SPDX-License-Identifier: Apache-2.0
use std::fmt::Write as _;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;

use super::markdown::{cells, section, table};
use super::row::{Row, blocker};
use super::text::{Page, unforeseen};
use crate::forecast::{Change, Changed, Difference, Moment, ShootForecast};
use crate::report::markup::{code, text};
use crate::report::summary::JudgedAs;
use crate::report::truncation::counted;
use crate::report::{Look, json_document};

/// Formats the effect of a change in the garden as text, by Project and owner.
pub fn difference_text(difference: &Difference<'_>, look: Look) -> String {
    let mut page = Page::new(look);
    page.wrapped("", "  ", &heading(difference));
    let mut owner = None;
    for change in &difference.changes {
        if owner.replace(&change.shoot.owner) != Some(&change.shoot.owner) {
            page.line("");
            page.heading(&owner_of(change.shoot));
        }
        changed(&mut page, change);
    }
    let lost = unforeseen(difference.lost.iter().copied());
    page.section("No longer forecast", lost);
    page.into_text()
}

/// Returns the heading, such as `3 of 8 Shoots change, 90 days from …: 1 stranded, 2 forced earlier`.
fn heading(difference: &Difference<'_>) -> String {
    let counts = Change::ALL.map(|change| {
        let count = difference.count(change);
        counted(count, change.as_str(), change.as_str())
    });
    let lost = counted(difference.lost.len(), "no longer forecast", "no longer forecast");
    let counts: Vec<String> = counts.into_iter().flatten().chain(lost).collect();
    let mut heading = match difference.shoots() {
        0 => "nothing changes".to_owned(),
        1 => "1 Shoot changes".to_owned(),
        shoots => format!("{shoots} Shoots change"),
    };
    let _infallible = write!(heading, ", of {}", super::totals::extent(difference.after));
    if counts.is_empty() { heading } else { format!("{heading}: {}", counts.join(", ")) }
}

fn owner_of(shoot: &ShootForecast) -> String {
    let owner = &shoot.owner;
    match (owner.project.as_str(), owner.name.as_str()) {
        ("", _) => shoot.forecast.namespace.clone(),
        (project, "") => project.to_owned(),
        (project, name) => format!("{project} ({name})"),
    }
}

fn changed(page: &mut Page, changed: &Changed<'_>) {
    let moment = changed.after.or(changed.before);
    let part = moment.map(|it| it.event.part.to_string());
    let (title, part) = (changed.shoot.title(), part.unwrap_or_default());
    page.line(&format!("  {title}  {part}: {}", changed.change.as_str()));
    for (word, moment) in [("was:", changed.before), ("is: ", changed.after)] {
        let row = moment.map(|it| row(changed.shoot, it));
        let says = format!("{word} {}", what_happens(row));
        page.wrapped("      ", "        ", &says);
        let blockers = row.iter().flat_map(|row| row.blockers());
        for blocked in blockers.filter(|_| word == "is: ") {
            page.wrapped("        ", "        ", &blocker(blocked));
        }
    }
}

fn what_happens(row: Option<Row<'_>>) -> String {
    let Some(row) = row else {
        return "nothing".to_owned();
    };
    let day = row.day().strftime("%a %F");
    let (time, change, class) = (row.time(), row.change(), row.class());
    let cause = &row.event.cause;
    format!("{day} {time}, {change}, {class}: {cause}")
}

/// Formats the effect as Markdown for a comment or wiki; lines beyond the size limit are counted.
pub fn difference_markdown(difference: &Difference<'_>) -> String {
    let mut page = format!("### garden-gate forecast: {}\n", heading(difference));
    let head = ["Project", "Shoot", "part", "change", "was", "is"];
    let changes = &difference.changes;
    table(&mut page, &head, changes.iter().map(line), changes.len());
    let lost = unforeseen(difference.lost.iter().copied());
    section(&mut page, "No longer forecast", &lost);
    page
}

fn line(changed: &Changed<'_>) -> String {
    let moment = changed.after.or(changed.before);
    let part = moment.map(|it| it.event.part.to_string());
    let [was, is] = [changed.before, changed.after].map(|it| it.map(|it| row(changed.shoot, it)));
    let mut now = vec![text(&what_happens(is))];
    let blockers = is.iter().flat_map(|row| row.blockers());
    now.extend(blockers.map(|it| text(&blocker(it))));
    cells(&[
        text(&owner_of(changed.shoot)),
        code(&changed.shoot.title()),
        text(&part.unwrap_or_default()),
        format!("**{}**", changed.change.as_str()),
        text(&what_happens(was)),
        now.join("; "),
    ])
}

fn row<'a>(shoot: &'a ShootForecast, moment: Moment<'a>) -> Row<'a> {
    Row { shoot, window: moment.window, event: moment.event }
}

/// Formats the effect as JSON.
///
/// # Errors
/// Fails if `serde_json` fails, which does not happen for strings.
pub fn difference_json(difference: &Difference<'_>) -> serde_json::Result<String> {
    let document = Document {
        at: difference.after.at,
        until: difference.after.until,
        judged_as: difference.after.judged.into(),
        changes: difference.changes.iter().map(change).collect(),
        no_longer_forecast: difference
            .lost
            .iter()
            .map(|it| LostForecast {
                project: &it.owner.project,
                owner: &it.owner.name,
                namespace: &it.namespace,
                name: &it.name,
                why: &it.why,
            })
            .collect(),
    };
    json_document(&document)
}

/// Difference between two forecasts, with `--with`.
#[derive(JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Difference")]
pub(crate) struct Document<'a> {
    /// The start of both forecasts.
    at: Timestamp,
    /// The end of both forecasts.
    until: Timestamp,
    /// The version of Gardener by which updates are judged.
    judged_as: JudgedAs<'a>,
    /// The events that differ.
    changes: Vec<ChangeOf<'a>>,
    /// The Shoots whose forecast is not possible after the change.
    no_longer_forecast: Vec<LostForecast<'a>>,
}

/// A Shoot whose forecast is not possible after the change.
#[derive(JsonSchema, Serialize)]
struct LostForecast<'a> {
    /// The Project.
    project: &'a str,
    /// The owner of the Project.
    owner: &'a str,
    /// The namespace of the Shoot.
    namespace: &'a str,
    /// The name of the Shoot.
    name: &'a str,
    /// The reason why there is no forecast.
    why: &'a str,
}

/// An event that differs between the forecasts.
#[derive(JsonSchema, Serialize)]
#[schemars(rename = "ChangedEvent")]
struct ChangeOf<'a> {
    /// The Project.
    project: &'a str,
    /// The owner of the Project.
    owner: &'a str,
    /// The namespace of the Shoot.
    namespace: &'a str,
    /// The name of the Shoot.
    name: &'a str,
    /// `stranded`, `forced earlier`, `forced later`, `no longer stranded` or `otherwise`.
    change: &'static str,
    /// The event before the change; `null` if there is none.
    before: Option<MomentOf<'a>>,
    /// The event after the change; `null` if there is none.
    after: Option<MomentOf<'a>>,
}

/// An event with its time.
#[derive(JsonSchema, Serialize)]
#[schemars(rename = "TimedEvent")]
struct MomentOf<'a> {
    /// The earliest time of the run.
    earliest: Timestamp,
    /// The latest end of the run.
    latest: Timestamp,
    /// The affected part, as text.
    part: String,
    /// The former value.
    from: &'a str,
    /// The new value; `null` if there is no target version.
    to: Option<&'a str>,
    /// `regular`, `forced` or `no update possible`.
    class: &'static str,
    /// The reason, as a sentence.
    cause: &'a str,
    /// The findings that deny the run, as text.
    #[serde(rename = "blockedBy")]
    blocked_by: Vec<String>,
}

fn change<'a>(changed: &Changed<'a>) -> ChangeOf<'a> {
    let shoot = changed.shoot;
    ChangeOf {
        project: &shoot.owner.project,
        owner: &shoot.owner.name,
        namespace: &shoot.forecast.namespace,
        name: &shoot.forecast.name,
        change: changed.change.as_str(),
        before: changed.before.map(moment),
        after: changed.after.map(moment),
    }
}

fn moment(moment: Moment<'_>) -> MomentOf<'_> {
    let Moment { window, event } = moment;
    MomentOf {
        earliest: window.earliest,
        latest: window.latest,
        part: event.part.to_string(),
        from: &event.from,
        to: event.to.as_deref(),
        class: event.class.as_str(),
        cause: &event.cause,
        blocked_by: window.blocked.iter().map(blocker).collect(),
    }
}
