// SPDX-License-Identifier: Apache-2.0
//! Differences between two responses to a request.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use garden_gate_core::admission::{ErrorType, Finding, Phase, Verdict};
use garden_gate_core::config::Level;
use garden_gate_core::stored::MADE_UP;
use garden_gate_model::api::extensions::Extension;
use serde_json::Value;

use crate::parity::case::Case;
use crate::parity::change::{self, places, put};
use crate::parity::ours::{Gate, Ours};
use crate::parity::theirs::{NO_FIELD_ERROR, Theirs};

/// The kind of a difference.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(crate) enum What {
    /// Refused by garden-gate, allowed by Gardener.
    RefusedHere,
    /// Allowed by garden-gate, refused by Gardener.
    AllowedHere,
    /// Undetermined in garden-gate, decided by Gardener.
    UndeterminedHere,
    /// Both refuse; Gardener has a cause that garden-gate lacks.
    CauseMissing,
    /// Both refuse; garden-gate has a cause of the same stage that Gardener lacks.
    CauseAdded,
    /// Both refuse; the extension has a cause that garden-gate lacks.
    ExtensionCauseMissing,
    /// Both refuse, Gardener only because of an extension; garden-gate has another cause of an extension.
    ExtensionCauseAdded,
    /// Only Gardener warns.
    WarningMissing,
    /// Only garden-gate warns.
    WarningAdded,
    /// Both allow, and garden-gate predicts another stored object.
    Stored,
}

impl What {
    pub(crate) const ALL: [What; 10] = [
        What::RefusedHere,
        What::AllowedHere,
        What::UndeterminedHere,
        What::CauseMissing,
        What::CauseAdded,
        What::ExtensionCauseMissing,
        What::ExtensionCauseAdded,
        What::WarningMissing,
        What::WarningAdded,
        What::Stored,
    ];

    /// Returns the name in the list of known differences.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            What::RefusedHere => "refused here",
            What::AllowedHere => "allowed here",
            What::UndeterminedHere => "undetermined here",
            What::CauseMissing => "cause missing here",
            What::CauseAdded => "cause only here",
            What::ExtensionCauseMissing => "cause of the extension missing here",
            What::ExtensionCauseAdded => "cause of the extension only here",
            What::WarningMissing => "warning missing here",
            What::WarningAdded => "warning only here",
            What::Stored => "stored differently",
        }
    }
}

/// A difference in a form that is common to several requests: equal ones have the same reason.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(crate) struct Difference {
    pub(crate) what: What,
    /// The kind with the subresource, such as `Shoot/binding`.
    pub(crate) kind: String,
    /// The finding of garden-gate, or the cause of Gardener, with the field but without indexes and names.
    pub(crate) about: String,
    /// The line of `review` that announces the difference, about a part that is not judged.
    pub(crate) announced: Option<String>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}: {}", self.what.as_str(), self.kind, self.about)
    }
}

/// Judges a request whose response is known.
///
/// For an update without defaulted fields that changes nothing, garden-gate gets the completed object from the server's
/// response.
pub(crate) fn judge_after(gate: &Gate, case: &Case, theirs: &Theirs) -> Ours {
    let ours = gate.judge(case);
    let (Verdict::Denied, "UPDATE", Some(stored)) =
        (ours.verdict(), case.operation(), &theirs.stored)
    else {
        return ours;
    };
    let old = &case.request["oldObject"];
    let mut object = case.request["object"].clone();
    for place in places(old) {
        let value = old.pointer(&place);
        if object.pointer(&place).is_none_or(Value::is_null) && stored.pointer(&place) == value {
            put(&mut object, &place, value.cloned().unwrap_or_default());
        }
    }
    gate.judge(&case.with_object(object))
}

/// Returns the differences between the responses to a request.
pub(crate) fn differences(case: &Case, ours: &Ours, theirs: &Theirs) -> BTreeSet<Difference> {
    let mut all = BTreeSet::new();
    let mut add = |what, about: String, announced| {
        let kind = case.asked_of();
        all.insert(Difference { what, kind, about, announced });
    };
    match (ours.verdict(), theirs.is_allowed()) {
        (Verdict::Undetermined, _) => {
            for it in &ours.review.undetermined {
                add(What::UndeterminedHere, format!("{} {}", it.rule, general(&it.field)), None);
            }
        }
        (Verdict::Denied, true) => {
            for it in ours.of_level(Level::Deny) {
                add(What::RefusedHere, format!("{} {}", it.finding, general(&it.field)), None);
            }
        }
        (Verdict::Allowed, false) => {
            for (kind, field) in &theirs.findings {
                let announced = announced(ours, field).filter(|_| !theirs.is_of_webhook());
                add(What::AllowedHere, cause(theirs, kind, field), announced);
            }
        }
        (Verdict::Denied, false) if theirs.is_of_webhook() => {
            let here = of_extensions(ours);
            for (kind, field) in theirs.findings.difference(&here) {
                let about = cause(theirs, kind, field);
                add(What::ExtensionCauseMissing, about, None);
            }
            for (kind, field) in here.difference(&theirs.findings) {
                let about = format!("{kind} {}", general(field));
                add(What::ExtensionCauseAdded, about, None);
            }
        }
        (Verdict::Denied, false) => {
            for (kind, field) in missing(case, ours, theirs) {
                let announced = announced(ours, &field);
                add(What::CauseMissing, cause(theirs, &kind, &field), announced);
            }
            for it in added(ours, theirs) {
                let about = format!("{} {:?} {}", it.finding, it.error, general(&it.field));
                add(What::CauseAdded, about, None);
            }
        }
        (Verdict::Allowed, true) => {
            for (what, field) in warnings(ours, theirs) {
                add(what, field, None);
            }
            for path in stored_differently(case, ours, theirs) {
                add(What::Stored, path, None);
            }
        }
    }
    all
}

