// SPDX-License-Identifier: Apache-2.0
//! The result of applying a manifest to a stored object.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use garden_gate_model::api::LAST_APPLIED;

/// Fields of `metadata` that no write can change; an API server restores them.
///
/// Source: BeforeUpdate in `pkg/registry/rest/update.go` of k8s.io/apiserver.
const KEPT: [&str; 5] =
    ["creationTimestamp", "deletionGracePeriodSeconds", "deletionTimestamp", "generation", "uid"];

/// The fields that an earlier apply has set: applying a manifest without them removes them.
pub(in crate::review) struct LastApplied {
    /// The last applied manifest, or the one before the change.
    manifest: Option<Value>,
    /// The owners of fields, if the object is applied on the server side.
    owners: Option<Owners>,
}

/// Sets of fields as in `fieldsV1` of `metadata.managedFields`.
pub(in crate::review) struct Owners {
    /// The fields of server-side apply.
    appliers: Vec<Value>,
    /// The fields of updates.
    others: Vec<Value>,
}

impl LastApplied {
    /// Returns the fields that the annotation of kubectl, the managed fields or the manifest `before` name, in this order.
    ///
    /// # Errors
    /// Fails if the annotation is no JSON object, with which `kubectl apply` fails, too, and if several managers apply the
    /// object: which of them does is unknown.
    pub(in crate::review) fn of(
        stored: &Value,
        before: impl FnOnce() -> Option<Value>,
    ) -> Result<Self, String> {
        Ok(match annotated(stored)? {
            Some(manifest) => Self { manifest: Some(Value::Object(manifest)), owners: None },
            None => Self::before(before(), Owners::of(stored)?),
        })
    }

    /// Returns the fields of a manifest, of which nothing else is known.
    pub(in crate::review) fn before(manifest: Option<Value>, owners: Option<Owners>) -> Self {
        Self { manifest, owners }
    }

    /// Returns the manifest with which a new one is compared.
    pub(in crate::review) fn manifest(&self) -> Option<&Value> {
        self.manifest.as_ref()
    }

    /// Applies a manifest to the stored object.
    ///
    /// Other fields stay, unless the last apply has set them. Lists are replaced as a whole: Gardener's kinds have no
    /// merge keys. The result has no `managedFields`.
    pub(in crate::review) fn merge(&self, stored: &Value, manifest: &Value) -> Value {
        let mut result = stored.clone();
        if let Some(owners) = &self.owners {
            owners.release(&mut result, manifest);
            merge(&mut result, manifest, &Value::Null);
        } else {
            merge(&mut result, manifest, self.manifest.as_ref().unwrap_or(&Value::Null));
        }
        if let Some(metadata) = result.get_mut("metadata").and_then(Value::as_object_mut) {
            metadata.remove("managedFields");
            for field in KEPT {
                match stored["metadata"].get(field) {
                    Some(kept) => metadata.insert(field.to_owned(), kept.clone()),
                    None => metadata.remove(field),
                };
            }
        }
        result
    }
}

/// Reports whether an object has fields that no write can change.
pub(super) fn has_kept_fields(object: &Value) -> bool {
    let is_set = |field: &&str| !object["metadata"][*field].is_null();
    KEPT.iter().any(is_set)
}

/// Returns the manifest in the annotation of kubectl.
fn annotated(stored: &Value) -> Result<Option<Map<String, Value>>, String> {
    let last = stored["metadata"]["annotations"][LAST_APPLIED].as_str();
    let manifest = last.map(serde_json::from_str).transpose();
    manifest.map_err(|error| format!("the annotation `{LAST_APPLIED}` of the stored object is not valid JSON, with which `kubectl apply` fails: {error}"))
}

