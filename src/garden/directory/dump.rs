use std::io::{self, ErrorKind};
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::files::{self, Limit, Trees};
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

    /// Reads the record of a directory, or returns an empty one if the file does not exist.
    ///
    /// # Errors
    /// Fails if the file cannot be read or is not a valid record.
    pub fn read(directory: &Path) -> io::Result<Self> {
        let path = directory.join(Self::FILE);
        let text = match files::read_text_in(&Trees::new([directory]), &path, Limit::CONFIGURATIONS)
        {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Self::default()),
            text => text?,
        };
        let invalid = |error: SourceError| {
            io::Error::new(ErrorKind::InvalidData, format!("{}:{error}", path.display()))
        };
        let documents = yaml::parse(&text).map_err(invalid)?;
        let document = documents.first().map(Document::decode);
        document.unwrap_or_else(|| Ok(Self::default())).map_err(invalid)
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
