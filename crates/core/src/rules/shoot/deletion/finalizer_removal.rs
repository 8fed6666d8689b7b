// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, FieldPath, Findings, Help, Update, rule};
use garden_gate_model::api::{Shoot, ShootStatus};

rule! {
    page: include_str!("finalizer_removal.md"),
    id: "shoot/finalizer-removal",
    summary: "rejects removal of the finalizer `gardener` before deletion has succeeded",
    phase: Admission,
    level: Deny,
    scopes: [Shoot [Update] [Itself, Binding, Status]],
    findings: {
        REMOVED = "shoot/finalizer-removal": "Gardener's finalizer is removed before deletion has succeeded",
    },
    fixes: Suggestion,
    check: Judge(check),
}

const GARDENER: &str = "gardener";

fn check(_: &Context<'_>, shoot: Update<'_, Shoot>, findings: &mut Findings) {
    let Update { new, old } = shoot;
    if has_finalizer(old) && !has_finalizer(new) && !is_deleted(&new.status) {
        let message = format!(
            "finalizer `{GARDENER}` cannot be removed, because the deletion of the Shoot has not succeeded yet"
        );
        let field = FieldPath::new("metadata.finalizers");
        findings
            .forbid(&REMOVED, field, message)
            .value(GARDENER)
            .help(Help::restore("put it back and let deletion go on"));
    }
}

fn has_finalizer(shoot: &Shoot) -> bool {
    let mut finalizers = shoot.metadata.finalizers.iter();
    finalizers.any(|finalizer| finalizer == GARDENER)
}

/// Reports whether the Shoot was deleted completely, or was never created.
fn is_deleted(status: &ShootStatus) -> bool {
    let Some(last) = &status.last_operation else {
        return true;
    };
    let succeeded = last.kind == "Delete" && last.state == "Succeeded" && last.progress == 100;
    status.technical_id.is_empty() || succeeded
}