impl Owners {
    /// Returns the owners of an object; `None` if nobody applies it on the server side.
    ///
    /// # Errors
    /// Fails if several managers apply the object.
    fn of(stored: &Value) -> Result<Option<Self>, String> {
        let Some(entries) = stored["metadata"]["managedFields"].as_array() else {
            return Ok(None);
        };
        let main =
            entries.iter().filter(|it| it["subresource"].as_str().unwrap_or_default().is_empty());
        let (appliers, others): (Vec<_>, Vec<_>) = main.partition(|it| it["operation"] == "Apply");
        let managers = appliers.iter().map(|it| it["manager"].as_str());
        let managers: BTreeSet<_> = managers.collect();
        if managers.len() > 1 {
            return Err(format!(
                "{} managers apply the stored object on the server side, and which of them applies the manifest is unknown",
                managers.len()
            ));
        }
        let [appliers, others] = [appliers, others].map(|entries| {
            let fields = entries.into_iter().map(|it| it["fieldsV1"].clone());
            fields.collect::<Vec<Value>>()
        });
        Ok((!appliers.is_empty()).then_some(Self { appliers, others }))
    }

    /// Removes the fields that only appliers own and the manifest omits.
    fn release(&self, object: &mut Value, manifest: &Value) {
        let others: Vec<&Value> = self.others.iter().collect();
        for owned in &self.appliers {
            if let (Value::Object(fields), Value::Object(owned)) = (&mut *object, owned) {
                release(fields, owned, &others, manifest);
            }
        }
    }
}

/// Removes released fields below an object: those in `owned` that are neither in `others` nor in the manifest.
fn release(
    fields: &mut Map<String, Value>,
    owned: &Map<String, Value>,
    others: &[&Value],
    manifest: &Value,
) {
    for (key, below) in owned {
        let Some(name) = key.strip_prefix("f:") else {
            continue;
        };
        let others: Vec<&Value> = others.iter().filter_map(|it| it.get(key)).collect();
        let sent = manifest.get(name);
        let is_released = sent.is_none() && others.is_empty();
        let Some(below) = below.as_object().filter(|it| !it.is_empty()) else {
            if is_released {
                fields.remove(name);
            }
            continue;
        };
        if let Some(Value::Object(field)) = fields.get_mut(name) {
            release(field, below, &others, sent.unwrap_or(&Value::Null));
            if field.is_empty() && is_released {
                fields.remove(name);
            }
        }
    }
}

