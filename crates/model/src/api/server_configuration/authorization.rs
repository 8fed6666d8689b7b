// SPDX-License-Identifier: Apache-2.0
//! The configuration of structured authorization. Source: `pkg/apis/apiserver/v1beta1/types.go` of Kubernetes' apiserver.

use crate::api::object;
use crate::api::scalar::DurationText;

object! {
    /// Authorizers of an API server.
    AuthorizationConfiguration {
        /// API group and version.
        "apiVersion": String;
        /// Kind.
        "kind": String;
        /// Authorizers in the order in which they are asked.
        "authorizers": [AuthorizerConfiguration] required -> authorizers: Vec<AuthorizerConfiguration>;
    }
}

object! {
    /// Authorizer of an API server.
    AuthorizerConfiguration {
        /// Type: `Webhook`.
        "type": String required -> kind: String;
        /// Name, as in `spec.kubernetes.kubeAPIServer.structuredAuthorization.kubeconfigs` of the Shoot.
        "name": String required -> name: String;
        /// Webhook that is asked.
        "webhook": AuthorizationWebhook -> webhook: Option<AuthorizationWebhook>;
    }
}

object! {
    /// Webhook that authorizes requests.
    AuthorizationWebhook {
        /// Time for which permissions are cached. The default is `5m`.
        "authorizedTTL": Duration -> authorized_ttl: Option<DurationText>;
        /// Whether permissions are cached.
        "cacheAuthorizedRequests": Boolean;
        /// Time for which refusals are cached. The default is `30s`.
        "unauthorizedTTL": Duration -> unauthorized_ttl: Option<DurationText>;
        /// Whether refusals are cached.
        "cacheUnauthorizedRequests": Boolean;
        /// Timeout of a request, at most `30s`.
        "timeout": Duration required -> timeout: Option<DurationText>;
        /// Version of the SubjectAccessReviews: `v1` or `v1beta1`.
        "subjectAccessReviewVersion": String required -> subject_access_review_version: String;
        /// Version of the SubjectAccessReviews in conditions: `v1`.
        "matchConditionSubjectAccessReviewVersion": String -> match_condition_version: String;
        /// Decision if the webhook fails: `NoOpinion` or `Deny`.
        "failurePolicy": String required -> failure_policy: String;
        /// Connection, which Gardener sets.
        "connectionInfo": WebhookConnectionInfo -> connection_info: WebhookConnectionInfo;
        /// Conditions that a request must meet for the webhook to be asked.
        "matchConditions": [WebhookMatchCondition] -> match_conditions: Vec<WebhookMatchCondition>;
    }
}

object! {
    /// Connection to a webhook.
    WebhookConnectionInfo {
        /// Type of the connection.
        "type": String -> kind: String;
        /// Path of a kubeconfig.
        "kubeConfigFile": String -> kube_config_file: Option<String>;
    }
}

object! {
    /// Condition for requests.
    WebhookMatchCondition {
        /// CEL expression about `request`.
        "expression": String required -> expression: String;
    }
}
