//! Rules about ControllerRegistrations, ControllerDeployments and ControllerInstallations.

mod deployment;
mod installation;
mod registration;

use crate::admission::{Context, FieldPath, FindingKind, Findings, Rule};
use crate::rules::shared::validation::Part;
use garden_gate_model::api::Declared;

pub(crate) const RULES: &[&Rule] = &[
    &registration::form::RULE,
    &registration::immutable_fields::RULE,
    &registration::references::RULE,
    &deployment::form::RULE,
    &installation::form::RULE,
    &installation::immutable_fields::RULE,
];

/// Refuses a change of the spec during deletion, and reports whether the object is being deleted with a changed spec.
fn check_frozen(
    context: &Context<'_>,
    (kind, frozen): (&str, &'static FindingKind),
    findings: &mut Findings,
) -> bool {
    let [new, old] = [context.new_opened(), context.old_opened()];
    let is_deleted = |object| {
        let deleted = Part::whole(object).at(&["metadata", "deletionTimestamp"]);
        deleted.is_some()
    };
    let typing = Declared::at(kind, &["spec"]);
    let is_same = || new.opened_at(&["spec"]).same_as(old.opened_at(&["spec"]), typing);
    if !is_deleted(new) && !is_deleted(old) || is_same() {
        return false;
    }
    let message = format!("the spec of a {kind} is immutable while it is being deleted");
    findings.forbid(frozen, FieldPath::new("spec"), message).help("put the old spec back");
    true
}