fn merge(stored: &mut Value, manifest: &Value, last: &Value) {
    let (Value::Object(fields), Value::Object(sent)) = (&mut *stored, manifest) else {
        manifest.clone_into(stored);
        return;
    };
    if let Value::Object(last) = last {
        for name in last.keys().filter(|name| !sent.contains_key(*name)) {
            fields.remove(name);
        }
    }
    for (name, value) in sent {
        if value.is_null() {
            fields.remove(name);
        } else {
            let field = fields.entry(name).or_insert(Value::Null);
            merge(field, value, &last[name]);
        }
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test that cannot go on should fail")]

    use rstest::rstest;
    use serde_json::{Value, json};

    use super::LastApplied;
    use garden_gate_model::api::LAST_APPLIED;

    fn stored(spec: Value, last: Option<Value>) -> Value {
        let annotations = last.map(|last| json!({LAST_APPLIED: json!({"spec": last}).to_string()}));
        json!({"metadata": {"annotations": annotations}, "spec": spec, "status": {"phase": "Ready"}})
    }

    fn applied(stored: &Value, spec: Value, before: Option<Value>) -> Value {
        let before = before.map(|spec| json!({"spec": spec}));
        let last = LastApplied::of(stored, || before).unwrap();
        last.merge(stored, &json!({"spec": spec}))
    }

    #[test]
    fn what_a_manifest_does_not_mention_stays() {
        let stored = stored(json!({"a": 1, "b": {"c": 2, "d": [1, 2]}}), None);
        let applied = applied(&stored, json!({"b": {"d": [3]}}), None);
        assert_eq!(applied["spec"], json!({"a": 1, "b": {"c": 2, "d": [3]}}));
        assert_eq!(applied["status"], stored["status"]);
    }

    #[rstest]
    #[case::annotation(Some(json!({"a": 1, "b": {"c": 2}})), None)]
    #[case::before(None, Some(json!({"a": 1, "b": {"c": 2}})))]
    #[case::both(Some(json!({"a": 1, "b": {"c": 2}})), Some(json!({"b": {"e": 3}})))]
    fn what_was_applied_last_and_is_not_now_goes(
        #[case] last: Option<Value>,
        #[case] before: Option<Value>,
    ) {
        let spec = json!({"a": 1, "b": {"c": 2, "e": 3}, "filled-in": true});
        let applied = applied(&stored(spec, last), json!({"b": {}}), before);
        assert_eq!(applied["spec"], json!({"b": {"e": 3}, "filled-in": true}));
    }

    #[rstest]
    #[case::removed(json!({"deletionTimestamp": null, "uid": null}))]
    #[case::omitted(json!({}))]
    #[case::changed(json!({"deletionTimestamp": "2030-01-01T00:00:00Z", "generation": 9, "creationTimestamp": "2030-01-01T00:00:00Z"}))]
    fn no_write_changes_fields_of_the_server(#[case] sent: Value) {
        let metadata =
            json!({"uid": "a", "deletionTimestamp": "2026-01-01T00:00:00Z", "generation": 2});
        let before = json!({"metadata": metadata});
        let owned = json!([{"manager": "a", "operation": "Apply", "fieldsV1": {"f:metadata": {"f:deletionTimestamp": {}}}}]);
        let mut managed = before.clone();
        managed["metadata"]["managedFields"] = owned;
        for (stored, before) in [(&before, Some(before.clone())), (&before, None), (&managed, None)]
        {
            let last = LastApplied::of(stored, || before).unwrap();
            let applied = last.merge(stored, &json!({"metadata": sent}));
            assert_eq!(applied["metadata"], metadata);
        }
    }

    #[test]
    fn which_of_several_managers_applies_is_unknown() {
        let entry =
            |manager: &str| json!({"manager": manager, "operation": "Apply", "fieldsV1": {}});
        let stored = |entries: &[Value]| json!({"metadata": {"managedFields": entries}});
        let is_known = |stored: &Value| LastApplied::of(stored, || None).is_ok();
        assert!(is_known(&stored(&[entry("a"), entry("a")])));
        assert!(!is_known(&stored(&[entry("a"), entry("b")])));
    }

    #[rstest]
    #[case("5")]
    #[case("[]")]
    #[case("{")]
    fn annotation_that_is_no_object_is_an_error(#[case] last: &str) {
        let stored = json!({"metadata": {"annotations": {LAST_APPLIED: last}}});
        assert!(LastApplied::of(&stored, || None).is_err());
    }

    #[test]
    fn null_removes_a_field() {
        let applied = applied(&stored(json!({"a": 1}), None), json!({"a": null}), None);
        assert_eq!(applied["spec"], json!({}));
    }

    #[rstest]
    #[case::released(json!({"b": {"d": 1}}), json!({"b": {"c": 2, "d": 1, "e": 3}, "list": [2]}))]
    #[case::kept_by_the_manifest(json!({"a": 4, "list": [1]}), json!({"a": 4, "b": {"c": 2, "e": 3}, "list": [1]}))]
    #[case::empty_parent(json!({}), json!({"b": {"c": 2, "e": 3}, "list": [2]}))]
    fn fields_of_server_side_apply_go_unless_others_own_them(
        #[case] spec: Value,
        #[case] expected: Value,
    ) {
        let stored = json!({
            "metadata": {"managedFields": [
                {"manager": "kustomize-controller", "operation": "Apply", "fieldsV1": {"f:spec": {
                    "f:a": {}, "f:b": {"f:c": {}, "f:d": {}}, "f:g": {".": {}, "f:h": {}}, "f:list": {},
                }}},
                {"manager": "gardenlet", "operation": "Update", "fieldsV1": {"f:spec": {
                    "f:b": {"f:c": {}}, "f:list": {},
                }}},
                {"manager": "argocd-controller", "operation": "Apply", "subresource": "status", "fieldsV1": {
                    "f:spec": {"f:b": {"f:e": {}}},
                }},
            ]},
            "spec": {"a": 1, "b": {"c": 2, "d": 1, "e": 3}, "g": {"h": 1}, "list": [2]},
        });
        // The manifest before the change does not count.
        let before = json!({"b": {"e": 3}, "list": [2]});
        assert_eq!(applied(&stored, spec, Some(before))["spec"], expected);
    }
}
