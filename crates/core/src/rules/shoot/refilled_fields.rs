// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, FieldPath, Findings, rule};
use crate::rules::shoot::seed::addresses::with_defaults;
use garden_gate_model::api::{Seed, Shoot};

rule! {
    page: include_str!("refilled_fields.md"),
    id: "shoot/refilled-fields",
    summary: "sets omitted networks of a scheduled Shoot to the defaults of its seed",
    phase: Mutating,
    level: Deny,
    entry_point: Plugin,
    scopes: [Shoot [Update] [Itself, Binding]],
    reads: [Seed],
    acts_on_unchanged: [],
    effect: "omitted fields are set before the comparison; no request is rejected",
    check: Fill(mutate),
}

fn mutate(context: &Context<'_>, shoot: &mut Shoot, old: Option<&Shoot>, findings: &mut Findings) {
    let (Some(old), Some(name)) = (old, shoot.seed_name()) else {
        return;
    };
    let (own, stored) = (shoot.networking(), old.networking());
    let is_left_out = own.pods.is_none() && stored.pods.is_some()
        || own.services.is_none() && stored.services.is_some();
    if !is_left_out {
        return;
    }
    let path = FieldPath::new("spec.networking");
    let seed = context.get::<Seed>(name);
    let what = format_args!("which networks Seed `{name}` gives to Shoots");
    let Some(Some(seed)) = findings.known(seed, &path, what) else {
        return;
    };
    let own = own.into_owned();
    let (pods, services) = with_defaults(&own, shoot.is_workerless(), &seed.spec.networks);
    let networking = shoot.spec.networking.get_or_insert_default();
    (networking.pods, networking.services) = (pods.cloned(), services.cloned());
}
