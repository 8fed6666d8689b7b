// SPDX-License-Identifier: Apache-2.0
//! MutatingAdmissionPolicies of a garden.
//!
//! gardener-apiserver only runs them with the admission plugin MutatingAdmissionPolicy, which is disabled by default
//! (`plugin/pkg/plugins.go` of Gardener). [`decide()`] evaluates them if the configuration tells that it is enabled.
//!
//! Otherwise they are named. Constraints and conditions are evaluated like those of a ValidatingAdmissionPolicy. Whatever is unknown or
//! fails counts as a match.

mod compiled;
mod decide;
mod invocations;
pub mod json_patch;
mod merge;
mod merge_schema;
mod object;
mod pass;

pub(super) use compiled::CompiledMutations;
pub use decide::decide;
pub use merge::apply_configuration;
pub use merge_schema::{Identity, MergeSchema, Merging, ScalarType};

use std::collections::BTreeMap;
use std::sync::Arc;

use super::cache::PolicyCache;
use super::converted::{VALUES_OF_COST, weight};
use super::evaluation::{Inputs, meets_conditions};
use super::matching::{Matching, matches, matches_rules};
use super::objects::AdmittedObjects;
use super::params::{BoundParams, bound_params, searched_params};
use super::policy_document::LONGEST_MESSAGE;
use super::unjudged::{UnjudgedPolicy, unreadable_policies};
use crate::admission::{Operation, Request};
use crate::garden::Snapshot;
use garden_gate_cel::Value;
use garden_gate_model::api::{Kind, MutatingPolicy, MutatingPolicyBinding};
use garden_gate_text::go::clip;

/// The reason why a policy that matches is not evaluated.
pub(super) const NOT_APPLIED: &str = "gardener-apiserver applies it if its admission plugin `MutatingAdmissionPolicy` is enabled; \
    the object is judged without its changes";
const NO_BINDINGS: &str =
    "the garden has no MutatingAdmissionPolicyBinding, so that its effect is not known";

/// A MutatingAdmissionPolicy with its bindings.
pub(super) type BoundMutatingPolicy<'a> =
    (&'a Arc<MutatingPolicy>, Vec<&'a Arc<MutatingPolicyBinding>>);

/// Returns the bound policies of a garden whose rules match a request, and records those whose effect is not known.
pub(super) fn bound_mutating_policies<'a>(
    request: &Request<'_>,
    garden: &'a Snapshot,
    cache: &PolicyCache,
    unjudged: &mut Vec<UnjudgedPolicy>,
) -> Vec<BoundMutatingPolicy<'a>> {
    // A deleted object is not changed.
    if request.operation == Operation::Delete {
        return Vec::new();
    }
    let kinds = [Kind::MutatingAdmissionPolicy, Kind::MutatingAdmissionPolicyBinding];
    unjudged.extend(unreadable_policies(garden, kinds));
    let is_concerned = |it: &&Arc<MutatingPolicy>| {
        let constraints = it.spec.match_constraints.as_ref();
        constraints.is_none_or(|it| matches_rules(it, request)) || cache.changes_unknown(it)
    };
    let policies = garden.mutating_policies().filter(is_concerned);
    let Some(bindings) = garden.mutating_policy_bindings() else {
        unjudged
            .extend(policies.map(|it| UnjudgedPolicy::mutating(&it.metadata.name, NO_BINDINGS)));
        return Vec::new();
    };
    let mut bound: BTreeMap<&str, Vec<&Arc<MutatingPolicyBinding>>> = BTreeMap::new();
    for binding in bindings {
        bound.entry(&binding.spec.policy_name).or_default().push(binding);
    }
    let policies = policies.filter_map(|it| Some((it, bound.remove(it.metadata.name.as_str())?)));
    policies.collect()
}

/// A request, as policies see it.
pub(super) struct SeenRequest<'a> {
    pub(super) request: &'a Request<'a>,
    pub(super) garden: &'a Snapshot,
    pub(super) objects: &'a AdmittedObjects,
    pub(super) cache: &'a PolicyCache,
}

