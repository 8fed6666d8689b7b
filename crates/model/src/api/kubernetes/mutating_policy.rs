//! MutatingAdmissionPolicies and their bindings, as in `k8s.io/api/admissionregistration/v1`.

use serde::Deserialize;

use crate::api::{
    AdmissionPolicy, AdmissionPolicyBindingSpec, AdmissionPolicySpec, MatchCondition,
    MatchResources, ObjectMeta, ParamKind, PolicyVariable, bounded, null_is_default,
};

/// A MutatingAdmissionPolicy, without its mutations.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct MutatingPolicy {
    /// Name.
    #[serde(default, deserialize_with = "null_is_default")]
    pub metadata: ObjectMeta,
    /// Requests and conditions.
    #[serde(default, deserialize_with = "null_is_default")]
    pub spec: MutatingPolicySpec,
}

/// Requests and conditions of a [`MutatingPolicy`].
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MutatingPolicySpec {
    /// The kind of the parameters; absent if there are none.
    pub param_kind: Option<ParamKind>,
    /// Resources, operations and selectors; required.
    pub match_constraints: Option<MatchResources>,
    /// Expressions that must all be true for the policy to apply.
    #[serde(default, deserialize_with = "bounded::list")]
    pub match_conditions: Vec<MatchCondition>,
    /// Named expressions that other expressions use.
    #[serde(default, deserialize_with = "bounded::list")]
    pub variables: Vec<PolicyVariable>,
    /// `Fail` or `Ignore`: the effect of errors; absent means `Fail`.
    pub failure_policy: Option<String>,
}

impl MutatingPolicy {
    /// Returns a policy that accepts all objects, with the same requests, conditions and variables.
    pub fn without_mutations(&self) -> AdmissionPolicy {
        let spec = self.spec.clone();
        AdmissionPolicy {
            metadata: self.metadata.clone(),
            spec: AdmissionPolicySpec {
                param_kind: spec.param_kind,
                match_constraints: spec.match_constraints,
                match_conditions: spec.match_conditions,
                variables: spec.variables,
                failure_policy: spec.failure_policy,
                ..AdmissionPolicySpec::default()
            },
        }
    }
}

/// A MutatingAdmissionPolicyBinding: without one, a policy has no effect.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct MutatingPolicyBinding {
    /// Name.
    #[serde(default, deserialize_with = "null_is_default")]
    pub metadata: ObjectMeta,
    /// The policy, its parameters and the requests; it has no actions.
    #[serde(default, deserialize_with = "null_is_default")]
    pub spec: AdmissionPolicyBindingSpec,
}
