// SPDX-License-Identifier: Apache-2.0
//! The rule about the operation annotations of Shoots.

mod combinations;
mod context;
mod findings;
mod names;
mod normalise;
mod pools;

pub(crate) use names::{
    ETCD_COMPLETE, ETCD_START, FORCE, MAINTENANCE, NOW, ROLLOUT_WORKERS, needs_awake,
    waits_for_updates_in_place,
};
pub use normalise::cleaned_up;
pub(crate) use normalise::{FORCE_DELETION, Operations, asks_only_for, split};

use crate::admission::{Context, Findings, Write, rule};
use findings::{
    CONFLICT, CONTEXT, ENCRYPTION_ROLLOUT, ETCD_SPLIT, HIBERNATED, IN_BOTH, INCOMPATIBLE,
    NOT_PARALLEL, POOLS, SELF_HOSTED_ROLLOUT, UNSUPPORTED, annotation, forbid,
};
use garden_gate_model::api::Shoot;
use normalise::operations;

rule! {
    page: include_str!("page.md"),
    id: "shoot/operation",
    summary: "rejects unsupported or conflicting operations, and those not possible now",
    phase: Static,
    level: Deny,
    scopes: [Shoot [Create, Update] [Itself, Binding]],
    findings: {
        UNSUPPORTED,
        NOT_PARALLEL,
        SELF_HOSTED_ROLLOUT,
        IN_BOTH,
        ETCD_SPLIT,
        INCOMPATIBLE,
        HIBERNATED,
        ENCRYPTION_ROLLOUT,
        CONFLICT,
        CONTEXT,
        POOLS,
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, shoot: Write<'_, Shoot>, findings: &mut Findings) {
    let new = shoot.new;
    let Operations { now, maintenance } = match fitting(context, shoot) {
        Ok(operations) => operations,
        // `shoot/in-place-operations` reports that one.
        Err(misfit) if misfit.operation == FORCE => return,
        Err(misfit) => return misfit.report(findings),
    };
    combinations::check(new, &now, &maintenance, findings);
    context::check(NOW, &now, new, findings);
    if new.metadata.deletion_timestamp.is_none() {
        context::check(MAINTENANCE, &maintenance, new, findings);
    }
}

/// Returns the operations to be started at once, as validation sees them.
pub(super) fn requested(context: &Context<'_>, shoot: Write<'_, Shoot>) -> Vec<String> {
    operations(context, shoot).now
}

/// An operation that is invalid in its annotation in every state of the Shoot.
///
/// No further checks follow.
pub(super) struct MisplacedOperation {
    pub(super) key: &'static str,
    pub(super) operation: String,
    reason: Reason,
}

enum Reason {
    Unknown,
    NotCombinable,
    UnmanagedMachines,
}

impl MisplacedOperation {
    pub(super) fn report(&self, findings: &mut Findings) {
        let Self { key, operation, .. } = self;
        match self.reason {
            Reason::Unknown => {
                let message = format!("`{operation}` is not an operation");
                let known = names::all().join(", ");
                findings
                    .unsupported(&UNSUPPORTED, annotation(key), message)
                    .value(operation.as_str())
                    .help(format!(
                        "use one of {known}; separate several by `;`, and write pools as `rollout-workers=pool-a,pool-b`"
                    ));
            }
            Reason::NotCombinable => {
                let message = format!("operation `{operation}` cannot be combined with others");
                forbid(&NOT_PARALLEL, key, operation, message, findings)
                    .help("let it stand alone, and ask for the others when it is done");
            }
            Reason::UnmanagedMachines => {
                let message = format!(
                    "operation `{operation}` is not possible for a self-hosted Shoot whose machines Gardener does not manage"
                );
                forbid(&SELF_HOSTED_ROLLOUT, key, operation, message, findings);
            }
        }
    }
}

/// Returns the operations of both annotations as validation sees them, or the first invalid one.
pub(super) fn fitting(
    context: &Context<'_>,
    shoot: Write<'_, Shoot>,
) -> Result<Operations, MisplacedOperation> {
    let new = shoot.new;
    if new.annotation(NOW).is_none() && new.annotation(MAINTENANCE).is_none() {
        return Ok(Operations::default());
    }
    let operations = operations(context, shoot);
    let is_unmanaged = new.is_on_unmanaged_machines() && context.runs(SELF_HOSTED_ROLLOUT.versions);
    for (key, list) in [(NOW, &operations.now), (MAINTENANCE, &operations.maintenance)] {
        for operation in list {
            let reason = if !names::is_known(operation) {
                Reason::Unknown
            } else if list.len() > 1 && !names::is_combinable(operation) {
                Reason::NotCombinable
            } else if names::is_rollout(operation) && is_unmanaged {
                Reason::UnmanagedMachines
            } else {
                continue;
            };
            return Err(MisplacedOperation { key, operation: operation.clone(), reason });
        }
    }
    Ok(operations)
}
