// SPDX-License-Identifier: Apache-2.0
//! The operation annotation.

use super::completed::Completed;
use crate::admission::{Context, FieldPath, FindingKind, Findings};
use crate::rules::shared::lists::one_of;
use garden_gate_model::api::Declared;
use garden_gate_text::json::Json;

const ANNOTATION: &str = "gardener.cloud/operation";
const RECONCILE: &str = "reconcile";

/// The findings about operations: an unsupported one, and one that replaces another.
pub(super) struct OperationFindings {
    pub unsupported: &'static FindingKind,
    pub overwrite: &'static FindingKind,
}

/// Checks that the operation is `known` and replaces no other.
///
/// Mirrors validateOperation and validateOperationUpdate in `pkg/api/seedmanagement/validation/managedseed.go`.
pub(super) fn check_operation(
    context: &Context<'_>,
    objects: &Completed,
    known: &[&str],
    kinds: &OperationFindings,
    findings: &mut Findings,
) {
    let annotation = |object| {
        let value = super::completed::at(object, &["metadata", "annotations", ANNOTATION]);
        value.as_str().unwrap_or_default()
    };
    let [new, old] = [&objects.new, &objects.old].map(annotation);
    if new.is_empty() || new == RECONCILE && is_dropped(context, objects) {
        return;
    }
    let field = || FieldPath::new("metadata.annotations").key(ANNOTATION);
    if !known.contains(&new) {
        let message = format!("`{new}` is not an operation for this kind");
        let help = one_of(new, known);
        findings.unsupported(kinds.unsupported, field(), message).value(new).help(help);
    }
    if !old.is_empty() && old != new {
        let message =
            format!("operation `{new}` would overwrite `{old}`, which has not been done yet");
        findings
            .forbid(kinds.overwrite, field(), message)
            .value(new)
            .help("wait until the annotation is gone");
    }
}

/// Reports whether the API server removes `reconcile`, as it does in an update that does not change the `spec`.
fn is_dropped(context: &Context<'_>, objects: &Completed) -> bool {
    let [new, old] = objects.at(&["metadata", "deletionTimestamp"]);
    if objects.old.is_null() || old.is_null() && !new.is_null() {
        return false;
    }
    let [new, old] = objects.at(&["spec"]).map(ToString::to_string);
    let typing =
        Declared::at(objects.kind.as_str(), &["spec"]).with_bytes(!context.request.is_converted);
    Json::text(&new).same_as(&Json::text(&old), typing)
}
