//! What all kinds share whose deletion must be confirmed.
//!
//! Mirrors `plugin/pkg/global/deletionconfirmation/admission.go`.

use crate::compat::parse_bool;
use crate::engine::{ErrorType, FieldPath, FindingKind, Findings, Kind, Offence};
use crate::model::ObjectMeta;

/// The annotation that confirms a deletion.
pub(super) const DELETION: &str = "confirmation.gardener.cloud/deletion";

/// Whether the deletion of an object is confirmed.
pub(super) fn is_confirmed(object: &ObjectMeta) -> bool {
    let value = object.annotations.get(DELETION);
    value.and_then(|value| parse_bool(value)) == Some(true)
}

/// Refuses the deletion of an object unless it is confirmed.
pub(super) fn require(
    object: &ObjectMeta,
    kind: Kind,
    finding: &'static FindingKind,
    findings: &mut Findings,
) {
    if is_confirmed(object) {
        return;
    }
    let name = &object.name;
    let (message, value) = match object.annotations.get(DELETION) {
        None => (
            format!(
                "the deletion of {kind} `{name}` is not confirmed: it lacks the annotation `{DELETION}`"
            ),
            None,
        ),
        Some(value) => (
            format!(
                "the deletion of {kind} `{name}` is not confirmed: annotation `{DELETION}` is `{value}`"
            ),
            Some(value.as_str()),
        ),
    };
    let field = FieldPath::new("metadata.annotations").key(DELETION);
    let offence = Offence::new(finding, ErrorType::Forbidden, field, message).value(value);
    let resource = kind.resource();
    let namespace = match object.namespace.as_str() {
        "" => String::new(),
        namespace => format!(" -n {namespace}"),
    };
    findings.add(offence.help(format!(
        "confirm it with `kubectl annotate {resource}{namespace} {name} {DELETION}=true`, then delete it again"
    )));
}
