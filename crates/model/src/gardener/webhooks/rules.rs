// SPDX-License-Identifier: Apache-2.0
//! Matching of webhook rules and selectors with resources.

use super::critical::{Critical, Labels};
use crate::api::{LabelSelector, Webhook, WebhookRule};
use garden_gate_text::go::Selector;

/// The labels that the two selectors of a webhook match; `None` (match everything) if one is invalid.
pub(super) struct Selectors {
    both: Option<(Vec<Labels>, Vec<Labels>)>,
}

impl Selectors {
    pub(super) fn of(webhook: &Webhook) -> Self {
        let namespace = matched(webhook.namespace_selector.as_ref());
        let object = matched(webhook.object_selector.as_ref());
        Self { both: namespace.zip(object) }
    }

    /// Reports whether one of the rules matches a resource that the selectors do not exclude.
    pub(super) fn match_any(&self, rules: &[WebhookRule], resource: &Critical) -> bool {
        let Some((namespace, object)) = &self.both else {
            return !rules.is_empty();
        };
        // Namespaces have no namespace; both selectors apply to their own labels.
        let has_namespace = !resource.is_cluster_scoped || resource.resource == "namespaces";
        object.contains(&resource.object)
            && (!has_namespace || namespace.contains(&resource.namespace))
            && rules.iter().any(|rule| rule_matches(rule, resource))
    }
}

/// Returns the labels that a selector matches; `None` if it is invalid.
fn matched(selector: Option<&LabelSelector>) -> Option<Vec<Labels>> {
    let selector = match selector {
        None => Selector::default(),
        Some(it) => Selector::compile(&it.match_labels, it.expressions()).ok()?,
    };
    let matches = |labels: &Labels| labels.map().is_none_or(|labels| selector.matches(labels));
    Some(Labels::ALL.into_iter().filter(matches).collect())
}

fn rule_matches(rule: &WebhookRule, resource: &Critical) -> bool {
    let operation = |operation: &String| matches!(operation.as_str(), "*" | "CREATE" | "UPDATE");
    rule.operations.iter().any(operation) && names(rule, resource)
}

/// Reports whether a rule includes a resource, regardless of operations.
fn names(rule: &WebhookRule, resource: &Critical) -> bool {
    rule.is_in_scope(!resource.is_cluster_scoped) && rule.names(resource.path())
}

/// Reports whether one of the rules matches an operation on a resource, as in an API server.
pub(super) fn intercept(rules: &[WebhookRule], operation: &str, resource: &Critical) -> bool {
    let is_namespaced = !resource.is_cluster_scoped;
    rules
        .iter()
        .any(|rule| rule.is_in_scope(is_namespaced) && rule.matches(resource.path(), operation))
}
