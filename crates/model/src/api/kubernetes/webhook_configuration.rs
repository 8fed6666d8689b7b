// SPDX-License-Identifier: Apache-2.0
use serde::{Deserialize, Serialize};

use crate::api::{LabelSelector, ObjectMeta, bounded, null_is_default};

/// A ValidatingWebhookConfiguration or MutatingWebhookConfiguration of a Shoot cluster.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct WebhookConfiguration {
    /// Name, labels and annotations.
    #[serde(default, deserialize_with = "null_is_default")]
    pub metadata: ObjectMeta,
    /// The webhooks.
    #[serde(default, deserialize_with = "bounded::list")]
    pub webhooks: Vec<Webhook>,
}

/// A webhook: the requests for which it is called, and the policy for failures.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Webhook {
    /// The name.
    #[serde(default, deserialize_with = "null_is_default")]
    pub name: String,
    /// `Fail` or `Ignore`; absent means `Fail`.
    pub failure_policy: Option<String>,
    /// The timeout of the API server, in seconds; absent means 10.
    pub timeout_seconds: Option<i32>,
    /// The address of the webhook.
    pub client_config: Option<WebhookClientConfig>,
    /// Labels of the namespaces; absent means all.
    pub namespace_selector: Option<LabelSelector>,
    /// Labels of the objects; absent means all.
    pub object_selector: Option<LabelSelector>,
    /// The requests.
    #[serde(default, deserialize_with = "bounded::list")]
    pub rules: Vec<WebhookRule>,
}

/// The address of a webhook: a Service of the cluster, or a URL.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct WebhookClientConfig {
    /// Absent if there is a Service.
    pub url: Option<String>,
}

/// Requests about some resources.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct WebhookRule {
    /// `CREATE`, `UPDATE`, `DELETE`, `CONNECT` or `*`.
    #[serde(default, deserialize_with = "null_is_default")]
    pub operations: Vec<String>,
    /// API groups, or `*`.
    #[serde(default, deserialize_with = "null_is_default")]
    pub api_groups: Vec<String>,
    /// API versions, or `*`.
    #[serde(default, deserialize_with = "null_is_default")]
    pub api_versions: Vec<String>,
    /// `resource` or `resource/subresource`, each part may be `*`.
    #[serde(default, deserialize_with = "null_is_default")]
    pub resources: Vec<String>,
    /// `Cluster`, `Namespaced` or `*`; absent means `*`.
    pub scope: Option<String>,
}

impl WebhookRule {
    /// Reports whether the rule matches an operation on a resource, given by group, version, plural name and subresource.
    ///
    /// The subresource is empty for the resource itself. The scope is not compared.
    pub fn matches(&self, resource: (&str, &str, &str, &str), operation: &str) -> bool {
        has(&self.operations, operation) && self.names(resource)
    }

    /// Reports whether the rule includes a resource, regardless of operations and scope.
    pub fn names(&self, (group, version, resource, subresource): (&str, &str, &str, &str)) -> bool {
        let is_matched = |it: &String| {
            let (name, sub) = it.split_once('/').unwrap_or((it, ""));
            (name == "*" || name == resource) && (sub == "*" || sub == subresource)
        };
        has(&self.api_groups, group)
            && has(&self.api_versions, version)
            && self.resources.iter().any(is_matched)
    }

    /// Reports whether the rule includes objects with or without a namespace.
    pub fn is_in_scope(&self, is_namespaced: bool) -> bool {
        match self.scope.as_deref() {
            None | Some("*") => true,
            Some("Namespaced") => is_namespaced,
            Some("Cluster") => !is_namespaced,
            Some(_) => false,
        }
    }
}

fn has(list: &[String], wanted: &str) -> bool {
    list.iter().any(|it| it == "*" || it == wanted)
}
