// SPDX-License-Identifier: Apache-2.0
use super::problem::{Problem, problem};
use crate::api::{ObjectMeta, WebhookConfiguration};

/// The two kinds of webhook configurations; validating ones are checked first.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum ConfigurationKind {
    /// ValidatingWebhookConfiguration.
    Validating,
    /// MutatingWebhookConfiguration.
    Mutating,
}

/// A webhook-related reason why a cluster cannot be hibernated.
#[derive(Clone, Debug, PartialEq)]
pub enum Obstacle {
    /// A webhook is problematic.
    Webhook {
        /// The kind of its configuration.
        kind: ConfigurationKind,
        /// The name of its configuration.
        configuration: String,
        /// The name of the webhook.
        webhook: String,
        /// The problem.
        problem: Problem,
    },
    /// Gardener has changed a configuration, and no user has confirmed that yet.
    Remediated {
        /// The kind of the configuration.
        kind: ConfigurationKind,
        /// The name of the configuration.
        configuration: String,
    },
}

/// Set by Gardener when it has changed a configuration, and removed by a user as confirmation.
pub(super) const WARNING: &str = "gardener.cloud/warning";

/// Returns Gardener's warning on a configuration that it has changed.
pub fn warning(metadata: &ObjectMeta) -> Option<&str> {
    let warning = metadata.annotations.get(WARNING).map(String::as_str);
    warning.filter(|warning| !warning.is_empty())
}

/// Reports whether a configuration affects hibernation; Gardener's own do not.
pub fn is_considered(metadata: &ObjectMeta) -> bool {
    let is = |key: &str, value: &str| metadata.labels.get(key).is_some_and(|label| label == value);
    !is("app", "gardener-resource-manager") && !is_managed(metadata)
}

pub(super) fn is_managed(metadata: &ObjectMeta) -> bool {
    let manager = metadata.labels.get("resources.gardener.cloud/managed-by");
    manager.is_some_and(|manager| manager == "gardener")
}

/// Returns the first obstacle to the hibernation of a cluster with these configurations.
///
/// Mirrors CheckForProblematicWebhooks in `pkg/gardenlet/controller/shoot/care/constraints.go`; configurations are
/// checked in order of their names.
pub fn obstacle(configurations: &[(ConfigurationKind, WebhookConfiguration)]) -> Option<Obstacle> {
    let mut considered: Vec<_> = configurations
        .iter()
        .filter(|(_, configuration)| is_considered(&configuration.metadata))
        .collect();
    considered.sort_by_key(|(kind, configuration)| (*kind, configuration.metadata.name.clone()));
    considered.into_iter().find_map(|(kind, configuration)| obstacle_in(*kind, configuration))
}

fn obstacle_in(kind: ConfigurationKind, configuration: &WebhookConfiguration) -> Option<Obstacle> {
    let name = || configuration.metadata.name.clone();
    let of_webhook = configuration.webhooks.iter().find_map(|webhook| {
        problem(webhook).map(|problem| Obstacle::Webhook {
            kind,
            configuration: name(),
            webhook: webhook.name.clone(),
            problem,
        })
    });
    of_webhook.or_else(|| {
        warning(&configuration.metadata)
            .map(|_| Obstacle::Remediated { kind, configuration: name() })
    })
}