/// Returns type and field of Gardener's cause, and its message if these are not specific.
fn cause(theirs: &Theirs, kind: &str, field: &str) -> String {
    match field {
        "" => format!("{} {kind}: {}", theirs.code, without_values(&theirs.message)),
        field => format!("{} {kind} {}", theirs.code, general(field)),
    }
}

/// Returns the type and field of each finding about an extension.
fn of_extensions(ours: &Ours) -> BTreeSet<(String, String)> {
    let findings = ours.of_level(Level::Deny).filter(|it| {
        let rule = it.rule.split_once('/');
        rule.is_some_and(|(name, _)| Extension::named(name).is_some())
    });
    let causes = findings.map(|it| match it.error {
        ErrorType::Decode | ErrorType::Denied | ErrorType::Panic => {
            (NO_FIELD_ERROR.to_owned(), String::new())
        }
        ErrorType::InternalError => ("Internal".to_owned(), field_of(it)),
        error => (format!("{error:?}"), field_of(it)),
    });
    causes.collect()
}

/// Returns the field as parsed from a message, which ends a field at a space.
fn field_of(finding: &Finding) -> String {
    let mut words = finding.field.rsplit(' ');
    words.next().unwrap_or_default().to_owned()
}

/// Returns the line that announces that the field is not judged.
fn announced(ours: &Ours, field: &str) -> Option<String> {
    let line = ours.unjudged.iter().find(|it| {
        let rest = field.strip_prefix(&it.field);
        field.is_empty() || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
    });
    line.map(|it| format!("{}: {}", general(&it.field), it.why))
}

/// Returns specific causes of Gardener that garden-gate lacks.
fn missing(case: &Case, ours: &Ours, theirs: &Theirs) -> Vec<(String, String)> {
    let is_update = case.operation() == "UPDATE";
    let found: BTreeSet<_> = ours
        .of_level(Level::Deny)
        .map(|it| (format!("{:?}", it.error), place(&it.field, is_update)))
        .collect();
    let is_named =
        |kind: &str, field: &str| found.contains(&(kind.to_owned(), place(field, is_update)));
    let unclear = ["Internal", "Unknown", "BadRequest", "Panic"];
    let findings = theirs.findings.iter().filter(|(kind, field)| {
        !field.is_empty()
            && !unclear.contains(&kind.as_str())
            && theirs.code == 422
            && !is_named(kind, field)
    });
    findings.cloned().collect()
}

/// Returns the field; without the index of a toleration in updates, since Gardener counts the changed ones only.
fn place(field: &str, is_update: bool) -> String {
    match field.strip_prefix("spec.tolerations[") {
        Some(rest) if is_update => format!("spec.tolerations{}", rest.split_once(']').unwrap().1),
        _ => field.to_owned(),
    }
}

/// Returns static causes that only garden-gate has, since Gardener reports all static causes at once.
fn added<'a>(ours: &'a Ours, theirs: &Theirs) -> Vec<&'a Finding> {
    if theirs.code != 422 {
        return Vec::new();
    }
    let is_named =
        |it: &Finding| theirs.findings.contains(&(format!("{:?}", it.error), it.field.clone()));
    let statics = ours.of_level(Level::Deny).filter(|it| it.phase == Phase::Static);
    statics.filter(|it| !is_named(it)).collect()
}

/// Returns warnings about deprecated fields that only one side has.
fn warnings(ours: &Ours, theirs: &Theirs) -> Vec<(What, String)> {
    let here = ours
        .of_level(Level::Warn)
        .filter(|it| it.finding.starts_with("shoot/warn-") || it.finding == SECRET_BINDING)
        .filter(|it| it.rule != "shoot/rotation-due");
    let here: BTreeSet<String> = here.map(|it| general(&it.field)).collect();
    let there: BTreeSet<String> = theirs.warnings.iter().filter_map(|it| warned(it)).collect();
    let missing = there.difference(&here).map(|it| (What::WarningMissing, it.clone()));
    let added = here.difference(&there).map(|it| (What::WarningAdded, it.clone()));
    missing.chain(added).collect()
}

