// SPDX-License-Identifier: Apache-2.0
//! The parts of objects with credentials that are not confidential.

use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value};

use garden_gate_model::api::{DELETION_CONFIRMATION, DELETION_CONFIRMED_BY, DomainSecret, Kind};
use garden_gate_text::json::Json;

/// Fields of the metadata with names and times.
const FIELDS: [&str; 5] =
    ["name", "namespace", "creationTimestamp", "deletionTimestamp", "finalizers"];
/// Labels that rules read.
const LABELS: [&str; 1] = [DomainSecret::LABEL.0];
/// Annotations that rules read. Tools store whole objects in others.
const ANNOTATIONS: [&str; 5] = [
    DomainSecret::PROVIDER,
    DomainSecret::DOMAIN,
    DomainSecret::PRIORITY,
    DELETION_CONFIRMATION,
    DELETION_CONFIRMED_BY,
];

/// Returns the manifest of an object with only the metadata that rules read.
///
/// All other fields, labels and annotations may contain credentials, and are left out.
pub(super) fn without_credentials(json: &str, kind: Kind) -> Box<RawValue> {
    let mut object = Json::text(json).to_value();
    let mut metadata = object.get_mut("metadata").map_or(Value::Null, Value::take);
    let mut kept: Map<String, Value> = Map::new();
    for name in FIELDS {
        if let Some(value) = metadata.get_mut(name).filter(|it| is_text(it)) {
            kept.insert(name.to_owned(), value.take());
        }
    }
    for (map, names) in [("labels", &LABELS[..]), ("annotations", &ANNOTATIONS)] {
        let texts: Map<String, Value> = names
            .iter()
            .filter_map(|name| {
                let text = metadata.get(map)?.get(name)?.as_str()?;
                Some(((*name).to_owned(), Value::from(text)))
            })
            .collect();
        if !texts.is_empty() {
            kept.insert(map.to_owned(), texts.into());
        }
    }
    let manifest = serde_json::json!({
        "apiVersion": kind.api_version(),
        "kind": kind.as_str(),
        "metadata": kept,
    });
    to_raw_value(&manifest).unwrap_or_else(|_| RawValue::NULL.to_owned())
}

/// Reports whether a value is a string or a list of strings.
fn is_text(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.iter().all(Value::is_string),
        value => value.is_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::without_credentials;
    use garden_gate_model::api::Kind;

    const CANARY: &str = "canary";

    fn kept(object: &str) -> Value {
        serde_json::from_str(without_credentials(object, Kind::Secret).get()).unwrap()
    }

    #[test]
    fn metadata_that_rules_read_is_kept() {
        let metadata = json!({
            "name": "a", "namespace": "garden", "finalizers": ["b"],
            "labels": {"gardener.cloud/role": "default-domain"},
            "annotations": {"dns.gardener.cloud/domain": "a.io", "dns.gardener.cloud/provider": "p"},
        });
        let object = json!({"metadata": metadata, "data": {"a": CANARY}});
        let expected = json!({"apiVersion": "v1", "kind": "Secret", "metadata": metadata});
        assert_eq!(kept(&object.to_string()), expected);
    }

    #[test]
    fn everything_else_is_left_out() {
        let odd = [
            json!({"annotations": {CANARY: CANARY}, "labels": {"a": CANARY}, "managedFields": [CANARY]}),
            json!({"annotations": {"dns.gardener.cloud/domain": {"a": CANARY}}}),
            json!({"annotations": CANARY, "labels": [CANARY], "name": {"a": CANARY}, "uid": CANARY}),
            json!([CANARY]),
            json!(CANARY),
        ];
        for metadata in odd {
            let object =
                json!({"metadata": metadata, "stringData": CANARY, "type": CANARY, "x": CANARY});
            let kept = kept(&object.to_string());
            assert!(!kept.to_string().contains(CANARY), "{kept}");
        }
        assert!(!kept("[\"canary\"]").to_string().contains(CANARY));
    }
}
