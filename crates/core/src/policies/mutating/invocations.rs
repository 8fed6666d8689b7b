// SPDX-License-Identifier: Apache-2.0
//! The policies with bindings and parameters that match a request.
//!
//! Mirrors Dispatch in `pkg/admission/plugin/policy/generic/policy_dispatcher.go` of `k8s.io/apiserver`.

use std::sync::Arc;

use serde_json::Value as Json;

use super::compiled::CompiledMutations;
use super::{BoundMutatingPolicy, SeenRequest};
use crate::policies::evaluation::Inputs;
use crate::policies::matching::{Matching, matches};
use crate::policies::params::{BoundParams, bound_params, searched_params};
use garden_gate_model::api::{MutatingPolicy, MutatingPolicyBinding};

/// A policy that is applied with a binding and a parameter, if its conditions are met.
pub(super) struct Invocation {
    pub(super) key: InvocationKey,
    pub(super) compiled: Arc<Result<CompiledMutations, String>>,
    pub(super) params: Option<Arc<Json>>,
}

/// The names of a policy, a binding and a parameter with its namespace.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(super) struct InvocationKey {
    pub(super) policy: String,
    pub(super) binding: String,
    params: [String; 2],
}

/// The policies that match, and what is wrong with others.
#[derive(Default)]
pub(super) struct Invocations {
    pub(super) all: Vec<Invocation>,
    /// Errors of policies and bindings, which their failure policy treats.
    pub(super) errors: Vec<PolicyFailure>,
    /// Policies that cannot be evaluated, or of which it is not known whether they match, with the reasons.
    pub(super) unknown: Vec<(String, String)>,
}

/// An error of a policy.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct PolicyFailure {
    pub(super) policy: String,
    /// `None` for an error of the policy itself.
    pub(super) binding: Option<String>,
    pub(super) message: String,
}

impl PolicyFailure {
    /// Returns the message of an API server.
    pub(super) fn message(&self) -> String {
        let Self { policy, binding, message } = self;
        match binding {
            Some(binding) => {
                format!("policy '{policy}' with binding '{binding}' denied request: {message}")
            }
            None => format!("policy {policy:?} denied request: {message}"),
        }
    }
}

impl SeenRequest<'_> {
    /// Returns the policies that match, in the order of their names.
    pub(super) fn invocations(
        &self,
        bound: &[BoundMutatingPolicy<'_>],
        inputs: &Inputs<'_>,
    ) -> Invocations {
        let mut found = Invocations::default();
        for (policy, bindings) in bound {
            self.add_policy(policy, bindings, inputs, &mut found);
        }
        found
    }

    fn add_policy(
        &self,
        policy: &Arc<MutatingPolicy>,
        bindings: &[&Arc<MutatingPolicyBinding>],
        inputs: &Inputs<'_>,
        found: &mut Invocations,
    ) {
        let name = &policy.metadata.name;
        let constraints = policy.spec.match_constraints.as_ref();
        let seen = (self.objects, self.garden);
        match constraints.map_or(Matching::Yes, |it| matches(it, self.request, seen)) {
            _ if self.cache.changes_unknown(policy) => {}
            Matching::Yes => {}
            Matching::No => return,
            Matching::Unknown(why) => return found.unknown.push((name.clone(), why)),
            Matching::Failed(why) => return found.fail(policy, None, &why),
        }
        let compiled = self.cache.mutations(policy);
        if let Err(why) = &*compiled {
            return found.unknown.push((name.clone(), why.clone()));
        }
        for binding in bindings {
            self.add_binding(policy, binding, (inputs, &compiled), found);
        }
    }

    fn add_binding(
        &self,
        policy: &Arc<MutatingPolicy>,
        binding: &Arc<MutatingPolicyBinding>,
        (inputs, compiled): (&Inputs<'_>, &Arc<Result<CompiledMutations, String>>),
        found: &mut Invocations,
    ) {
        let name = &policy.metadata.name;
        if let Some(why) = &*self.cache.mutating_binding_error(binding) {
            return found.unknown.push((name.clone(), why.clone()));
        }
        let limits = binding.spec.match_resources.as_ref();
        let seen = (self.objects, self.garden);
        match limits.map_or(Matching::Yes, |it| matches(it, self.request, seen)) {
            Matching::Yes => {}
            Matching::No => return,
            Matching::Unknown(why) => return found.unknown.push((name.clone(), why)),
            Matching::Failed(why) => return found.fail(policy, Some(binding), &why),
        }
        let kind = policy.spec.param_kind.as_ref();
        let reference = binding.spec.param_ref.as_ref();
        inputs.account.spend(searched_params(kind, reference, self.garden));
        if let Some(limit) = inputs.account.exceeded() {
            return found.unknown.push((name.clone(), limit.to_string()));
        }
        match bound_params(kind, reference, &self.request.namespace, self.garden) {
            BoundParams::Each(each) => {
                let invocations = each.into_iter().map(|params| Invocation {
                    key: InvocationKey {
                        policy: name.clone(),
                        binding: binding.metadata.name.clone(),
                        params: ["namespace", "name"].map(|it| of_metadata(params.as_deref(), it)),
                    },
                    compiled: Arc::clone(compiled),
                    params,
                });
                found.all.extend(invocations);
            }
            BoundParams::Failed(why) => found.fail(policy, Some(binding), &why),
            BoundParams::Unknown(why) | BoundParams::Omitted(why) => {
                found.unknown.push((name.clone(), why));
            }
        }
    }
}

impl Invocations {
    /// Adds an error of the configuration.
    fn fail(
        &mut self,
        policy: &MutatingPolicy,
        binding: Option<&MutatingPolicyBinding>,
        why: &str,
    ) {
        if policy.spec.failure_policy.as_deref() == Some("Ignore") {
            return;
        }
        let what = if binding.is_some() { "binding" } else { "policy" };
        self.errors.push(PolicyFailure {
            policy: policy.metadata.name.clone(),
            binding: binding.map(|it| it.metadata.name.clone()),
            message: format!("failed to configure {what}: {why}"),
        });
    }
}

/// Returns a string of the metadata of a parameter.
fn of_metadata(params: Option<&Json>, field: &str) -> String {
    let text = params.and_then(|it| it.get("metadata")?.get(field)?.as_str());
    text.unwrap_or_default().to_owned()
}
