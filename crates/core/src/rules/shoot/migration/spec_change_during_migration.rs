// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, FieldPath, Findings, Update, rule};
use crate::rules::shoot::change::spec_differs;
use crate::rules::shoot::seed::placement::move_of;
use garden_gate_model::api::Shoot;

rule! {
    page: include_str!("spec_change_during_migration.md"),
    id: "shoot/spec-change-during-migration",
    summary: "rejects changes of a Shoot's spec during a control plane migration",
    phase: Admission,
    level: Deny,
    scopes: [Shoot [Update] [Itself, Binding]],
    findings: {
        RESCHEDULED = "shoot/spec-change-after-reschedule": "the Shoot has another seed, but its migration has not started",
        MIGRATING = "shoot/spec-change-during-migration": "the control plane of the Shoot is being migrated",
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, shoot: Update<'_, Shoot>, findings: &mut Findings) {
    let Update { new, old } = shoot;
    let status = &old.status;
    let Some(operation) = &status.last_operation else {
        return;
    };
    if move_of(shoot).is_some() {
        return;
    }
    let (kind, message) = match (new.seed_name(), status.seed_name.as_deref()) {
        (Some(wanted), Some(current)) if wanted != current && operation.kind != "Migrate" => (
            &RESCHEDULED,
            format!(
                "the Shoot will move from seed `{current}` to `{wanted}`, so its spec cannot be changed now"
            ),
        ),
        _ if operation.is_migration() => (
            &MIGRATING,
            format!(
                "the spec cannot be changed during operation `{}`, which is in state `{}`",
                operation.kind, operation.state
            ),
        ),
        _ => return,
    };
    if !spec_differs(context, new) {
        return;
    }
    findings
        .forbid(kind, FieldPath::new("spec"), message)
        .help("wait until the control plane is restored on its new seed");
}
