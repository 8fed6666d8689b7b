// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, FieldPath, FindingKind, Findings};
use crate::rules::shared::validation::{Part, is_unchanged};

/// Refuses a change of the spec during deletion, and reports whether the object is being deleted with a changed spec.
pub(super) fn check_frozen(
    context: &Context<'_>,
    (kind, frozen): (&str, &'static FindingKind),
    findings: &mut Findings,
) -> bool {
    let is_deleted = |object| {
        let deleted = Part::whole(object).at(&["metadata", "deletionTimestamp"]);
        deleted.is_some()
    };
    let is_deleted = is_deleted(context.new_opened()) || is_deleted(context.old_opened());
    if !is_deleted || is_unchanged(context, kind, &["spec"]) {
        return false;
    }
    let message = format!("the spec of a {kind} is immutable while it is being deleted");
    findings.forbid(frozen, FieldPath::new("spec"), message).help("put the old spec back");
    true
}
