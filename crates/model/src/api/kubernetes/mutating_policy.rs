// SPDX-License-Identifier: Apache-2.0
//! MutatingAdmissionPolicies and their bindings, as in `k8s.io/api/admissionregistration/v1`.

use serde::{Deserialize, Serialize};

use crate::api::{
    AdmissionPolicy, AdmissionPolicyBindingSpec, AdmissionPolicySpec, MatchCondition,
    MatchResources, ObjectMeta, ParamKind, PolicyVariable, bounded, null_is_default,
};

/// A MutatingAdmissionPolicy.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct MutatingPolicy {
    /// Name.
    #[serde(default, deserialize_with = "null_is_default")]
    pub metadata: ObjectMeta,
    /// Requests, conditions and mutations.
    #[serde(default, deserialize_with = "null_is_default")]
    pub spec: MutatingPolicySpec,
    /// The first field of `spec` that is not known; its effect is unknown.
    #[serde(skip)]
    pub unknown_field: Option<String>,
}

/// Requests, conditions and mutations of a [`MutatingPolicy`].
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
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
    /// The changes, in order.
    #[serde(default, deserialize_with = "bounded::list")]
    pub mutations: Vec<Mutation>,
    /// `Never` or `IfNeeded`: whether it is applied again after other changes.
    #[serde(default, deserialize_with = "null_is_default")]
    pub reinvocation_policy: String,
}

/// A change of an object.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Mutation {
    /// `ApplyConfiguration` or `JSONPatch`, which tells the field that is set.
    #[serde(default, deserialize_with = "null_is_default")]
    pub patch_type: String,
    /// An object that is merged.
    pub apply_configuration: Option<MutationExpression>,
    /// The operations of a JSON patch.
    pub json_patch: Option<MutationExpression>,
}

/// The expression of a [`Mutation`].
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct MutationExpression {
    /// The text.
    #[serde(default, deserialize_with = "null_is_default")]
    pub expression: String,
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
            unknown_field: self.unknown_field.clone(),
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
    /// The first field of `spec` that is not known; its effect is unknown.
    #[serde(skip)]
    pub unknown_field: Option<String>,
}
