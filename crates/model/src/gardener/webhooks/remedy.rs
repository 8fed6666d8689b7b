// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeSet;

use serde::Deserialize as _;
use serde_json::{Value, json};

use super::constraint::is_managed;
use super::critical::{Critical, Labels};
use super::problem::{MAX_TIMEOUT, MAX_TIMEOUT_FOR_LEASES, defaulted, matched, slow_leases};
use crate::api::{ObjectMeta, Webhook, WebhookConfiguration};

/// The interpretation of absent fields.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Reading {
    /// As written, for objects stored in a cluster.
    Literal,
    /// With the defaults that a cluster applies, for manifests.
    /// Defaults are not written to the result.
    Defaulted,
}

/// A webhook configuration after Gardener's remediation.
#[derive(Clone, Debug, PartialEq)]
pub struct Remediated {
    /// The manifest, without the annotation that Gardener would add.
    pub manifest: Value,
    /// The changes; never empty.
    pub changes: Vec<Modification>,
}

/// A field of a webhook that the remediation changes.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Modification {
    /// The index of the webhook in its configuration.
    pub webhook: usize,
    /// The name of the field.
    pub field: &'static str,
    /// A description of the change for users.
    pub what: String,
}

/// Reports whether Gardener's remediation applies to a configuration.
pub fn is_remediated(metadata: &ObjectMeta) -> bool {
    let exclude = metadata.labels.get("remediation.webhook.shoot.gardener.cloud/exclude");
    exclude.is_none_or(|exclude| exclude != "true") && !is_managed(metadata)
}

/// Returns the changes that Gardener's remediation would make to a configuration in one run.
///
/// Mirrors `pkg/gardenlet/controller/shoot/care/webhook_remediation.go`.
/// As in Gardener, a long timeout for leases becomes 15 seconds in the first run, and 3 seconds only in the second.
pub fn modifications(
    configuration: &WebhookConfiguration,
    reading: Reading,
) -> impl Iterator<Item = Modification> {
    edits(configuration, reading).into_iter().map(Edit::describe)
}

/// Returns a configuration after one run of Gardener's remediation; `None` if unchanged.
pub fn remediate(manifest: &Value, reading: Reading) -> Option<Remediated> {
    let configuration = WebhookConfiguration::deserialize(manifest).ok()?;
    let edits = edits(&configuration, reading);
    if edits.is_empty() {
        return None;
    }
    let mut manifest = manifest.clone();
    for edit in &edits {
        edit.apply(&mut manifest["webhooks"][edit.webhook]);
    }
    let changes = edits.into_iter().map(Edit::describe).collect();
    Some(Remediated { manifest, changes })
}

/// Maximum number of runs.
///
/// The second one lowers a timeout again, and excluded resources no longer match.
const MOST_RUNS: usize = 4;

/// Returns a configuration after all required runs of Gardener's remediation; `None` if unchanged.
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

/// A change of a webhook field.
struct Edit {
    webhook: usize,
    field: &'static str,
    how: RemedyAction,
}

enum RemedyAction {
    Set(i32),
    Ignore,
    /// The selector excludes all labels of the resources, even if fewer would suffice, like in Gardener.
    Exclude(BTreeSet<(&'static str, &'static str)>),
}

fn edits(configuration: &WebhookConfiguration, reading: Reading) -> Vec<Edit> {
    if !is_remediated(&configuration.metadata) {
        return Vec::new();
    }
    let webhooks = configuration.webhooks.iter().enumerate();
    let edits = webhooks.flat_map(|(index, webhook)| match reading {
        Reading::Literal => edits_of(index, webhook),
        Reading::Defaulted => edits_of(index, &defaulted(webhook)),
    });
    edits.collect()
}

/// Returns the changes of a webhook.
/// Each decision only depends on the original webhook.
fn edits_of(webhook: usize, given: &Webhook) -> Vec<Edit> {
    let edit = |field, how| Edit { webhook, field, how };
    let mut edits = Vec::new();
    let timeout = given.timeout_seconds;
    if timeout.is_none_or(|timeout| timeout > MAX_TIMEOUT) {
        edits.push(edit("timeoutSeconds", RemedyAction::Set(MAX_TIMEOUT)));
    } else if !slow_leases(given).is_empty() {
        edits.push(edit("timeoutSeconds", RemedyAction::Set(MAX_TIMEOUT_FOR_LEASES)));
    }
    if given.failure_policy.as_deref() == Some("Ignore") {
        return edits;
    }
    let resources = matched(given);
    if resources.iter().any(Critical::is_beyond_selectors) {
        edits.push(edit("failurePolicy", RemedyAction::Ignore));
    }
    let namespaces = labels(resources.iter().map(|resource| resource.namespace));
    let objects = labels(resources.iter().map(|resource| resource.object));
    for (selector, labels) in [("namespaceSelector", namespaces), ("objectSelector", objects)] {
        if !labels.is_empty() {
            edits.push(edit(selector, RemedyAction::Exclude(labels)));
        }
    }
    edits
}

fn labels(resources: impl Iterator<Item = Labels>) -> BTreeSet<(&'static str, &'static str)> {
    let labels = resources.filter_map(Labels::map).flatten();
    labels.map(|(key, value)| (key.as_str(), value.as_str())).collect()
}

impl Edit {
    fn describe(self) -> Modification {
        let what = match self.how {
            RemedyAction::Set(seconds) => format!("set to {seconds}"),
            RemedyAction::Ignore => "set to \"Ignore\"".to_owned(),
            RemedyAction::Exclude(labels) => {
                let added: Vec<String> =
                    labels.iter().map(|(key, value)| format!("{key} NotIn [{value}]")).collect();
                format!("extended with {}", added.join(", "))
            }
        };
        Modification { webhook: self.webhook, field: self.field, what }
    }

    fn apply(&self, webhook: &mut Value) {
        let field = &mut webhook[self.field];
        match &self.how {
            RemedyAction::Set(seconds) => *field = json!(seconds),
            RemedyAction::Ignore => *field = json!("Ignore"),
            RemedyAction::Exclude(labels) => exclude(field, labels),
        }
    }
}

fn exclude(selector: &mut Value, labels: &BTreeSet<(&str, &str)>) {
    if !selector.is_object() {
        *selector = json!({});
    }
    let expressions = &mut selector["matchExpressions"];
    if !expressions.is_array() {
        *expressions = json!([]);
    }
    let added = labels
        .iter()
        .map(|(key, value)| json!({"key": key, "operator": "NotIn", "values": [value]}));
    if let Some(expressions) = expressions.as_array_mut() {
        expressions.extend(added);
    }
}
