// SPDX-License-Identifier: Apache-2.0
//! Reports of a run.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use garden_gate_core::admission::Verdict;
use garden_gate_core::config::Level;
use serde_json::Value;
use similar::TextDiff;

use crate::parity::case::Case;
use crate::parity::compare::Difference;
use crate::parity::ours::Ours;
use crate::parity::run::{Asked, Count, Outcome, Shown};
use crate::parity::theirs::Theirs;

/// Returns a table in Markdown: how many requests were sent, allowed and answered differently.
pub(crate) fn counts(outcome: &Outcome) -> String {
    let mut text = "| kind | request | requests | allowed by Gardener | announced | allowed here | refused here | stored differently | other |\n|---|---|---|---|---|---|---|---|---|\n".to_owned();
    let mut all = Count::default();
    for ((kind, operation), count) in &outcome.counts {
        row(&mut text, kind, operation, count);
        all.add(count);
    }
    row(&mut text, "all", "", &all);
    text
}

fn row(text: &mut String, kind: &str, operation: &str, count: &Count) {
    let numbers = count.numbers().map(|it| it.to_string()).join(" | ");
    writeln!(text, "| {kind} | {operation} | {numbers} |").unwrap();
}

/// Returns announced differences by their line in `review`, the most frequent first.
pub(crate) fn announced(differences: &BTreeMap<Difference, Shown>) -> String {
    let mut lines = BTreeMap::<&str, usize>::new();
    for (difference, shown) in differences {
        if let Some(line) = &difference.announced {
            *lines.entry(line).or_default() += shown.times;
        }
    }
    let mut lines: Vec<_> = lines.into_iter().collect();
    lines.sort_by_key(|(_, times)| std::cmp::Reverse(*times));
    let lines = lines.iter().map(|(line, times)| format!("{times:6}  {line}\n"));
    lines.collect()
}

/// Formats a difference with the smallest request that shows it, and both responses.
pub(crate) fn difference(difference: &Difference, shown: &Shown) -> String {
    let Asked { case, ours, theirs } = &*shown.asked;
    let mut text = format!("{difference} ({}×)\n{}\n", shown.times, case.title());
    text += &manifest(case);
    writeln!(text, "Gardener: {}", there(theirs)).unwrap();
    writeln!(text, "here: {}", here(ours)).unwrap();
    text
}

/// Formats a new object completely, and a change as a diff.
fn manifest(case: &Case) -> String {
    let yaml = |object: &Value| serde_saphyr::to_string(object).unwrap();
    let (new, old) = (&case.request["object"], &case.request["oldObject"]);
    match (new, old) {
        (_, Value::Null) => yaml(new),
        (Value::Null, _) => String::new(),
        _ => {
            let (old, new) = (yaml(old), yaml(new));
            let diff = TextDiff::from_lines(&old, &new);
            diff.unified_diff().context_radius(3).to_string()
        }
    }
}

fn there(theirs: &Theirs) -> String {
    let warnings = theirs.warnings.iter().map(|it| format!("\n  warns: {it}"));
    let warnings: String = warnings.collect();
    if theirs.is_allowed() {
        format!("allowed{warnings}")
    } else {
        format!("{} {}{warnings}", theirs.code, theirs.message)
    }
}

fn here(ours: &Ours) -> String {
    let mut text = match ours.verdict() {
        Verdict::Allowed => "allowed",
        Verdict::Denied => "denied",
        Verdict::Undetermined => "undetermined",
    }
    .to_owned();
    for it in ours.of_level(Level::Deny).chain(ours.of_level(Level::Warn)) {
        write!(
            text,
            "\n  {} {} ({:?} {}): {}",
            it.level.as_str(),
            it.finding,
            it.error,
            it.field,
            it.message
        )
        .unwrap();
    }
    for it in &ours.review.undetermined {
        write!(text, "\n  cannot tell {} ({}): {}", it.rule, it.field, it.message).unwrap();
    }
    for it in &ours.unjudged {
        write!(text, "\n  not judged: {}: {}", it.field, it.why).unwrap();
    }
    text
}

/// Writes the request as an AdmissionReview for `garden-gate review`, with a text.
pub(crate) fn write(folder: &Path, number: usize, case: &Case, text: &str) -> PathBuf {
    let path = folder.join(format!("{number}.json"));
    fs::write(&path, case.review()).unwrap();
    fs::write(path.with_extension("txt"), text).unwrap();
    path
}
