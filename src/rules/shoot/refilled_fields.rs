use crate::engine::{Context, Findings, rule};
use crate::garden::Lookup;
use crate::model::{Seed, Shoot};
use crate::rules::shoot::seed::addresses::with_defaults;

rule! {
    /// ## What it does
    /// What a manifest of a scheduled Shoot leaves out, and Gardener fills in again, counts as filled in: the ranges of pods and services that the
    /// seed gives to Shoots that say nothing.
    ///
    /// ## Why
    /// Otherwise leaving out what was never written would be a change of what cannot be changed.
    ///
    /// ## Applies to
    /// Shoots, on UPDATE, `binding` included, in `garden-gate review`; what an API server sends to a webhook is filled in already.
    ///
    /// ## Example
    /// A manifest without `spec.networking.pods` of a Shoot whose pods have the range of the seed's `shootDefaults`.
    ///
    /// ## How to fix
    /// It refuses nothing.
    ///
    /// ## Gardener
    /// `defaultShootNetworks` in `plugin/pkg/shoot/mutator/admission.go`. No differences.
    id: "shoot/refilled-fields",
    summary: "networks that a manifest leaves out are filled in again",
    phase: Mutating,
    level: Deny,
    door: Review,
    scopes: [Shoot [Update] [Itself, Binding]],
    reads: [Seed],
    effect: "fields are filled in before they are compared; nothing is refused",
    check: Mutate(mutate),
}

fn mutate(context: &Context<'_>, shoot: &mut Shoot, old: Option<&Shoot>, _: &mut Findings) {
    let (Some(old), Some(name)) = (old, shoot.seed_name().map(str::to_owned)) else {
        return;
    };
    let Lookup::Found(seed) = context.get::<Seed>(&name) else {
        return;
    };
    refill_networks(shoot, old, &seed);
}

fn refill_networks(shoot: &mut Shoot, old: &Shoot, seed: &Seed) {
    let (own, stored) = (shoot.networking().into_owned(), old.networking());
    if own.pods.is_none() && stored.pods.is_some()
        || own.services.is_none() && stored.services.is_some()
    {
        let (pods, services) = with_defaults(&own, shoot.is_workerless(), &seed.spec.networks);
        let networking = shoot.spec.networking.get_or_insert_default();
        (networking.pods, networking.services) = (pods.cloned(), services.cloned());
    }
}
