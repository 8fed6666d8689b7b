//! The policies of a garden that are evaluated for no object.

use std::sync::Arc;

use super::cache::PolicyCache;
use super::compiled::CompiledPolicy;
use super::matching::{concerns, operations};
use super::mutating::{CompiledMutations, NOT_APPLIED};
use super::unjudged::UnjudgedPolicy;
use crate::admission::Operation;
use crate::garden::Snapshot;
use garden_gate_model::api::{AdmissionPolicy, Kind, MatchResources, MutatingPolicyBinding};

/// Returns the reason why a policy is evaluated for no object; `None` if it is.
pub fn why_unjudged(policy: &Arc<AdmissionPolicy>) -> Option<String> {
    CompiledPolicy::of(policy).err()
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
    validating.chain(mutating_policies(garden, applies_mutations)).collect()
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
        let why =
            if is_applied { CompiledMutations::of(policy).err()? } else { NOT_APPLIED.to_owned() };
        let constraints = policy.spec.match_constraints.as_ref();
        let kinds = Kind::judged().filter(|kind| !kind.is_outside_garden());
        let kinds = kinds.filter(|kind| constraints.is_none_or(|it| may_change(it, *kind)));
        let kinds: Vec<Kind> = kinds.collect();
        let unjudged = UnjudgedPolicy::mutating(&policy.metadata.name, why);
        (!kinds.is_empty()).then_some((unjudged, kinds))
    })
}

/// Reports whether a request that has a new object of a kind matches.
fn may_change(resources: &MatchResources, kind: Kind) -> bool {
    operations(resources, kind).any(|it| it != Operation::Delete)
}
