// SPDX-License-Identifier: Apache-2.0
use serde_json::Value;

use super::truncation::{and_more, counted};
use super::{Drifted, Edit, Outcome, Reviewed};
use garden_gate_core::admission::{Finding, Verdict};
use garden_gate_core::config::Level;
use garden_gate_core::stored::Changed;
use garden_gate_text::escape::value_within;

/// Maximum number of fields shown to people; the others are counted.
const FIELDS: usize = 10;
/// Maximum size of a value and of a field in bytes.
const LONGEST_VALUE: usize = 60;
const LONGEST_FIELD: usize = 200;

impl Reviewed {
    /// Returns a heading and a line for each field with another value in the garden.
    ///
    /// The last line describes the effect of applying the manifest. Returns `None` without differences.
    pub(super) fn drift(&self) -> Option<(String, Vec<String>)> {
        let count = self.drift.len();
        let heading = counted(
            count,
            "field has another value in the garden",
            "fields have other values in the garden",
        )?;
        let fields = self.drift.iter().take(FIELDS).map(|it| self.drifted(it));
        let more = count.checked_sub(FIELDS).filter(|more| *more > 0);
        let lines = fields.chain(more.map(and_more));
        Some((heading, lines.chain([self.applying()]).collect()))
    }

    fn drifted(&self, drifted: &Drifted) -> String {
        let Drifted { drift, excerpt } = drifted;
        let since = match drift.changed {
            Changed::Garden => ", changed there",
            Changed::Both => ", changed on both sides",
            Changed::Unknown => "",
        };
        format!(
            "{}:{}: {} is {} here, {} in the garden{since}",
            self.file,
            excerpt.position.line,
            code(&value_within(drift.field.as_str(), LONGEST_FIELD)),
            shown(drift.file.as_ref()),
            shown(drift.stored.as_ref()),
        )
    }

    /// Describes the effect of applying the manifest.
    fn applying(&self) -> String {
        let is_it_alone = self.drift.iter().all(|it| it.drift.changed == Changed::Garden);
        let does = match (self.verdict(), is_it_alone) {
            (Verdict::Denied, _) => "is refused",
            (Verdict::Undetermined, _) => "may be refused",
            (Verdict::Allowed, true) => "changes that back",
            (Verdict::Allowed, false) => "writes what stands here",
        };
        let why = match self.why().as_slice() {
            [] => String::new(),
            ids => format!(" ({})", ids.join(", ")),
        };
        let is_behind = self.drift.iter().any(|it| it.drift.is_behind);
        let fix = if is_behind && self.edits.is_empty() && !self.is_compared {
            "; `--fix` writes the newer versions of the garden into the file"
        } else {
            ""
        };
        format!("applying this {does}{why}{fix}")
    }

    /// Returns the findings that refuse the manifest, or those about changed fields if none does.
    fn why(&self) -> Vec<&'static str> {
        let Outcome::Judged(review, _) = &self.outcome else {
            return Vec::new();
        };
        let is_denied = self.verdict() == Verdict::Denied;
        let findings = review.findings.iter().filter(|it| {
            if is_denied {
                it.level == Level::Deny
            } else {
                self.drift.iter().any(|drifted| concerns(it, drifted))
            }
        });
        let mut ids: Vec<&str> = Vec::new();
        for finding in findings {
            if !ids.contains(&finding.finding) {
                ids.push(finding.finding);
            }
        }
        ids
    }
}

fn concerns(finding: &Finding, drifted: &Drifted) -> bool {
    let (one, other) = (&finding.pointer, &drifted.drift.pointer);
    let is_in = |one: &str, other: &str| {
        let rest = one.strip_prefix(other);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    !one.is_empty() && (is_in(one, other) || is_in(other, one))
}

impl Edit {
    /// Returns the result and a line, such as `fixed` and `a.yaml:14: 1.33.9 → 1.33.10`.
    pub(super) fn line(&self, file: &str) -> (&'static str, String) {
        let Self { from, to, .. } = self;
        let line = format!("{file}:{}: {from} → {to}", self.line);
        match &self.left_because {
            None => ("fixed", line),
            Some(why) => ("not fixed", format!("{line}: {why}")),
        }
    }
}

/// Formats a value on one line, truncated.
fn shown(value: Option<&Value>) -> String {
    let text = match value {
        None => return "nothing".to_owned(),
        Some(Value::String(text)) if !text.is_empty() => text.clone(),
        Some(value) => value.to_string(),
    };
    code(&value_within(text, LONGEST_VALUE))
}

/// Formats a string as code, in backticks.
fn code(text: &str) -> String {
    format!("`{}`", text.replace('`', "'"))
}
