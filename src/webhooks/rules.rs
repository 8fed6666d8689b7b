//! Whether a webhook is asked about a resource.

use super::critical::{Critical, Labels};
use crate::compat::Selector;
use crate::model::{LabelSelector, Webhook, WebhookRule};

/// The two selectors of a webhook, checked; `None` if one of them cannot be read, which counts as matching everything.
pub(super) struct Selectors<'a> {
    both: Option<(Selector<'a>, Selector<'a>)>,
}

impl<'a> Selectors<'a> {
    pub(super) fn of(webhook: &'a Webhook) -> Self {
        let namespace = compile(webhook.namespace_selector.as_ref());
        let object = compile(webhook.object_selector.as_ref());
        Self {
            both: namespace.zip(object),
        }
    }

    /// Whether a rule matches a resource that the selectors do not leave out.
    pub(super) fn match_rule(&self, rule: &WebhookRule, resource: &Critical) -> bool {
        let Some((namespace, object)) = &self.both else {
            return true;
        };
        // Namespaces have no namespace, but their own labels are asked for both selectors.
        let has_namespace = !resource.is_cluster_scoped || resource.resource == "namespaces";
        matches(object, resource.object)
            && (!has_namespace || matches(namespace, resource.namespace))
            && rule_matches(rule, resource)
    }
}

fn compile(selector: Option<&LabelSelector>) -> Option<Selector<'_>> {
    selector.map_or_else(
        || Some(Selector::default()),
        |selector| Selector::compile(&selector.match_labels, selector.expressions()).ok(),
    )
}

fn matches(selector: &Selector<'_>, labels: Labels) -> bool {
    labels.map().is_none_or(|labels| selector.matches(labels))
}

fn rule_matches(rule: &WebhookRule, resource: &Critical) -> bool {
    let scope = match rule.scope.as_deref() {
        None | Some("*") => true,
        Some("Namespaced") => !resource.is_cluster_scoped,
        Some("Cluster") => resource.is_cluster_scoped,
        Some(_) => false,
    };
    let operation = |operation: &String| matches!(operation.as_str(), "*" | "CREATE" | "UPDATE");
    scope
        && rule.operations.iter().any(operation)
        && has(&rule.api_groups, resource.group)
        && has(&rule.api_versions, resource.version)
        && rule
            .resources
            .iter()
            .any(|wanted| resource_matches(wanted, resource))
}

fn has(list: &[String], wanted: &str) -> bool {
    list.iter().any(|item| item == "*" || item == wanted)
}

fn resource_matches(wanted: &str, resource: &Critical) -> bool {
    let (main, sub) = wanted.split_once('/').unwrap_or((wanted, ""));
    (main == "*" || main == resource.resource) && (sub == "*" || sub == resource.subresource)
}
