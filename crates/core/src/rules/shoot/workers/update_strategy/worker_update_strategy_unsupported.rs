// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, Findings, Help, Write, rule};
use crate::rules::shared::lists::one_of;
use crate::rules::shoot::workers::pool_pairs::pairs;
use garden_gate_model::api::{Shoot, UpdateStrategy};

rule! {
    page: include_str!("worker_update_strategy_unsupported.md"),
    id: "shoot/worker-update-strategy-unsupported",
    summary: "rejects an unsupported update strategy of a worker pool",
    phase: Static,
    level: Deny,
    scopes: [Shoot [Create, Update] [Itself, Binding]],
    findings: {
        UNSUPPORTED = "shoot/worker-update-strategy-unsupported": "the update strategy is not supported",
    },
    fixes: Safe,
    check: Judge(check),
}

fn check(_: &Context<'_>, shoot: Write<'_, Shoot>, findings: &mut Findings) {
    let new = shoot.new;
    for pool in pairs(new, shoot.old) {
        let Some(strategy) = pool.new.update_strategy.as_deref() else {
            continue;
        };
        if UpdateStrategy::NAMES.contains(&strategy) {
            continue;
        }
        let [first, second, third] = UpdateStrategy::NAMES;
        let message = format!(
            "`{strategy}` is not an update strategy; there are `{first}`, `{second}` and `{third}`"
        );
        let path = pool.path().child("updateStrategy");
        let stored = pool.old.and_then(|old| old.update_strategy.as_deref());
        let help = stored.map_or_else(
            || one_of(strategy, &UpdateStrategy::NAMES),
            |stored| Help::set(format!("put `{stored}` back"), stored),
        );
        findings.unsupported(&UNSUPPORTED, path, message).value(strategy).help(help);
    }
}
