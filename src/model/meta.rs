use std::collections::BTreeMap;
use std::fmt;

use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use super::{is_default, null_is_default};

/// The annotation in which `kubectl apply` stores its last input: the whole object as a string.
pub const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";

/// The part of an object's metadata that rules read.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ObjectMeta {
    /// The object's name; empty if the API server has yet to generate one from `generateName`.
    #[serde(
        default,
        deserialize_with = "null_is_default",
        skip_serializing_if = "is_default"
    )]
    pub name: String,
    /// The namespace; empty for cluster-scoped kinds.
    #[serde(
        default,
        deserialize_with = "null_is_default",
        skip_serializing_if = "is_default"
    )]
    pub namespace: String,
    /// Labels.
    #[serde(
        default,
        deserialize_with = "labels",
        skip_serializing_if = "is_default"
    )]
    pub labels: BTreeMap<String, String>,
    /// Annotations, with an empty value of [`LAST_APPLIED`].
    ///
    /// That value is long, and only its presence matters.
    #[serde(
        default,
        deserialize_with = "annotations",
        skip_serializing_if = "is_default"
    )]
    pub annotations: BTreeMap<String, String>,
    /// The cleanup that is required before the object is removed.
    #[serde(
        default,
        deserialize_with = "null_is_default",
        skip_serializing_if = "is_default"
    )]
    pub finalizers: Vec<String>,
    /// The creation time (RFC 3339).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub creation_timestamp: Option<String>,
    /// The time of the deletion request (RFC 3339); `None` if deletion was not requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deletion_timestamp: Option<String>,
}

/// Deserializes labels; as in Go, a value that is `null` is empty.
fn labels<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<BTreeMap<String, String>, D::Error> {
    null_is_default(deserializer).map(|Texts::<false>(labels)| labels)
}

fn annotations<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<BTreeMap<String, String>, D::Error> {
    null_is_default(deserializer).map(|Texts::<true>(annotations)| annotations)
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
                _ => map.next_value::<Option<String>>()?.unwrap_or_default(),
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

    #[test]
    fn of_what_was_applied_last_only_remains_that_there_is_something() {
        let metadata = json!({"name": "a", "annotations": {LAST_APPLIED: "{\"a\": 1}", "b": "c"}});
        let read: ObjectMeta = serde_json::from_value(metadata).unwrap();
        let annotations: Vec<(&str, &str)> = read
            .annotations
            .iter()
            .map(|(key, value)| (key.as_str(), value.as_str()))
            .collect();
        assert_eq!(annotations, [("b", "c"), (LAST_APPLIED, "")]);
    }

    #[test]
    fn annotations_are_texts() {
        for wrong in [json!({"a": 1}), json!([]), json!("a")] {
            let metadata = json!({"annotations": wrong});
            assert!(serde_json::from_value::<ObjectMeta>(metadata).is_err());
        }
        let none: ObjectMeta = serde_json::from_value(json!({"annotations": null})).unwrap();
        assert_eq!(none, ObjectMeta::default());
    }

    #[test]
    fn null_is_no_text() {
        let metadata = json!({"annotations": {"a": null}, "labels": {"b": null}});
        let read: ObjectMeta = serde_json::from_value(metadata).unwrap();
        assert_eq!(read.annotations["a"], "");
        assert_eq!(read.labels["b"], "");
    }
}
