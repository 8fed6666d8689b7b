// SPDX-License-Identifier: Apache-2.0
//! The policies of a garden that are evaluated for no object.

use std::sync::Arc;

use super::cache::PolicyCache;
use super::compiled::CompiledPolicy;
use super::matching::{concerns, operations};
use super::mutating::{CompiledMutations, NOT_APPLIED};
use super::unjudged::{UnjudgedPolicy, unreadable_policies};
use super::validation::{self, is_about_requests};
use crate::admission::Operation;
use crate::garden::{GardenObject, Snapshot};
use garden_gate_model::api::{AdmissionPolicy, Kind, MatchResources, MutatingPolicyBinding};

/// Returns the reason why a policy is evaluated for no object, or its binding never applied; `None` if it is, and for other objects.
pub fn why_unjudged(object: &GardenObject) -> Option<String> {
    match object {
        GardenObject::ValidatingAdmissionPolicy(it) => CompiledPolicy::of(it).err(),
        GardenObject::MutatingAdmissionPolicy(it) => CompiledMutations::of(it).err(),
        GardenObject::ValidatingAdmissionPolicyBinding(it) => validation::of_binding(it),
        GardenObject::MutatingAdmissionPolicyBinding(it) => validation::of_mutating_binding(it),
        GardenObject::Unreadable(_, why) => Some(why.clone()),
        _ => None,
    }
}

/// Returns the bound policies of a garden that are evaluated for no object, each with the kinds that it applies to.
///
/// MutatingAdmissionPolicies are evaluated if `applies_mutations` is true.
pub fn unjudged_policies(
    garden: &Snapshot,
    applies_mutations: bool,
) -> Vec<(UnjudgedPolicy, Vec<Kind>)> {
    let cache = PolicyCache::default();
    let bindings = garden.admission_policy_bindings();
    let is_bound = |it: &&Arc<AdmissionPolicy>| {
        let bindings = bindings.as_ref();
        bindings.is_none_or(|all| {
            let mut all = all.iter();
            all.any(|binding| binding.spec.policy_name == it.metadata.name)
        })
    };
    let validating = garden.admission_policies().filter(is_bound).filter_map(|policy| {
        let why = cache.get(policy).as_ref().as_ref().err()?.clone();
        let constraints = policy.spec.match_constraints.as_ref();
        let kinds = Kind::judged().filter(|kind| !kind.is_outside_garden());
        let is_unknown = cache.matches_unknown(policy);
        let kinds =
            kinds.filter(|kind| is_unknown || constraints.is_none_or(|it| concerns(it, *kind)));
        let kinds: Vec<Kind> = kinds.collect();
        let unjudged = UnjudgedPolicy::new(&policy.metadata.name, why);
        (!kinds.is_empty()).then_some((unjudged, kinds))
    });
    let unreadable = [
        [Kind::ValidatingAdmissionPolicy, Kind::ValidatingAdmissionPolicyBinding],
        [Kind::MutatingAdmissionPolicy, Kind::MutatingAdmissionPolicyBinding],
    ];
    let unreadable = unreadable.into_iter().flat_map(|kinds| unreadable_policies(garden, kinds));
    let unreadable = unreadable.map(|it| {
        let kinds = Kind::judged().filter(|kind| !kind.is_outside_garden());
        (it, kinds.collect())
    });
    validating.chain(mutating_policies(garden, applies_mutations)).chain(unreadable).collect()
}

/// Returns sentences on policies that are missing, so that bindings or a setting have no effect.
///
/// Policies of a garden without any binding are named as not evaluated, for each object that they match.
pub fn missing_policies(garden: &Snapshot, applies_mutations: bool) -> Vec<String> {
    let has_one = |kind: Kind, is_readable: bool| {
        is_readable || garden.unreadable_policies(kind).next().is_some()
    };
    let mut missing = Vec::new();
    let (policy, binding) =
        (Kind::ValidatingAdmissionPolicy, Kind::ValidatingAdmissionPolicyBinding);
    let is_bound =
        has_one(binding, garden.admission_policy_bindings().is_some_and(|it| !it.is_empty()));
    if is_bound && !has_one(policy, garden.admission_policies().next().is_some()) {
        missing.push(without_policies(binding, policy));
    }
    let (policy, binding) = (Kind::MutatingAdmissionPolicy, Kind::MutatingAdmissionPolicyBinding);
    let bindings = garden.mutating_policy_bindings();
    let is_bound = has_one(binding, bindings.as_ref().is_some_and(|it| !it.is_empty()));
    match (has_one(policy, garden.mutating_policies().next().is_some()), is_bound) {
        (false, true) => missing.push(without_policies(binding, policy)),
        (false, false) if applies_mutations => missing.push(format!(
            "`mutatingAdmissionPolicies` is set, but no {policy} and no {binding} of the garden is known, so that none is applied; {ADD}, or remove the setting"
        )),
        // A garden that is not known to have no binding names the policies.
        (true, false) if applies_mutations && bindings.is_some() => missing.push(format!(
            "`mutatingAdmissionPolicies` is set, but the garden has no {binding}, without which no {policy} is applied; {ADD}, or remove the setting"
        )),
        _ => {}
    }
    missing
}

const ADD: &str = "add them to the garden";

fn without_policies(binding: Kind, policy: Kind) -> String {
    format!(
        "{} are known, but no {policy}, so that they have no effect; add the policies to the garden",
        binding.name_of_several()
    )
}

/// Returns the bound MutatingAdmissionPolicies of a garden that are not evaluated, each with the kinds whose objects it may change.
///
/// If they are applied, these are the ones that cannot be evaluated.
pub fn mutating_policies(
    garden: &Snapshot,
    is_applied: bool,
) -> impl Iterator<Item = (UnjudgedPolicy, Vec<Kind>)> {
    let bindings = garden.mutating_policy_bindings();
    let is_bound = move |name: &str| {
        let is_of = |it: &&Arc<MutatingPolicyBinding>| it.spec.policy_name == name;
        bindings.as_ref().is_none_or(|all| all.iter().any(is_of))
    };
    let bound = garden.mutating_policies().filter(move |it| is_bound(&it.metadata.name));
    bound.filter_map(move |policy| {
        let invalid = CompiledMutations::of(policy).err();
        let is_unknown = invalid.as_deref().is_some_and(is_about_requests);
        let why = match invalid {
            Some(why) if is_applied || is_unknown => why,
            None if is_applied => return None,
            _ => NOT_APPLIED.to_owned(),
        };
        let constraints = policy.spec.match_constraints.as_ref();
        let kinds = Kind::judged().filter(|kind| !kind.is_outside_garden());
        let kinds =
            kinds.filter(|kind| is_unknown || constraints.is_none_or(|it| may_change(it, *kind)));
        let kinds: Vec<Kind> = kinds.collect();
        let unjudged = UnjudgedPolicy::mutating(&policy.metadata.name, why);
        (!kinds.is_empty()).then_some((unjudged, kinds))
    })
}

/// Reports whether a request that has a new object of a kind matches.
fn may_change(resources: &MatchResources, kind: Kind) -> bool {
    operations(resources, kind).any(|it| it != Operation::Delete)
}
