// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, Findings, Write, rule};
use crate::rules::shoot::change::compared;
use crate::rules::shoot::workers::in_place::in_place_immutable::changes;
use crate::rules::shoot::workers::pool_pairs::pairs;
use garden_gate_model::api::Shoot;

rule! {
    page: include_str!("in_place_immutable_while_switching.md"),
    id: "shoot/in-place-immutable-while-switching",
    summary: "rejects changes of machine fields while a pool switches its in-place strategy",
    phase: Static,
    level: { documented: Deny, gardener: Off },
    scopes: [Shoot [Update] [Itself, Binding]],
    findings: {
        CHANGED = "shoot/in-place-immutable-while-switching": "a pool switches its in-place strategy and changes an immutable field",
    },
    fixes: Suggestion,
    check: Judge(check),
}

fn check(context: &Context<'_>, shoot: Write<'_, Shoot>, findings: &mut Findings) {
    let Some((new, old)) = compared(context, shoot) else {
        return;
    };
    for pool in pairs(new, Some(old)) {
        let Some(before) = pool.old else { continue };
        let in_place = before.is_in_place() && pool.new.is_in_place();
        if !in_place || before.update_strategy == pool.new.update_strategy {
            continue;
        }
        for changed in changes(&pool, before) {
            changed.report(&CHANGED, &pool, findings);
        }
    }
}
