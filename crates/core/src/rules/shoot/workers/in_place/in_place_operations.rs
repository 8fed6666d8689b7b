// SPDX-License-Identifier: Apache-2.0
use std::collections::HashSet;

use crate::admission::{Context, FieldPath, Findings, Write, rule};
use crate::rules::shared::lists::list as list_of;
use crate::rules::shoot::operation::{
    FORCE, MAINTENANCE, NOW, Operations, ROLLOUT_WORKERS, fitting, waits_for_updates_in_place,
};
use crate::rules::shoot::workers::pool_pairs::pairs;
use garden_gate_model::api::Shoot;

rule! {
    page: include_str!("in_place_operations.md"),
    id: "shoot/in-place-operations",
    summary: "rejects operation annotations that in-place pools do not support",
    phase: Static,
    level: Deny,
    scopes: [Shoot [Create, Update] [Itself, Binding]],
    findings: {
        NOT_ALONE = "shoot/force-in-place-update-not-alone": "`force-in-place-update` is combined with another operation, or in both annotations",
        ROTATION = "shoot/in-place-pending-blocks-rotation": "a rotation starts during an in-place update of nodes",
        ROLLOUT = "shoot/rollout-workers-in-place": "a rollout is requested for an in-place pool",
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, shoot: Write<'_, Shoot>, findings: &mut Findings) {
    let new = shoot.new;
    let Operations { now, maintenance } = match fitting(context, shoot) {
        Ok(operations) => operations,
        Err(misfit) if misfit.operation == FORCE => {
            return findings
                .under(&NOT_ALONE, &path(misfit.key), |findings| misfit.report(findings));
        }
        Err(_) => return,
    };
    let forced = |operations: &[String]| operations.iter().any(|operation| operation == FORCE);
    if forced(&now) && forced(&maintenance) {
        let message = format!("operation `{FORCE}` stands in both `{NOW}` and `{MAINTENANCE}`");
        let path = FieldPath::new("metadata.annotations");
        findings
            .forbid(&NOT_ALONE, path, message)
            .value(FORCE)
            .help(format!("remove it from `{MAINTENANCE}`"));
    }
    check_operations(NOW, &now, new, findings);
    if new.metadata.deletion_timestamp.is_none() {
        check_operations(MAINTENANCE, &maintenance, new, findings);
    }
}

fn path(key: &str) -> FieldPath {
    FieldPath::new("metadata.annotations").key(key)
}

fn check_operations(key: &str, operations: &[String], shoot: &Shoot, findings: &mut Findings) {
    let mut rolled_out: Vec<&str> = Vec::new();
    for operation in operations {
        if waits_for_updates_in_place(operation) {
            for (list, pools) in pending(shoot) {
                report_blocked(key, operation, list, pools, findings);
            }
        } else if operation.starts_with(ROLLOUT_WORKERS) {
            let pools = operation.strip_prefix("rollout-workers=");
            rolled_out.push(pools.unwrap_or(operation));
        }
    }
    if rolled_out.is_empty() {
        return;
    }
    let all = rolled_out.contains(&"*");
    let named: HashSet<&str> = rolled_out.iter().flat_map(|it| it.split(',')).collect();
    for pool in pairs(shoot, None) {
        let name = pool.new.name.as_str();
        if pool.new.is_in_place() && (all || named.contains(name)) {
            report_rollout(key, name, findings);
        }
    }
}

/// Returns the pools that are being updated in place, with the name of the list that contains them.
fn pending(shoot: &Shoot) -> impl Iterator<Item = (&'static str, &[String])> {
    let updates = shoot.status.in_place_updates.as_ref();
    let pending = updates.and_then(|updates| updates.pending_worker_updates.as_ref());
    let lists = pending.into_iter().flat_map(|pending| {
        [
            ("autoInPlaceUpdate", pending.auto_in_place_update.as_slice()),
            ("manualInPlaceUpdate", pending.manual_in_place_update.as_slice()),
        ]
    });
    lists.filter(|(_, pools)| !pools.is_empty())
}

fn report_blocked(
    key: &str,
    operation: &str,
    list: &str,
    pools: &[String],
    findings: &mut Findings,
) {
    let pools = list_of(pools);
    let message = format!(
        "`{operation}` cannot start while pools are being updated in place: {pools} in status.inPlaceUpdates.pendingWorkerUpdates.{list}"
    );
    findings
        .forbid(&ROTATION, path(key), message)
        .value(operation)
        .help("wait until the list is empty");
}

fn report_rollout(key: &str, pool: &str, findings: &mut Findings) {
    let message = format!(
        "`{ROLLOUT_WORKERS}` names pool `{pool}`, which is updated in place: its machines are not replaced"
    );
    findings.invalid(&ROLLOUT, path(key), message).value(pool).help("name only pools that roll");
}
