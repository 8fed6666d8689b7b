use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::constraint::is_managed;
use super::critical::{Critical, Labels};
use super::problem::{MAX_TIMEOUT, MAX_TIMEOUT_FOR_LEASES, defaulted, matched, slow_leases};
use crate::model::{ObjectMeta, Webhook, WebhookConfiguration};

/// How fields that are absent are understood.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Reading {
    /// As they stand: what a cluster has stored.
    Literal,
    /// With the defaults that a cluster will fill in: a manifest. Defaults are not written into the result.
    Defaulted,
}

/// A webhook configuration after Gardener's remediation.
#[derive(Clone, Debug, PartialEq)]
pub struct Remediated {
    /// The manifest; without the annotation that Gardener would add.
    pub manifest: Value,
    /// What was changed; never nothing.
    pub changes: Vec<Modification>,
}

/// A field of a webhook that the remediation changes.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Modification {
    /// The place of the webhook in its configuration.
    pub webhook: usize,
    /// The name of the field.
    pub field: &'static str,
    /// What happens to it, for people.
    pub what: String,
}

/// Whether Gardener's remediation looks at a configuration.
#[must_use]
pub fn is_remediated(metadata: &ObjectMeta) -> bool {
    let exclude = metadata
        .labels
        .get("remediation.webhook.shoot.gardener.cloud/exclude");
    exclude.is_none_or(|exclude| exclude != "true") && !is_managed(metadata)
}

/// What Gardener's remediation would make of a configuration in one run; `None` if it would leave it alone.
///
/// Mirrors `pkg/gardenlet/controller/shoot/care/webhook_remediation.go`, also in that a long timeout for leases becomes 15 seconds in
/// the first run and 3 seconds only in the second.
#[must_use]
pub fn remediate(manifest: &Value, reading: Reading) -> Option<Remediated> {
    let configuration: WebhookConfiguration = serde_json::from_value(manifest.clone()).ok()?;
    if !is_remediated(&configuration.metadata) {
        return None;
    }
    let mut manifest = manifest.clone();
    let mut changes = Vec::new();
    let entries = manifest.get_mut("webhooks").and_then(Value::as_array_mut);
    let entries = entries.into_iter().flatten().zip(&configuration.webhooks);
    for (index, (entry, webhook)) in entries.enumerate() {
        let webhook = match reading {
            Reading::Literal => webhook.clone(),
            Reading::Defaulted => defaulted(webhook),
        };
        let mut remedy = Remedy {
            entry,
            index,
            changes: &mut changes,
        };
        remedy.apply(&webhook);
    }
    (!changes.is_empty()).then_some(Remediated { manifest, changes })
}

/// More runs than any configuration takes: the second lowers a timeout once more, and what was excluded matches nothing.
const MOST_RUNS: usize = 4;

/// What Gardener's remediation would make of a configuration in as many runs as it takes; `None` if it would leave it alone.
#[must_use]
pub fn remediate_wholly(manifest: &Value, reading: Reading) -> Option<Remediated> {
    let mut whole = remediate(manifest, reading)?;
    for _ in 1..MOST_RUNS {
        let Some(run) = remediate(&whole.manifest, reading) else {
            break;
        };
        whole.manifest = run.manifest;
        whole.changes.extend(run.changes);
    }
    Some(whole)
}

/// A webhook of the manifest while it is changed.
struct Remedy<'a> {
    entry: &'a mut Value,
    index: usize,
    changes: &'a mut Vec<Modification>,
}

impl Remedy<'_> {
    /// Every decision rests on the webhook as it was.
    fn apply(&mut self, webhook: &Webhook) {
        let is_long = webhook
            .timeout_seconds
            .is_none_or(|timeout| timeout > MAX_TIMEOUT);
        if is_long {
            self.set("timeoutSeconds", json!(MAX_TIMEOUT));
        } else if !slow_leases(webhook).is_empty() {
            self.set("timeoutSeconds", json!(MAX_TIMEOUT_FOR_LEASES));
        }
        if webhook.failure_policy.as_deref() == Some("Ignore") {
            return;
        }
        let resources = matched(webhook);
        if resources.iter().any(Critical::is_beyond_selectors) {
            self.set("failurePolicy", json!("Ignore"));
        }
        self.exclude(
            "namespaceSelector",
            resources.iter().map(|resource| resource.namespace),
        );
        self.exclude(
            "objectSelector",
            resources.iter().map(|resource| resource.object),
        );
    }

    fn set(&mut self, field: &'static str, value: Value) {
        self.note(field, format!("set to {value}"));
        self.entry[field] = value;
    }

    /// Makes a selector leave out every label of the resources, also where fewer would do, as Gardener does.
    fn exclude(&mut self, selector: &'static str, labels: impl Iterator<Item = Labels>) {
        let excluded: BTreeSet<(&str, &str)> = labels
            .filter_map(Labels::map)
            .flatten()
            .map(|(key, value)| (key.as_str(), value.as_str()))
            .collect();
        if excluded.is_empty() {
            return;
        }
        let field = &mut self.entry[selector];
        if !field.is_object() {
            *field = json!({});
        }
        let expressions = &mut field["matchExpressions"];
        if !expressions.is_array() {
            *expressions = json!([]);
        }
        let mut added = Vec::new();
        for (key, value) in excluded {
            let requirement = json!({"key": key, "operator": "NotIn", "values": [value]});
            expressions
                .as_array_mut()
                .into_iter()
                .for_each(|list| list.push(requirement.clone()));
            added.push(format!("{key} NotIn [{value}]"));
        }
        self.note(selector, format!("extended with {}", added.join(", ")));
    }

    fn note(&mut self, field: &'static str, what: String) {
        self.changes.push(Modification {
            webhook: self.index,
            field,
            what,
        });
    }
}
