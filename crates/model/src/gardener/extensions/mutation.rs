// SPDX-License-Identifier: Apache-2.0
use serde_json::Value;

use super::documents::{self, Documents};
use crate::api::extensions::{ConfigurationPlace, ExtensionVersion};
use crate::api::{CapabilityDefinition, Kind};
use garden_gate_text::json::Json;

/// A request as a mutating webhook sees it, and the changes that it makes.
#[derive(Debug)]
pub struct Mutation<'m, 'a> {
    /// The kind of the object.
    pub kind: Kind,
    /// Whether the request changes the spec of a stored object; true on CREATE.
    pub changes_spec: bool,
    /// The new object as received, completely parsed.
    pub new: &'m Json<'a>,
    /// The stored object, completely parsed; absent on CREATE.
    pub old: Option<&'m Json<'a>>,
    /// The configurations of the stored object; none on CREATE.
    pub old_documents: &'m Documents<'a>,
    /// The `spec.machineCapabilities` of the CloudProfile, or of the parent of a NamespacedCloudProfile.
    pub capabilities: &'m [CapabilityDefinition],
    /// The version of the extension.
    pub version: ExtensionVersion,
    /// The configurations of the new object, as changed so far.
    pub documents: &'m mut Documents<'a>,
    /// The changes.
    pub edits: &'m mut Vec<Edit>,
}

/// A change of an object: a value is set, with the objects above it, or removed.
#[derive(Clone, Debug, PartialEq)]
pub struct Edit {
    /// The JSON pointer.
    pub pointer: String,
    /// The new value; `null` removes a field.
    pub value: Value,
}

/// The refusal of a mutating webhook.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Refusal {
    /// A configuration cannot be decoded strictly.
    Undecodable {
        /// The field that contains it.
        place: ConfigurationPlace,
    },
    /// The webhook panics, which an API server reports as an internal error.
    Panic {
        /// The JSON pointer to the cause.
        pointer: String,
        /// The cause.
        message: String,
    },
    /// The webhook denies the request.
    Denied {
        /// The JSON pointer to the cause.
        pointer: String,
        /// The reason.
        message: String,
    },
}

/// The mutating webhook of an extension.
#[derive(Debug)]
pub struct Mutator {
    /// The name of the extension.
    pub extension: &'static str,
    /// Changes an object, or refuses it.
    pub mutate: fn(&mut Mutation<'_, '_>) -> Result<(), Refusal>,
}

impl Mutation<'_, '_> {
    /// Reports whether the object has worker pools.
    pub fn has_workers(&self) -> bool {
        let workers = self.new.opened_at(&["spec", "provider", "workers"]);
        !workers.opened_elements().is_empty()
    }

    /// Sets a value of the new object that is no configuration.
    pub fn set(&mut self, pointer: impl Into<String>, value: Value) {
        self.edits.push(Edit { pointer: pointer.into(), value });
    }

    /// Rewrites a configuration, or adds it.
    pub fn rewrite(&mut self, place: ConfigurationPlace, class: &str, value: Value) {
        self.rewrite_at(place, 0, class, value);
    }

    /// Rewrites the configuration of the worker pool or extension with an index, or adds it.
    pub fn rewrite_at(
        &mut self,
        place: ConfigurationPlace,
        index: usize,
        class: &str,
        value: Value,
    ) {
        self.documents.set((place, index), class, &value);
        self.set(documents::pointer(place, index, 0), value);
    }
}

#[cfg(test)]
impl Mutator {
    /// Returns the changes of an object, which is new without an old one. Its CloudProfile has `capabilities`.
    pub(super) fn edits(
        &self,
        (kind, version): (Kind, ExtensionVersion),
        new: &Value,
        old: Option<&Value>,
        capabilities: &[CapabilityDefinition],
    ) -> Result<Vec<Edit>, Refusal> {
        let texts = [Some(new), old].map(|it| it.map(ToString::to_string).unwrap_or_default());
        let [mut documents, old_documents] =
            [&texts[0], &texts[1]].map(|it| Documents::of(kind, it));
        let [parsed, stored] = [&texts[0], &texts[1]].map(|it| Json::text(it).opened());
        let mut edits = Vec::new();
        (self.mutate)(&mut Mutation {
            kind,
            changes_spec: old.is_none_or(|it| it["spec"] != new["spec"]),
            new: &parsed,
            old: old.map(|_| &stored),
            old_documents: &old_documents,
            capabilities,
            version,
            documents: &mut documents,
            edits: &mut edits,
        })?;
        Ok(edits)
    }
}
