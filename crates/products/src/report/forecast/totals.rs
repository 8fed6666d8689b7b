// SPDX-License-Identifier: Apache-2.0
//! The extent of a forecast and the number of its events, in words.

use jiff::SignedDuration;

use super::ForecastReport;
use crate::forecast::{Counts, Outlook};
use crate::report::truncation::number;

/// Formats the extent, such as `7 Shoots, 90 days from 2026-12-01T00:00:00Z, judged as Gardener 1.149 (from gardener-info)`.
pub(super) fn extent(outlook: &Outlook) -> String {
    extent_of(outlook, outlook.shoots.len() + outlook.unforeseen.len())
}

/// Formats the extent of a report, which has only some of the Shoots after a comparison.
pub(super) fn extent_of_report(report: ForecastReport<'_>) -> String {
    match report.changes {
        Some(changes) => extent_of(report.outlook, changes.shoots),
        None => extent(report.outlook),
    }
}

fn extent_of(outlook: &Outlook, shoots: usize) -> String {
    let shoots = counted(shoots, "Shoot", "Shoots").unwrap_or_else(|| "no Shoots".to_owned());
    let time = outlook.until.duration_since(outlook.at);
    let time = length(time);
    let judged = outlook.judged;
    format!("{shoots}, {time} from {:.0}, judged as {judged}", outlook.at)
}

fn length(time: SignedDuration) -> String {
    let days = time.as_hours() / 24;
    match (days, time.as_hours()) {
        (0, 1) => "1 hour".to_owned(),
        (0, hours) => format!("{hours} hours"),
        (1, _) => "1 day".to_owned(),
        (days, _) => format!("{days} days"),
    }
}

/// Formats the counts that are not zero, such as `2 regular, 1 forced, 1 blocked`.
pub(super) fn counts(report: ForecastReport<'_>) -> String {
    let outlook = report.outlook;
    let Counts { regular, forced, blocked, impossible, paused, unknown } = outlook.counts();
    // They are no events, and are not compared.
    let paused = if report.changes.is_some() { 0 } else { paused };
    let counts: Vec<String> = [
        counted(regular, "regular update", "regular updates"),
        counted(forced, "forced update", "forced updates"),
        counted(blocked, "blocked", "blocked"),
        counted(impossible, "without an update possible", "without an update possible"),
        counted(paused, "stays behind", "stay behind"),
        counted(unknown, "window not certain", "windows not certain"),
        counted(outlook.unforeseen.len(), "Shoot not forecast", "Shoots not forecast"),
    ]
    .into_iter()
    .flatten()
    .collect();
    if counts.is_empty() { "nothing happens".to_owned() } else { counts.join(", ") }
}

/// Formats a comparison, such as ``changed since `monday.json`: 2 new, 1 gone, 14 known``.
pub(super) fn changed(report: ForecastReport<'_>) -> Option<String> {
    let changes = report.changes?;
    let [new, gone, known] = [changes.new, changes.gone, changes.known].map(number);
    Some(format!("changed since `{}`: {new} new, {gone} gone, {known} known", changes.file))
}

/// Formats a count, such as `1 Shoot` or `4,980 Shoots`; returns `None` for zero.
pub(in crate::report) fn counted(count: usize, one: &str, many: &str) -> Option<String> {
    match count {
        0 => None,
        1 => Some(format!("1 {one}")),
        _ => Some(format!("{} {many}", number(count))),
    }
}
