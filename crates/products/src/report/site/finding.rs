// SPDX-License-Identifier: Apache-2.0
//! Findings of the audit.

use jiff::civil::Date;
use schemars::JsonSchema;
use serde::Serialize;

use crate::audit::Trigger;
use crate::report::audit::finding_summary;
use crate::report::{Outcome, Reviewed};
use garden_gate_core::admission::{Finding, Review};
use garden_gate_core::config::Level;

/// A violation by a stored object.
#[derive(JsonSchema, Serialize)]
#[schemars(rename = "SiteFinding")]
pub(super) struct FindingFields<'a> {
    /// The level.
    level: Level,
    /// The id of the finding.
    finding: &'static str,
    /// The id of the rule.
    rule: &'static str,
    /// The occasion on which it matters.
    occasion: Trigger,
    /// The field.
    field: &'a str,
    /// The violation in one sentence.
    message: &'a str,
    /// The remedy.
    #[serde(skip_serializing_if = "str::is_empty")]
    help: &'a str,
    /// True if Gardener accepts the object, and only garden-gate refuses it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    beyond: bool,
}

/// A check that could not be evaluated.
#[derive(JsonSchema, Serialize)]
#[schemars(rename = "SiteUnknown")]
pub(super) struct UnknownFields<'a> {
    /// The id of the rule; empty if the object cannot be read.
    rule: &'static str,
    /// The field.
    field: &'a str,
    /// The missing information.
    message: &'a str,
}

/// A rule or finding that an annotation of the object silences.
#[derive(JsonSchema, Serialize)]
#[schemars(rename = "SiteSilenced")]
pub(super) struct SilencedFields<'a> {
    /// The id.
    id: &'static str,
    /// The reason in the annotation.
    reason: &'a str,
    /// The last day on which the annotation applies.
    #[serde(skip_serializing_if = "Option::is_none")]
    until: Option<Date>,
}

/// The parts of a finding that counts need.
#[derive(Clone, Debug)]
pub(in crate::report) struct CountedFinding {
    pub(super) level: Level,
    pub(in crate::report) id: &'static str,
    pub(in crate::report) rule: &'static str,
    pub(super) occasion: Trigger,
    pub(super) is_beyond: bool,
    /// The message of a policy, whose findings have no summary.
    pub(super) message: Option<String>,
}

impl CountedFinding {
    /// Returns the estimated memory in bytes.
    pub(super) fn memory(&self) -> usize {
        size_of::<Self>() + self.message.as_ref().map_or(0, String::len)
    }

    /// Reports whether it is a refusal that does not wait until the object is created again.
    pub(in crate::report) fn is_urgent(&self) -> bool {
        self.level == Level::Deny && self.occasion != Trigger::Create
    }

    /// Returns when it matters, as a sentence.
    pub(in crate::report) fn occasion(&self) -> &'static str {
        match self.occasion {
            Trigger::EveryWrite => "the next write is refused, also one that does not change it",
            Trigger::Create => "it is refused if it is created again",
            Trigger::Current => "it is refused in its current state",
        }
    }

    /// Returns the violation as a sentence without a period.
    pub(in crate::report) fn sentence(&self) -> &str {
        finding_summary(self.rule, self.id).or(self.message.as_deref()).unwrap_or_default()
    }
}

fn review(reviewed: &Reviewed) -> Option<&Review> {
    match &reviewed.outcome {
        Outcome::Judged(review, _) => Some(review),
        Outcome::Unreadable(..) => None,
    }
}

fn with_occasions(reviewed: &Reviewed) -> impl Iterator<Item = (&Finding, Trigger)> {
    let found = review(reviewed).into_iter().flat_map(|it| &it.findings);
    found.zip(reviewed.occasions.iter().copied())
}

/// Returns the findings of an audit, refusals of every write first.
pub(super) fn findings(reviewed: &Reviewed) -> Vec<FindingFields<'_>> {
    let mut fields: Vec<FindingFields<'_>> = with_occasions(reviewed)
        .map(|(it, occasion)| FindingFields {
            level: it.level,
            finding: it.finding,
            rule: it.rule,
            occasion,
            field: &it.field,
            message: &it.message,
            help: &it.help,
            beyond: it.own_refusal().is_some(),
        })
        .collect();
    fields.sort_by_key(|it| (std::cmp::Reverse(it.level), it.occasion));
    fields
}

/// Returns the findings of an audit for counts.
pub(super) fn counted(reviewed: &Reviewed) -> Vec<CountedFinding> {
    let counted = with_occasions(reviewed).map(|(it, occasion)| CountedFinding {
        level: it.level,
        id: it.finding,
        rule: it.rule,
        occasion,
        is_beyond: it.own_refusal().is_some(),
        message: finding_summary(it.rule, it.finding).is_none().then(|| it.message.clone()),
    });
    counted.collect()
}

/// Returns the checks that could not be evaluated, or why the object cannot be read.
pub(super) fn unknown(reviewed: &Reviewed) -> Vec<UnknownFields<'_>> {
    match &reviewed.outcome {
        Outcome::Judged(review, _) => {
            let unknown = review.undetermined.iter().map(|it| UnknownFields {
                rule: it.rule,
                field: &it.field,
                message: &it.message,
            });
            unknown.collect()
        }
        Outcome::Unreadable(why, _) => vec![UnknownFields { rule: "", field: "", message: why }],
    }
}

/// Returns the findings that annotations silence.
pub(super) fn silenced(reviewed: &Reviewed) -> Vec<SilencedFields<'_>> {
    let silenced = review(reviewed).into_iter().flat_map(|it| &it.silenced);
    let fields =
        silenced.map(|it| SilencedFields { id: it.id, reason: &it.reason, until: it.until });
    fields.collect()
}