impl SeenRequest<'_> {
    /// Returns a policy as one that is not evaluated; `None` if it certainly does not apply.
    pub(super) fn unjudged(
        &self,
        (policy, bindings): &BoundMutatingPolicy<'_>,
        inputs: &mut Inputs<'_>,
    ) -> Option<UnjudgedPolicy> {
        let name = &policy.metadata.name;
        if self.cache.changes_unknown(policy)
            && let Err(why) = &*self.cache.mutations(policy)
        {
            return Some(UnjudgedPolicy::mutating(name, why.as_str()));
        }
        let mut doubt = None;
        for binding in bindings {
            if let Some(why) = &*self.cache.mutating_binding_error(binding) {
                return Some(UnjudgedPolicy::mutating(name, why.as_str()));
            }
            match self.applies(policy, binding, inputs) {
                Matching::No => {}
                Matching::Yes => return Some(UnjudgedPolicy::mutating(name, NOT_APPLIED)),
                Matching::Unknown(why) | Matching::Failed(why) => {
                    doubt.get_or_insert(why);
                }
            }
        }
        let doubt = doubt?;
        // An error may quote a value of the object.
        let is_secret = self.request.kind().is_some_and(Kind::holds_credentials);
        let why = if is_secret {
            format!("{NOT_APPLIED}. It is not known whether it matches")
        } else {
            format!("{NOT_APPLIED}. It is not known whether it matches: {doubt}")
        };
        Some(UnjudgedPolicy::mutating(name, clip(why, LONGEST_MESSAGE)))
    }

    /// Reports whether a policy with a binding changes the object.
    fn applies(
        &self,
        policy: &Arc<MutatingPolicy>,
        binding: &MutatingPolicyBinding,
        inputs: &mut Inputs<'_>,
    ) -> Matching {
        let limits = [&policy.spec.match_constraints, &binding.spec.match_resources];
        let mut doubt = None;
        for resources in limits.into_iter().flatten() {
            match matches(resources, self.request, (self.objects, self.garden)) {
                Matching::Yes => {}
                Matching::No => return Matching::No,
                other => {
                    doubt.get_or_insert(other);
                }
            }
        }
        doubt.unwrap_or_else(|| self.meets_conditions(policy, binding, inputs))
    }

    /// Reports whether the conditions of a policy are met with any of its parameters.
    fn meets_conditions(
        &self,
        policy: &Arc<MutatingPolicy>,
        binding: &MutatingPolicyBinding,
        inputs: &mut Inputs<'_>,
    ) -> Matching {
        let kind = policy.spec.param_kind.as_ref();
        let reference = binding.spec.param_ref.as_ref();
        inputs.account.spend(searched_params(kind, reference, self.garden));
        if let Some(limit) = inputs.account.exceeded() {
            return Matching::Unknown(limit.to_string());
        }
        let each = match bound_params(kind, reference, &self.request.namespace, self.garden) {
            BoundParams::Each(each) => each,
            BoundParams::Failed(why) => return Matching::Failed(why),
            BoundParams::Unknown(why) | BoundParams::Omitted(why) => return Matching::Unknown(why),
        };
        let compiled = self.cache.conditions(policy);
        let policy = match &*compiled {
            Ok(policy) if !each.is_empty() => policy,
            Ok(_) => return Matching::No,
            Err(why) => return Matching::Unknown(why.clone()),
        };
        let mut doubt = Matching::No;
        for params in each {
            inputs.params = params.as_deref().map_or(Value::Null, Value::from_json);
            inputs.account.spend(weight(&inputs.params) / VALUES_OF_COST);
            match meets_conditions(policy, inputs) {
                Matching::Yes => return Matching::Yes,
                Matching::No => {}
                other => doubt = other,
            }
        }
        doubt
    }
}
