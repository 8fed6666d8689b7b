// SPDX-License-Identifier: Apache-2.0
//! Webhook configurations, compared with gardenlet's checks and remediation.

use crate::vectors::rows;
use garden_gate_model::api::{Webhook, WebhookConfiguration};
use garden_gate_model::gardener::webhooks::{
    ConfigurationKind, Obstacle, Reading, obstacle, problem, remediate, remediate_wholly,
};
use garden_gate_text::go::Selector;
use serde_json::{Value, json};

#[test]
fn every_webhook_is_a_problem_or_not_alike() {
    for row in rows("webhooks", "vectors") {
        let webhook: Webhook = serde_json::from_value(row["webhook"].clone()).unwrap();
        assert_eq!(problem(&webhook).is_some(), row["problematic"], "{row}");
    }
}

#[test]
fn every_remediation_changes_the_same() {
    for row in rows("webhooks-remediation", "vectors") {
        let remediated = remediate(&row["in"], Reading::Literal);
        assert_eq!(remediated.is_some(), row["annotated"], "{row}");
        let mut result = remediated.map_or_else(|| row["in"].clone(), |it| it.manifest);
        let mut expected = row["out"].clone();
        for object in [&mut result, &mut expected] {
            normalise(object, row["annotated"] == true);
        }
        assert_eq!(result, expected, "{row}");
    }
}

/// Removes empty selectors, which equal absent ones, and the annotation that the remediation sets.
fn normalise(object: &mut Value, annotated: bool) {
    for webhook in object["webhooks"].as_array_mut().into_iter().flatten() {
        for selector in ["namespaceSelector", "objectSelector"] {
            if webhook[selector] == json!({}) || webhook[selector].is_null() {
                webhook.as_object_mut().unwrap().remove(selector);
            }
        }
    }
    let metadata = object["metadata"].as_object_mut().unwrap();
    if annotated && let Some(annotations) = metadata.get_mut("annotations") {
        annotations.as_object_mut().unwrap().remove("gardener.cloud/warning");
    }
    if metadata.get("annotations").is_some_and(|annotations| *annotations == json!({})) {
        metadata.remove("annotations");
    }
}

/// An invalid selector still matches after any addition, so only the other webhooks can be remediated.
#[test]
fn three_runs_of_the_remediation_clear_every_webhook_with_readable_selectors() {
    for row in rows("webhooks", "vectors") {
        let mut manifest = json!({"metadata": {"name": "c"}, "webhooks": [row["webhook"]]});
        for _ in 0..3 {
            if let Some(remediated) = remediate(&manifest, Reading::Literal) {
                manifest = remediated.manifest;
            }
        }
        let webhook: Webhook = serde_json::from_value(manifest["webhooks"][0].clone()).unwrap();
        let readable = [&webhook.namespace_selector, &webhook.object_selector]
            .into_iter()
            .flatten()
            .all(|selector| {
                Selector::compile(&selector.match_labels, selector.expressions()).is_ok()
            });
        assert!(!readable || problem(&webhook).is_none(), "{row}");
    }
}

#[test]
fn a_whole_remediation_leaves_nothing_to_change() {
    for row in rows("webhooks-remediation", "vectors") {
        for reading in [Reading::Literal, Reading::Defaulted] {
            let whole = remediate_wholly(&row["in"], reading);
            let once = remediate(&row["in"], reading);
            assert_eq!(whole.is_some(), once.is_some(), "{row}");
            let rest = whole.and_then(|whole| remediate(&whole.manifest, reading));
            assert_eq!(rest, None, "{row}");
        }
    }
}

#[test]
fn every_cluster_can_be_hibernated_or_not_alike() {
    for row in rows("webhooks-constraint", "vectors") {
        let configurations: Vec<(ConfigurationKind, WebhookConfiguration)> = row["configs"]
            .as_array()
            .unwrap()
            .iter()
            .map(|config| (kind(config), serde_json::from_value(config.clone()).unwrap()))
            .collect();
        let mut expected = row.clone();
        expected.as_object_mut().unwrap().remove("configs");
        assert_eq!(told(obstacle(&configurations)), expected, "{row}");
    }
}

fn kind(config: &Value) -> ConfigurationKind {
    match config["kind"].as_str().unwrap() {
        "ValidatingWebhookConfiguration" => ConfigurationKind::Validating,
        _ => ConfigurationKind::Mutating,
    }
}

fn told(obstacle: Option<Obstacle>) -> Value {
    let name = |kind| match kind {
        ConfigurationKind::Validating => "ValidatingWebhookConfiguration",
        ConfigurationKind::Mutating => "MutatingWebhookConfiguration",
    };
    match obstacle {
        None => json!({"ok": true}),
        Some(Obstacle::Webhook { kind, configuration, webhook, .. }) => {
            json!({"ok": false, "cause": "webhook", "kind": name(kind), "config": configuration, "webhook": webhook})
        }
        Some(Obstacle::Remediated { kind, configuration }) => {
            json!({"ok": false, "cause": "annotation", "kind": name(kind), "config": configuration})
        }
    }
}
