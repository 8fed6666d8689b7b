// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, Findings, rule};
use crate::rules::shared::effective_profile::offer;
use garden_gate_model::api::{Shoot, Versions};
use garden_gate_model::gardener::version::architecture_of;
use garden_gate_model::some_pool;

rule! {
    page: include_str!("worker_architecture_default.md"),
    id: "shoot/worker-architecture-default",
    summary: "sets the default architecture of worker pools",
    phase: Mutating,
    level: Deny,
    scopes: [Shoot [Create, Update] [Itself, Binding]],
    reads: [CloudProfile, NamespacedCloudProfile],
    acts_on_unchanged: [some_pool!(
        "type(pool.?machine.orValue(null)) != map",
        "pool.machine.?architecture.orValue(null) == null",
    )],
    effect: "the architecture is set; no request is rejected",
    check: Fill(mutate),
}

/// The versions that derive the architecture from the machine type; before, it is `amd64`.
const BY_MACHINE_TYPE: Versions = Versions::since(149);

fn mutate(context: &Context<'_>, shoot: &mut Shoot, _: Option<&Shoot>, findings: &mut Findings) {
    let pools = &shoot.spec.provider.workers;
    if pools.iter().all(|pool| pool.machine.architecture.is_some()) {
        return;
    }
    if !context.runs(BY_MACHINE_TYPE) {
        for pool in &mut shoot.spec.provider.workers {
            let architecture = &mut pool.machine.architecture;
            architecture.get_or_insert_with(|| "amd64".to_owned());
        }
        return;
    }
    let Some(offer) = offer(context, shoot, findings) else {
        return;
    };
    let spec = offer.spec();
    for pool in &mut shoot.spec.provider.workers {
        let machine = &mut pool.machine;
        let architecture = || architecture_of(spec, &machine.machine_type).unwrap_or("amd64");
        machine.architecture.get_or_insert_with(|| architecture().to_owned());
    }
}
