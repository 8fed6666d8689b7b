// SPDX-License-Identifier: Apache-2.0
use crate::admission::{AffectedMachines, Context, FieldPath, Findings, Update, rule};
use crate::rules::shoot::workers::pool_pairs::{path, when};
use garden_gate_model::api::{Shoot, Worker};
use garden_gate_model::gardener::rolling_update::{reaches_machines, removals};

rule! {
    page: include_str!("worker_pools_removed.md"),
    id: "shoot/worker-pools-removed",
    summary: "warns about removed and apparently renamed worker pools",
    phase: Static,
    level: { documented: Warn, gardener: Off },
    scopes: [Shoot [Update]],
    findings: {
        REMOVED = "shoot/worker-pools-removed": "the change removes a pool with its machines",
        RENAMED = "shoot/worker-pools-renamed": "the change removes a pool with its machines and adds one of the same shape",
    },
    check: Judge(check),
}

fn check(_: &Context<'_>, shoot: Update<'_, Shoot>, findings: &mut Findings) {
    let Update { new, old } = shoot;
    if !reaches_machines(new, old) {
        return;
    }
    let removals = removals(old, new).into_iter();
    for removal in removals.filter(|removal| removal.pool.maximum != 0) {
        let removes = format!("{}this change {}", when(new), removes(removal.pool));
        let found = match removal.successor {
            None => findings
                .forbid(&REMOVED, FieldPath::new("spec.provider.workers"), removes)
                .help("what pods keep on local volumes is lost; drain the nodes first, at a pace that suits the pods"),
            Some((index, successor)) => findings
                .forbid(
                    &RENAMED,
                    path(index).child("name"),
                    format!(
                        "{removes} and adds `{}`; looks like a rename",
                        successor.name
                    ),
                )
                .value(successor.name.as_str())
                .help("a pool cannot be renamed: add the new one first, drain the nodes of the old one, then remove it; what pods keep on local volumes is lost"),
        };
        let maximum = u64::try_from(removal.pool.maximum).unwrap_or_default();
        found.machines(AffectedMachines { are_removed: true, pools: 1, at_most: maximum });
    }
}

fn removes(pool: &Worker) -> String {
    let machines = match pool.maximum {
        1 => "1 machine".to_owned(),
        maximum => format!("{maximum} machines"),
    };
    format!("removes pool `{}` (up to {machines}, drained and deleted)", pool.name)
}
