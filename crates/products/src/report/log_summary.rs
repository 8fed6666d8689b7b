// SPDX-License-Identifier: Apache-2.0
use std::borrow::Cow;

use super::truncation::{clip, fit};
use garden_gate_core::admission::{Finding, Review, Undetermined};

/// Maximum size of a field in a log line.
const FIELD_LIMIT: usize = 200;

/// Joins ids with commas, in at most `limit` bytes.
pub fn listed<'a>(ids: impl IntoIterator<Item = &'a str>, limit: usize) -> String {
    let ids: Vec<Cow<'_, str>> = ids.into_iter().map(Cow::Borrowed).collect();
    let count = ids.len();
    fit(ids.into_iter(), count, limit, ",".len()).join(",")
}

/// Formats findings for a log line, in at most `limit` bytes.
///
/// The format is `deny shoot/seed-name-change spec.seedName; warn …`.
pub fn findings_in_short(review: &Review, limit: usize) -> String {
    let in_short = |it: &Finding| with_field(format!("{} {}", it.weight(), it.finding), &it.field);
    let findings = &review.findings;
    fit(findings.iter().map(in_short), findings.len(), limit, "; ".len()).join("; ")
}

/// Formats undetermined checks for a log line, in at most `limit` bytes.
///
/// The format is `project/owner-verb spec.owner; …`.
pub fn undetermined_in_short(review: &Review, limit: usize) -> String {
    let in_short = |it: &Undetermined| with_field(it.rule.to_owned(), &it.field);
    let undetermined = &review.undetermined;
    fit(undetermined.iter().map(in_short), undetermined.len(), limit, "; ".len()).join("; ")
}

fn with_field(what: String, field: &str) -> String {
    match field {
        "" => what,
        field => format!("{what} {}", clip(field, FIELD_LIMIT)),
    }
}
