// SPDX-License-Identifier: Apache-2.0
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use garden_gate_model::api::Kind;
use garden_gate_text::yaml::{self, Document, SourceError};

/// The record that `garden-gate dump` writes: its files, and incompletely listed kinds.
#[derive(Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
pub struct DumpRecord {
    /// The names of the files.
    #[serde(default)]
    pub files: Vec<String>,
    /// Kinds of which objects may be missing.
    #[serde(default)]
    pub incomplete: Vec<Incomplete>,
}

/// A kind of which objects may be missing.
#[derive(Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Incomplete {
    /// The name of the kind.
    pub kind: String,
    /// Its API group; empty for Kubernetes' own.
    #[serde(default)]
    pub group: String,
    /// The reason.
    pub reason: String,
}

impl DumpRecord {
    /// The name of the file with the record.
    pub const FILE: &str = "garden-dump.yaml";
    /// The `kind` of the document.
    pub(super) const KIND: &str = "GardenDump";
    /// Its API version.
    pub(super) const API_VERSION: &str = "garden-gate.dev/v1alpha1";

    /// Records that objects of a kind may be missing.
    pub fn add(&mut self, kind: Kind, reason: String) {
        self.incomplete.push(Incomplete {
            kind: kind.as_str().to_owned(),
            group: kind.api().0.to_owned(),
            reason,
        });
    }

    /// Parses a record; a text without documents is an empty one.
    ///
    /// # Errors
    /// Fails if the text is not a valid record.
    pub fn parse(text: &str) -> Result<Self, SourceError> {
        let documents = yaml::parse(text)?;
        let document = documents.first().map(Document::decode);
        document.unwrap_or_else(|| Ok(Self::default()))
    }

    /// Returns the document of the record.
    pub fn to_value(&self) -> Value {
        json!({
            "apiVersion": Self::API_VERSION,
            "kind": Self::KIND,
            "files": self.files,
            "incomplete": self.incomplete,
        })
    }

    /// Returns the kinds of which objects may be missing, with the reasons.
    pub(super) fn gaps(self) -> impl Iterator<Item = (Kind, String)> {
        let incomplete = self.incomplete.into_iter();
        incomplete.filter_map(|it| Some((Kind::of_manifest(&it.group, &it.kind)?, it.reason)))
    }
}
