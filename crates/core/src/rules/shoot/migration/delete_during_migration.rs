// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Change, Context, FieldPath, Findings, rule};
use garden_gate_model::api::Shoot;

rule! {
    page: include_str!("delete_during_migration.md"),
    id: "shoot/delete-during-migration",
    summary: "rejects deletion of a Shoot during a control plane migration",
    phase: Admission,
    level: Deny,
    scopes: [Shoot [Delete]],
    findings: {
        DELETED = "shoot/delete-during-migration": "the control plane of the Shoot is being migrated",
    },
    check: Judge(check),
}

fn check(_: &Context<'_>, shoot: Change<'_, Shoot>, findings: &mut Findings) {
    let Some(operation) = shoot
        .old
        .and_then(|old| old.status.last_operation.as_ref())
        .filter(|operation| operation.is_migration())
    else {
        return;
    };
    let message = format!(
        "the Shoot cannot be deleted during operation `{}`, which is in state `{}`",
        operation.kind, operation.state
    );
    let path = FieldPath::new("status.lastOperation");
    findings
        .forbid(&DELETED, path, message)
        .help("wait until the control plane is restored on its new seed");
}
