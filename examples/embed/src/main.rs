// SPDX-License-Identifier: Apache-2.0
//! Judges an AdmissionReview with the crates of garden-gate, without its server:
//!
//! ```sh
//! cargo run -p embed -- examples/reviews/shoot-create-denied.json examples/garden/*.yaml
//! ```

#![expect(clippy::disallowed_methods, reason = "it reads files and the clock")]

use std::{env, fs, process};

use anyhow::{Context, bail};
use garden_gate_core::admission::{EntryPoint, Judgement, Kind, Request, Verdict, World, judge};
use garden_gate_core::config::Config;
use garden_gate_core::garden::{self, Knowledge, Snapshot};
use garden_gate_core::rules;
use garden_gate_model::api::group_and_version;
use garden_gate_text::escape::line;
use garden_gate_text::yaml;
use jiff::Timestamp;

fn main() -> anyhow::Result<()> {
    let mut files = env::args().skip(1);
    let review = files.next().context("usage: embed REVIEW.json GARDEN.yaml...")?;

    // The garden is complete: what the files do not have does not exist.
    let mut garden = Snapshot::new(Knowledge::Everything);
    for file in files {
        add(&mut garden, &file).with_context(|| format!("failed to read {file}"))?;
    }

    let body = fs::read(&review).with_context(|| format!("failed to read {review}"))?;
    let request = Request::from_review(&body).with_context(|| format!("{review} is no review"))?;
    let world = World {
        rules: rules::ALL.into(),
        garden: &garden,
        config: &Config::default(),
        now: Timestamp::now(),
    };
    let review = match judge(EntryPoint::Validate, &request, &world) {
        Judgement::Review(review) => review,
        // Only a garden that is not complete leaves questions.
        Judgement::Questions(questions) => bail!("unanswered: {questions:?}"),
    };

    println!("{}", review.verdict().as_str());
    for finding in &review.findings {
        let (field, message) = (&finding.field, &finding.message);
        println!("{}", line(&format!("{field}: {message} ({})", finding.finding)));
    }
    for rule in &review.undetermined {
        println!("{}", line(&format!("undetermined: {} ({})", rule.message, rule.rule)));
    }
    process::exit(i32::from(review.verdict() != Verdict::Allowed))
}

/// Adds the objects of a file to a garden.
fn add(garden: &mut Snapshot, file: &str) -> anyhow::Result<()> {
    for document in yaml::parse(&fs::read_to_string(file)?)? {
        let text = |pointer| document.text(pointer).unwrap_or_default();
        let api_version = text("/apiVersion");
        let (group, _) = group_and_version(&api_version);
        let kind = Kind::of_manifest(group, &text("/kind"));
        let kind =
            kind.with_context(|| format!("line {}: unknown kind", document.lines().start))?;
        if let Some(object) = garden::read(kind, &document)? {
            garden.apply(object);
        }
    }
    Ok(())
}
