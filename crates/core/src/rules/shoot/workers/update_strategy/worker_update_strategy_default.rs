// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, Findings, rule};
use garden_gate_model::api::Shoot;
use garden_gate_model::gardener::defaults;

rule! {
    page: include_str!("worker_update_strategy_default.md"),
    id: "shoot/worker-update-strategy-default",
    summary: "sets the default update strategy of worker pools",
    phase: Mutating,
    level: Deny,
    scopes: [Shoot [Create, Update]],
    // These defaults are applied for every rule; `defaults::incomplete` lists the conditions.
    acts_on_unchanged: [],
    effect: "the strategy and its defaults are set; no request is rejected",
    check: Mutate(mutate),
}

fn mutate(_: &Context<'_>, shoot: &mut Shoot, _: Option<&Shoot>, _: &mut Findings) {
    let pools = &mut shoot.spec.provider.workers;
    pools.iter_mut().for_each(defaults::worker);
}
