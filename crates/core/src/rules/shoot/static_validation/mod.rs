// SPDX-License-Identifier: Apache-2.0
//! Static validation of a Shoot's fields.
//!
//! An API server refuses these violations before it calls a webhook, so only `review` checks them.

mod admission_plugins;
mod api_server_form;
mod dns_form;
mod earlier_fields;
mod extensions_form;
mod feature_gates;
mod identity;
mod kubelet_form;
mod kubernetes_form;
mod maintenance_form;
mod metadata_malformed;
mod networking_form;
mod pools_as_a_whole;
mod pools_form;
mod project_membership;
mod removed_fields;
mod runtime_config;
mod self_hosted_form;
mod status_form;

use crate::admission::{Context, Rule};
use crate::rules::shared::validation::{Facts, Part};
use garden_gate_model::api::Shoot;

pub(crate) const RULES: &[&Rule] = &[
    &removed_fields::RULE,
    &metadata_malformed::RULE,
    &identity::RULE,
    &project_membership::RULE,
    &networking_form::RULE,
    &dns_form::RULE,
    &pools_form::RULE,
    &pools_as_a_whole::RULE,
    &self_hosted_form::RULE,
    &kubelet_form::RULE,
    &kubernetes_form::RULE,
    &api_server_form::RULE,
    &earlier_fields::RULE,
    &maintenance_form::RULE,
    &extensions_form::RULE,
    &feature_gates::RULE,
    &admission_plugins::RULE,
    &runtime_config::RULE,
    &status_form::RULE,
];

pub(crate) use self::feature_gates::{gated, gates};

/// Returns the new Shoot as it was received, with the facts that the checks of its fields depend on.
fn received<'c, 's>(context: &'c Context<'_>, new: &'s Shoot) -> (Part<'c>, Facts<'s>) {
    (Part::whole(context.new_opened()), Facts::of(new, context))
}

/// Returns the worker pools as they were received.
fn pools<'a>(shoot: &Part<'a>) -> Vec<Part<'a>> {
    shoot.items_at(&["spec", "provider", "workers"])
}

/// Returns the kubelet settings of pools with a section `kubernetes`, with their versions.
///
/// The settings are the pool's own, or the Shoot's as if they were in the pool.
fn kubelets<'a>(new: &'a Shoot, shoot: &Part<'a>) -> Vec<(Part<'a>, &'a str)> {
    let common = shoot.at(&["spec", "kubernetes", "kubelet"]);
    let pools = pools(shoot).into_iter().zip(&new.spec.provider.workers);
    let kubelets = pools.filter_map(|(pool, typed)| {
        let own = pool.at(&["kubernetes"])?;
        let inherited = || Some(common.clone()?.moved_to(own.path().child("kubelet")));
        let kubelet = own.at(&["kubelet"]).or_else(inherited)?;
        Some((kubelet, new.version_of(typed)))
    });
    kubelets.collect()
}
