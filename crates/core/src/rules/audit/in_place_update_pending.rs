// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, FieldPath, Findings, Write, rule};
use crate::rules::shared::lists::list;
use garden_gate_model::api::Shoot;

rule! {
    page: include_str!("in_place_update_pending.md"),
    id: "audit/in-place-update-pending",
    summary: "warns about worker pools with a pending in-place update",
    phase: Admission,
    level: { documented: Warn, gardener: Off },
    entry_point: Audit,
    scopes: [Shoot [Update]],
    findings: {
        PENDING = "audit/in-place-update-pending": "worker pools have a pending in-place update",
    },
    check: Judge(check),
}

/// The constraint that is not `True` as long as pools wait for a manual update.
const MANUALLY_UPDATED: &str = "ManualInPlaceWorkersUpdated";

fn check(_: &Context<'_>, write: Write<'_, Shoot>, findings: &mut Findings) {
    let shoot = write.new;
    let updates = shoot.status.in_place_updates.as_ref();
    let Some(pending) = updates.and_then(|it| it.pending_worker_updates.as_ref()) else {
        return;
    };
    let constraint = shoot.status.constraint(MANUALLY_UPDATED).filter(|it| it.status != "True");
    let since = constraint
        .and_then(|it| it.last_transition_time)
        .map_or(String::new(), |since| format!(" since `{since:.0}`"));
    let path = || FieldPath::new("status.inPlaceUpdates.pendingWorkerUpdates");
    if !pending.manual_in_place_update.is_empty() {
        let pools = list(&pending.manual_in_place_update);
        let message =
            format!("worker pools wait{since} for somebody to update them in place: {pools}");
        findings
            .forbid(&PENDING, path().child("manualInPlaceUpdate"), message)
            .help("label the nodes as Gardener's documentation of updates in place says");
    }
    if !pending.auto_in_place_update.is_empty() {
        let pools = list(&pending.auto_in_place_update);
        let message = format!("worker pools have not been updated in place yet: {pools}");
        findings
            .forbid(&PENDING, path().child("autoInPlaceUpdate"), message)
            .help("if it lasts, see why their nodes cannot be drained");
    }
}
