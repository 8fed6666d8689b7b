// SPDX-License-Identifier: Apache-2.0
use std::io::Read as _;
use std::sync::LazyLock;

use flate2::read::GzDecoder;
use serde::Deserialize;

use super::objects::object_of;
use super::schema::Schema;
use crate::api::{GardenerVersion, Kind, Object};

/// A kind that a CustomResourceDefinition declares.
#[derive(Debug)]
pub struct Definition {
    /// The kind.
    pub kind: Kind,
    /// The version of Gardener whose definition this is.
    pub release: GardenerVersion,
    /// The schema of its objects.
    pub schema: Schema,
    /// Whether the status is written as a subresource only.
    pub has_status: bool,
}

/// A definition with its fields for editors, which is read on first use; `None` if it is not valid.
type Embedded = LazyLock<Option<(Definition, &'static Object)>>;

/// The definitions of the operator's kinds, from the module `github.com/gardener/gardener` of v1.150.0.
static DEFINITIONS: [(Kind, Embedded); 2] = [
    (
        Kind::Garden,
        LazyLock::new(|| {
            read(Kind::Garden, include_bytes!("../../../definitions/gardens.json.gz"))
        }),
    ),
    (
        Kind::Extension,
        LazyLock::new(|| {
            read(Kind::Extension, include_bytes!("../../../definitions/extensions.json.gz"))
        }),
    ),
];

/// Reads a CustomResourceDefinition as compressed JSON.
fn read(kind: Kind, compressed: &[u8]) -> Option<(Definition, &'static Object)> {
    let mut text = String::new();
    GzDecoder::new(compressed).read_to_string(&mut text).ok()?;
    let definition = Definition::of_text(kind, &text)?;
    // Another object of the API has the name `Extension`.
    let object = object_of(&format!("Operator{kind}"), &definition.schema);
    Some((definition, object))
}

#[derive(Deserialize)]
struct CustomResourceDefinition {
    spec: Spec,
}

#[derive(Deserialize)]
struct Spec {
    versions: Vec<Version>,
}

#[derive(Deserialize)]
struct Version {
    name: String,
    #[serde(default)]
    subresources: Subresources,
    schema: Validation,
}

#[derive(Default, Deserialize)]
struct Subresources {
    status: Option<serde_json::Value>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Validation {
    #[serde(rename = "openAPIV3Schema")]
    schema: Schema,
}

impl Definition {
    /// Returns the definition of a kind; `None` for kinds without one.
    pub fn of(kind: Kind) -> Option<&'static Self> {
        let (_, definition) = DEFINITIONS.iter().find(|(it, _)| *it == kind)?;
        definition.as_ref().map(|(definition, _)| definition)
    }

    /// Reads a CustomResourceDefinition in JSON.
    ///
    /// `None` if it lacks the version of the kind, or has keywords that are not evaluated.
    pub fn of_text(kind: Kind, text: &str) -> Option<Self> {
        let definition: CustomResourceDefinition = serde_json::from_str(text).ok()?;
        let mut versions = definition.spec.versions.into_iter();
        let version = versions.find(|it| it.name == kind.api().1)?;
        Some(Self {
            kind,
            release: GardenerVersion::NEWEST,
            schema: version.schema.schema,
            has_status: version.subresources.status.is_some(),
        })
    }
}

/// Returns the kinds with definitions, and their fields.
pub(in crate::api) fn declared() -> impl Iterator<Item = (Kind, &'static Object)> {
    DEFINITIONS.iter().filter_map(|(kind, it)| Some((*kind, it.as_ref()?.1)))
}

/// Reports whether a kind of this name has a definition; none is read.
pub(in crate::api) fn is_declared(kind: &str) -> bool {
    DEFINITIONS.iter().any(|(it, _)| it.as_str() == kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_definitions_are_read() {
        for (kind, _) in &DEFINITIONS {
            let definition = Definition::of(*kind).unwrap();
            assert!(definition.schema.properties.contains_key("spec"), "{kind}");
            assert!(definition.has_status);
        }
    }

    #[test]
    fn unknown_keyword_is_no_definition() {
        let text = |keyword: &str| {
            format!(
                r#"{{"spec": {{"versions": [{{"name": "v1alpha1", "schema": {{"openAPIV3Schema": {{"type": "object", {keyword}}}}}}}]}}}}"#
            )
        };
        let is_read = |keyword| Definition::of_text(Kind::Garden, &text(keyword)).is_some();
        assert!(is_read(r#""minProperties": 1"#));
        assert!(!is_read(r#""x-kubernetes-embedded-resource": true"#));
    }
}
