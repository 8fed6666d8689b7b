// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeSet;

use serde_json::Value;

use super::{
    DecodeError, EntryPoint, ErrorType, FieldPath, Finding, Origin, Phase, Question, Resource,
    Review, Verdict,
};
use crate::config::Level;

/// What [`judge`](super::judge()) has to say.
#[derive(Debug)]
pub enum Judgement {
    /// The verdict.
    Review(Review),
    /// Lookups whose answers must be added to the garden before the next evaluation.
    Questions(BTreeSet<Question>),
}

/// Sorts the findings and removes duplicates.
pub(super) fn conclude(entry_point: EntryPoint, mut review: Review) -> Review {
    review.findings.sort_by(|a, b| {
        (a.phase, &a.pointer, a.finding, a.level).cmp(&(b.phase, &b.pointer, b.finding, b.level))
    });
    // Rules of several phases may look up the same object.
    let mut known = BTreeSet::new();
    review.findings.retain(|it| {
        let texts = [&it.pointer, &it.field, &it.message].map(Clone::clone);
        known.insert((it.finding, it.level, texts))
    });
    // Webhooks are only called after these checks.
    if !matches!(entry_point, EntryPoint::Mutate | EntryPoint::Validate) {
        drop_consequences(&mut review.findings);
    }
    let undetermined = &mut review.undetermined;
    undetermined.sort_by(|a, b| b.level.cmp(&a.level).then_with(|| a.cmp(b)));
    // Many rules may look up the same object; one that denies comes first.
    let mut seen = BTreeSet::new();
    undetermined.retain(|it| seen.insert((it.field.clone(), it.message.clone())));
    if review.verdict() != Verdict::Allowed {
        review.withhold();
    }
    review
}

/// Prefix of the ids of findings about a single field.
const OF_FIELD: &str = "field/";

/// Drops admission findings about values that an earlier phase denies.
/// An API server does not reach admission for them.
///
/// After static validation of a single field, all findings about its value are dropped.
/// After a mutating plugin, only those about unsupported values are dropped.
fn drop_consequences(findings: &mut Vec<Finding>) {
    let denied = |is_cause: fn(&Finding) -> bool| -> BTreeSet<String> {
        let causes = findings.iter().filter(|it| it.level == Level::Deny && is_cause(it));
        causes.map(|it| it.pointer.clone()).collect()
    };
    let malformed = denied(|it| it.phase == Phase::Static && it.finding.starts_with(OF_FIELD));
    let unresolved = denied(|it| it.phase == Phase::Mutating);
    findings.retain(|it| {
        let is_unoffered = it.error == ErrorType::NotSupported;
        let follows =
            malformed.contains(&it.pointer) || is_unoffered && unresolved.contains(&it.pointer);
        it.phase != Phase::Admission || !follows
    });
}

/// The id for objects that do not match the schema of their kind; not a rule, without a level.
pub(crate) const UNDECODABLE: &str = "object/undecodable";

pub(super) fn undecodable(error: &DecodeError, resource: &Resource) -> Finding {
    let whose = if error.stored { "the stored object" } else { "the object" };
    let message = format!("{whose} does not have the shape of its kind: {}", error.message);
    let api = match resource.group.as_str() {
        "" => resource.version.clone(),
        group => format!("{group}/{}", resource.version),
    };
    let help = format!("compare the field with the API reference of {api}");
    let finding = of_the_object(UNDECODABLE, ErrorType::TypeInvalid, &error.field, message);
    Finding { help, ..finding }
}

/// Returns a finding about an object that is independent of rules.
pub(super) fn of_the_object(
    id: &'static str,
    error: ErrorType,
    field: &FieldPath,
    message: String,
) -> Finding {
    Finding {
        rule: id,
        finding: id,
        level: Level::Deny,
        would_deny: false,
        origin: Origin::Gardener,
        error,
        field: field.to_string(),
        pointer: field.pointer(),
        value: Value::Null,
        message,
        help: String::new(),
        machines: None,
        fixes: Vec::new(),
        phase: Phase::Static,
    }
}
