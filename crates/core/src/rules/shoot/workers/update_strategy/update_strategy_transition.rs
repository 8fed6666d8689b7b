// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, FindingKind, Findings, Write, rule};
use crate::rules::shoot::change::compared;
use crate::rules::shoot::workers::pool_pairs::{Pool, pairs};
use garden_gate_model::api::Shoot;

rule! {
    page: include_str!("update_strategy_transition.md"),
    id: "shoot/update-strategy-transition",
    summary: "rejects a switch between rolling and in-place updates of a worker pool",
    phase: Static,
    level: Deny,
    scopes: [Shoot [Update] [Itself, Binding]],
    findings: {
        TO_ROLLING = "shoot/update-strategy-in-place-to-rolling": "a pool is switched from in-place to rolling updates",
        TO_IN_PLACE = "shoot/update-strategy-rolling-to-in-place": "a pool is switched from rolling to in-place updates",
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, shoot: Write<'_, Shoot>, findings: &mut Findings) {
    let Some((new, old)) = compared(context, shoot) else {
        return;
    };
    for pool in pairs(new, Some(old)) {
        let Some(before) = pool.old else { continue };
        let strategy = before.update_strategy.as_deref().unwrap_or_default();
        match (before.is_in_place(), pool.new.is_in_place()) {
            (true, false) => report(&TO_ROLLING, &pool, strategy, findings),
            (false, true) => report(&TO_IN_PLACE, &pool, strategy, findings),
            _ => {}
        }
    }
}

fn report(kind: &'static FindingKind, pool: &Pool<'_>, before: &str, findings: &mut Findings) {
    let name = &pool.new.name;
    let strategy = pool.new.update_strategy.as_deref().unwrap_or_default();
    let message = format!(
        "pool `{name}` would change from `{before}` to `{strategy}`; there is no way between rolling updates and updates in place"
    );
    findings.invalid(kind, pool.path().child("updateStrategy"), message).value(strategy).help(
        format!("keep `{before}`, or add a new pool with the other strategy and remove this one"),
    );
}