/// Reports whether a warning is about old credentials, which objects of a test cannot have.
pub(crate) fn is_of_age(warning: &str) -> bool {
    warning.contains("rotating the shoot credentials")
}

/// The warning that a whole kind is deprecated.
const SECRET_BINDING: &str = "binding/secret-binding-deprecated";

/// Returns the field of a warning, or its message.
fn warned(text: &str) -> Option<String> {
    if text.starts_with("SecretBinding is deprecated") {
        return Some("kind".to_owned());
    }
    if text.contains("IPVS mode") {
        return Some("spec.kubernetes.kubeProxy.mode".to_owned());
    }
    let field = text
        .split_whitespace()
        .find(|it| it.starts_with("spec."))
        .map(|it| it.trim_end_matches(['.', ',', ':']));
    let about = field.map_or_else(|| without_values(text), general);
    Some(about).filter(|_| !is_of_age(text))
}

/// Returns the fields that garden-gate changes and Gardener stores differently.
fn stored_differently(case: &Case, ours: &Ours, theirs: &Theirs) -> BTreeSet<String> {
    let (Some(here), Some(there)) = (&ours.stored, &theirs.stored) else {
        return BTreeSet::new();
    };
    let sent = leaves(&case.request["object"]);
    let (here, there) = (leaves(here), leaves(there));
    let made_up: Vec<&String> =
        here.iter().filter(|(_, value)| *value == MADE_UP).map(|(path, _)| path).collect();
    let is_known = |path: &str| {
        let is_within = |outer: &&String| path.starts_with(outer.as_str());
        !made_up.iter().any(is_within)
    };
    let changed =
        here.iter().filter(|(path, value)| sent.get(*path) != Some(*value) && is_known(path));
    let differing = changed.filter(|(path, value)| there.get(*path) != Some(*value));
    let decided = there.iter().filter(|(path, value)| {
        is_decided(case, path) && is_known(path) && here.get(*path) != Some(*value)
    });
    differing.chain(decided).map(|(path, _)| change::general(path)).collect()
}

/// Reports whether garden-gate predicts the stored value of a field.
fn is_decided(case: &Case, pointer: &str) -> bool {
    let is_shoot =
        case.request["resource"]["resource"] == "shoots" && case.request["subResource"] != "status";
    let parts = ["/spec/", "/metadata/labels/", "/metadata/annotations/"];
    is_shoot && parts.iter().any(|part| pointer.starts_with(part))
}

/// Returns the paths at which two objects differ.
pub(crate) fn differing(one: &Value, other: &Value) -> BTreeSet<String> {
    let (one, other) = (leaves(one), leaves(other));
    let places = one.keys().chain(other.keys());
    let differing = places.filter(|it| one.get(*it) != other.get(*it));
    differing.cloned().collect()
}

/// Returns every scalar with its path.
fn leaves(value: &Value) -> BTreeMap<String, Value> {
    fn walk(value: &Value, pointer: String, leaves: &mut BTreeMap<String, Value>) {
        match value {
            Value::Object(fields) => {
                for (name, value) in fields {
                    let step = name.replace('~', "~0").replace('/', "~1");
                    walk(value, format!("{pointer}/{step}"), leaves);
                }
            }
            Value::Array(items) => {
                for (index, value) in items.iter().enumerate() {
                    walk(value, format!("{pointer}/{index}"), leaves);
                }
            }
            value => _ = leaves.insert(pointer, value.clone()),
        }
    }
    let mut all = BTreeMap::new();
    walk(value, String::new(), &mut all);
    all
}

/// Converts `spec.workers[0].labels[a/b]` to `spec.workers[].labels[]`.
fn general(field: &str) -> String {
    let mut depth = 0;
    let kept = field.chars().filter(|letter| {
        depth -= i32::from(*letter == ']');
        let is_kept = depth == 0;
        depth += i32::from(*letter == '[');
        is_kept
    });
    kept.collect()
}

/// Returns a message without quoted values and numbers.
fn without_values(message: &str) -> String {
    let mut words = String::new();
    for (index, part) in message.split('"').enumerate() {
        words += if index % 2 == 0 { part } else { "…" };
    }
    let words = words.replace(|it: char| it.is_ascii_digit(), "");
    words.chars().take(160).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_in_brackets_is_of_one_request() {
        let field = "spec.provider.workers[0].labels[x.y/z].a";
        assert_eq!(general(field), "spec.provider.workers[].labels[].a");
        assert_eq!(change::general("/spec/workers/10/name"), "/spec/workers/[]/name");
        assert_eq!(without_values("shoot \"a\" has 10 of \"b\""), "shoot … has  of …");
    }
}
