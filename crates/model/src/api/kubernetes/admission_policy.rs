// SPDX-License-Identifier: Apache-2.0
//! ValidatingAdmissionPolicies and their bindings, as in `k8s.io/api/admissionregistration/v1`.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::api::{LabelSelector, ObjectMeta, WebhookRule, bounded, null_is_default};

/// A ValidatingAdmissionPolicy.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct AdmissionPolicy {
    /// Name.
    #[serde(default, deserialize_with = "null_is_default")]
    pub metadata: ObjectMeta,
    /// Requests and expressions.
    #[serde(default, deserialize_with = "null_is_default")]
    pub spec: AdmissionPolicySpec,
    /// The first field of `spec` that is not known; its effect is unknown.
    #[serde(skip)]
    pub unknown_field: Option<String>,
}

/// Requests and expressions of an [`AdmissionPolicy`].
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AdmissionPolicySpec {
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
    /// Expressions that are true for accepted objects.
    #[serde(default, deserialize_with = "bounded::list")]
    pub validations: Vec<Validation>,
    /// Entries of the audit log.
    #[serde(default, deserialize_with = "bounded::list")]
    pub audit_annotations: Vec<AuditAnnotation>,
    /// `Fail` or `Ignore`: the effect of errors; absent means `Fail`.
    pub failure_policy: Option<String>,
}

/// The kind of the parameters of a policy, in one version.
#[derive(Clone, Debug, Default, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ParamKind {
    /// The API group and version.
    #[serde(default, deserialize_with = "null_is_default")]
    pub api_version: String,
    /// The name of the kind.
    #[serde(default, deserialize_with = "null_is_default")]
    pub kind: String,
}

/// Formats the kind for messages: `v1 ConfigMap`.
impl fmt::Display for ParamKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.api_version, self.kind)
    }
}

/// A condition of a policy.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct MatchCondition {
    /// The name in errors.
    #[serde(default, deserialize_with = "null_is_default")]
    pub name: String,
    /// CEL that evaluates to a boolean.
    #[serde(default, deserialize_with = "null_is_default")]
    pub expression: String,
}

/// A variable of a policy.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct PolicyVariable {
    /// The name: expressions use it as `variables.NAME`.
    #[serde(default, deserialize_with = "null_is_default")]
    pub name: String,
    /// CEL of any type.
    #[serde(default, deserialize_with = "null_is_default")]
    pub expression: String,
}

/// An expression that objects must satisfy.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Validation {
    /// CEL that evaluates to a boolean.
    #[serde(default, deserialize_with = "null_is_default")]
    pub expression: String,
    /// The message of a refusal; may be empty.
    #[serde(default, deserialize_with = "null_is_default")]
    pub message: String,
    /// CEL that evaluates to the message of a refusal; may be empty.
    #[serde(default, deserialize_with = "null_is_default")]
    pub message_expression: String,
    /// The reason of a refusal, which determines the HTTP status; absent means `Invalid`.
    pub reason: Option<String>,
}

/// An entry of the audit log.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AuditAnnotation {
    /// The key of the entry.
    #[serde(default, deserialize_with = "null_is_default")]
    pub key: String,
    /// CEL that evaluates to a string or `null`.
    #[serde(default, deserialize_with = "null_is_default")]
    pub value_expression: String,
}

/// A ValidatingAdmissionPolicyBinding: without one, a policy has no effect.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct AdmissionPolicyBinding {
    /// Name.
    #[serde(default, deserialize_with = "null_is_default")]
    pub metadata: ObjectMeta,
    /// The policy, its parameters and the requests.
    #[serde(default, deserialize_with = "null_is_default")]
    pub spec: AdmissionPolicyBindingSpec,
    /// The first field of `spec` that is not known; its effect is unknown.
    #[serde(skip)]
    pub unknown_field: Option<String>,
}

/// The policy of an [`AdmissionPolicyBinding`], its parameters, and the requests that it applies to.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AdmissionPolicyBindingSpec {
    /// The name of the policy.
    #[serde(default, deserialize_with = "null_is_default")]
    pub policy_name: String,
    /// The parameters; absent means that `params` is `null`.
    pub param_ref: Option<ParamRef>,
    /// Further limits on resources; absent means the policy applies to all that it matches.
    pub match_resources: Option<MatchResources>,
    /// `Deny`, `Warn` or `Audit`: the effects of a violation.
    #[serde(default, deserialize_with = "bounded::short_list")]
    pub validation_actions: Vec<String>,
}

/// A reference to parameters, by name or by labels.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ParamRef {
    /// The name; empty if there is a selector.
    #[serde(default, deserialize_with = "null_is_default")]
    pub name: String,
    /// The namespace; empty means that of the request.
    #[serde(default, deserialize_with = "null_is_default")]
    pub namespace: String,
    /// Labels of the parameters; each parameter is evaluated alone.
    pub selector: Option<LabelSelector>,
    /// `Allow` or `Deny`: the effect of a missing parameter.
    pub parameter_not_found_action: Option<String>,
}

/// Resources, operations and selectors.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MatchResources {
    /// `Exact` or `Equivalent`. Judged kinds are served in one version, so that both match the same requests.
    pub match_policy: Option<String>,
    /// Labels of the namespaces; absent means all.
    pub namespace_selector: Option<LabelSelector>,
    /// Labels of the objects; absent means all.
    pub object_selector: Option<LabelSelector>,
    /// Matching resources; an empty list matches all.
    #[serde(default, deserialize_with = "bounded::list")]
    pub resource_rules: Vec<ResourceRule>,
    /// Exceptions from the matching resources.
    #[serde(default, deserialize_with = "bounded::list")]
    pub exclude_resource_rules: Vec<ResourceRule>,
}

impl MatchResources {
    /// Reports whether requests match, given whether those of a rule do. Selectors are not compared.
    pub fn include(&self, is_matched: impl Fn(&ResourceRule) -> bool) -> bool {
        let any = |rules: &[ResourceRule]| rules.iter().any(&is_matched);
        let rules = &self.resource_rules;
        !any(&self.exclude_resource_rules) && (rules.is_empty() || any(rules))
    }
}

/// Requests about some resources, and optionally only about some objects.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ResourceRule {
    /// Names of objects; an empty list matches all.
    #[serde(default, deserialize_with = "null_is_default")]
    pub resource_names: Vec<String>,
    /// Operations and resources, as in a webhook.
    #[serde(flatten)]
    pub rule: WebhookRule,
}
