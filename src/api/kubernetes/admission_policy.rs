use serde::Deserialize;

use crate::api::{ObjectMeta, WebhookRule, bounded, null_is_default};

/// A ValidatingAdmissionPolicy, reduced to the requests for which an API server evaluates it.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct AdmissionPolicy {
    /// Name.
    #[serde(default, deserialize_with = "null_is_default")]
    pub metadata: ObjectMeta,
    /// Requests.
    #[serde(default, deserialize_with = "null_is_default")]
    pub spec: AdmissionPolicySpec,
}

/// Requests of an [`AdmissionPolicy`].
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AdmissionPolicySpec {
    /// Resources and operations.
    #[serde(default, deserialize_with = "null_is_default")]
    pub match_constraints: MatchResources,
}

/// A ValidatingAdmissionPolicyBinding: without one, a policy has no effect.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct AdmissionPolicyBinding {
    /// Name.
    #[serde(default, deserialize_with = "null_is_default")]
    pub metadata: ObjectMeta,
    /// The policy and the requests.
    #[serde(default, deserialize_with = "null_is_default")]
    pub spec: AdmissionPolicyBindingSpec,
}

/// The policy of an [`AdmissionPolicyBinding`], and the requests that it applies to.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AdmissionPolicyBindingSpec {
    /// The name of the policy.
    #[serde(default, deserialize_with = "null_is_default")]
    pub policy_name: String,
    /// Further limits on resources; absent means the policy applies to all that it matches.
    pub match_resources: Option<MatchResources>,
}

/// Resources and operations.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MatchResources {
    /// Matching resources; an empty list matches all.
    #[serde(default, deserialize_with = "bounded::list")]
    pub resource_rules: Vec<WebhookRule>,
    /// Exceptions from the matching resources.
    #[serde(default, deserialize_with = "bounded::list")]
    pub exclude_resource_rules: Vec<WebhookRule>,
}
