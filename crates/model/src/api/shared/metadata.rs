// SPDX-License-Identifier: Apache-2.0
//! Metadata of any object.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use crate::api::{is_default, object};

object! {
    /// Standard object metadata: name, labels, and data maintained by the API server.
    #[derive(PartialEq, Serialize)]
    ObjectMeta {
        /// Name of the object, unique in its namespace.
        "name": String -> #[mutated] name: String;
        /// Namespace of the object; empty for cluster-scoped kinds.
        "namespace": String -> #[mutated] namespace: String;
        /// Prefix of a name that the API server completes.
        "generateName": String;
        /// Labels, used by selectors.
        "labels": {String} -> #[serde(deserialize_with = "labels", skip_serializing_if = "is_default")] labels: BTreeMap<String, String>;
        /// Annotations for tools and users.
        "annotations": {String} -> #[serde(deserialize_with = "annotations", skip_serializing_if = "is_default")] annotations: BTreeMap<String, String>;
        /// Finalizers: cleanup tasks that must complete before the object is removed.
        "finalizers": [String; set] -> #[mutated] finalizers: Vec<String>;
        /// Owners of the object.
        "ownerReferences": [OwnerReference; by uid];
        /// Time of creation; set by the API server.
        "creationTimestamp": Time -> #[mutated] creation_timestamp: Option<String>;
        /// Time of the deletion request; set by the API server.
        "deletionTimestamp": Time -> #[mutated] deletion_timestamp: Option<String>;
        /// Grace period of the deletion, in seconds; set by the API server.
        "deletionGracePeriodSeconds": Integer64;
        /// Generation of the specification, incremented by each change; set by the API server.
        "generation": Integer64;
        /// Resource version for optimistic concurrency control; set by the API server.
        "resourceVersion": String;
        /// Unique identifier that distinguishes the object from others of the same name; set by the API server.
        "uid": String;
        /// No longer used.
        "selfLink": String;
        /// Field managers and the fields that they own; maintained by the API server.
        "managedFields": [ManagedFieldsEntry];
    }
}

object! {
    /// Owner of an object.
    OwnerReference {
        /// API group and version of the owner.
        "apiVersion": String required;
        /// Kind of the owner.
        "kind": String required;
        /// Name of the owner.
        "name": String required;
        /// UID of the owner.
        "uid": String required;
        /// Marks the owner as the managing controller.
        "controller": Boolean;
        /// Blocks the deletion of the owner until the object is gone.
        "blockOwnerDeletion": Boolean;
    }
}

object! {
    /// Fields that a field manager owns.
    ManagedFieldsEntry {
        /// Name of the field manager.
        "manager": String;
        /// Operation that set the fields: `Apply` or `Update`.
        "operation": String;
        /// API version of the fields.
        "apiVersion": String;
        /// Time of the operation.
        "time": Time;
        /// Format of `fieldsV1`; always `FieldsV1`.
        "fieldsType": String;
        /// Owned fields.
        "fieldsV1": Any;
        /// Subresource that was written.
        "subresource": String;
    }
}

/// The annotation in which `kubectl apply` stores its last input: the whole object as a string.
pub const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";

/// Deserializes labels.
fn labels<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<BTreeMap<String, String>, D::Error> {
    Texts::<false>::deserialize(deserializer).map(|it| it.0)
}

fn annotations<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<BTreeMap<String, String>, D::Error> {
    Texts::<true>::deserialize(deserializer).map(|it| it.0)
}

/// Strings by name; with `ANNOTATIONS`, without the value of [`LAST_APPLIED`].
#[derive(Default)]
struct Texts<const ANNOTATIONS: bool>(BTreeMap<String, String>);

impl<'de, const ANNOTATIONS: bool> Deserialize<'de> for Texts<ANNOTATIONS> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Self::default())
    }
}

impl<'de, const ANNOTATIONS: bool> Visitor<'de> for Texts<ANNOTATIONS> {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<Self, A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            let value = match key.as_str() {
                LAST_APPLIED if ANNOTATIONS => {
                    map.next_value::<IgnoredAny>()?;
                    String::new()
                }
                _ => map.next_value()?,
            };
            self.0.insert(key, value);
        }
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{LAST_APPLIED, ObjectMeta};
    use garden_gate_text::json::decode_value;

    #[test]
    fn of_what_was_applied_last_only_remains_that_there_is_something() {
        let metadata = json!({"name": "a", "annotations": {LAST_APPLIED: "{\"a\": 1}", "b": "c"}});
        let read: ObjectMeta = serde_json::from_value(metadata).unwrap();
        let annotations: Vec<(&str, &str)> =
            read.annotations.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
        assert_eq!(annotations, [("b", "c"), (LAST_APPLIED, "")]);
    }

    #[test]
    fn annotations_are_texts() {
        for wrong in [json!({"a": 1}), json!([]), json!("a")] {
            let metadata = json!({"annotations": wrong});
            assert!(serde_json::from_value::<ObjectMeta>(metadata).is_err());
        }
        let none: ObjectMeta = decode_value(&json!({"annotations": null})).unwrap();
        assert_eq!(none, ObjectMeta::default());
    }

    #[test]
    fn null_is_no_text() {
        let metadata = json!({"annotations": {"a": null}, "labels": {"b": null}});
        let read: ObjectMeta = decode_value(&metadata).unwrap();
        assert_eq!(read.annotations["a"], "");
        assert_eq!(read.labels["b"], "");
    }
}
