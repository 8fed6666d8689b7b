// SPDX-License-Identifier: Apache-2.0
//! The objects of files, with everything that their verdicts need.

mod directory_problem;
mod document;
mod edits;
mod neighbours;
mod opened;
mod problems;
mod profile;
mod reader;
mod request;
mod skip_reasons;
mod source;
mod states;
mod verdict;

pub(in crate::review) use self::directory_problem::{DirectoryProblem, RefusedDocument};
pub use self::reader::{FileObjects, read};
pub(in crate::review) use self::source::Doubt;
pub use self::verdict::ChangeForms;
pub(in crate::review) use self::verdict::Judged;

use std::fmt;
use std::sync::Arc;

use serde_json::value::to_raw_value;

use self::source::Source;
use super::file_documents::FileDocument;
use crate::report::Edit;
use garden_gate_core::admission::{Kind, Operation, Request};
use garden_gate_core::garden::{self, GardenObject, ObjectKey};
use garden_gate_core::stored::Drift;
use garden_gate_text::yaml::{Document, Position, Text};

/// A message about other copies of an object.
#[derive(Clone, Debug)]
pub enum Copies {
    /// The copies differ: a finding of a rule.
    Warned(String),
    /// The copies are equal, or existed before: a note.
    Noted(String),
}

/// An object of a file, with everything that its verdict needs.
#[derive(Clone)]
pub struct Subject {
    /// The file, as the user would name it.
    pub file: Arc<str>,
    number: usize,
    identity: Identity,
    /// Whether the file is not valid YAML.
    is_invalid: bool,
    /// The object or request to judge, or an error.
    source: Result<Source, (String, Position)>,
    written: FileDocument,
    /// The beginning of the object in the document.
    begin: Position,
    /// The object as the other objects of a change see it.
    kept: Option<GardenObject>,
    /// The differences from the stored object.
    pub drift: Vec<Drift>,
    /// The versions that were written into the file, and those that could not be.
    pub edits: Vec<Edit>,
    /// A message about other copies of the object in the change.
    pub copies: Option<Copies>,
    /// Problems that depend on the other manifests of a directory for `gardenadm`.
    problems: Vec<DirectoryProblem>,
    /// The pointer to the object in the document: empty for a manifest, set for an AdmissionReview.
    object_at: &'static str,
}

#[derive(Clone, Default)]
struct Identity {
    kind: String,
    namespace: String,
    name: String,
}

impl fmt::Debug for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} in {}", self.title(), self.place())
    }
}

impl Subject {
    /// Returns a subject with an error, for a file without objects to judge.
    pub fn unreadable(file: &str, why: String) -> Self {
        Self::of(file.into(), Err((why, Position::START)))
    }

    fn of(file: Arc<str>, source: Result<Source, (String, Position)>) -> Self {
        Self {
            file,
            number: 1,
            identity: Identity::default(),
            is_invalid: false,
            source,
            written: FileDocument::unreadable(Arc::new(Text::new(String::new()))),
            begin: Position::START,
            kept: None,
            drift: Vec::new(),
            edits: Vec::new(),
            copies: None,
            problems: Vec::new(),
            object_at: "",
        }
    }

    /// Reports whether this is a manifest of a namespaced garden object without a namespace.
    pub fn lacks_namespace(&self) -> bool {
        let key = self.key();
        key.is_some_and(|it| it.kind.is_namespaced() && !it.kind.is_of_shoot_cluster())
            && self.identity.namespace.is_empty()
    }

    /// Sets the namespace of a manifest without one.
    pub fn set_namespace(&mut self, namespace: &str) {
        let is_without = self.identity.namespace.is_empty();
        let document = is_without.then(|| self.document()).flatten();
        let (Ok(Source::Manifest(kind, change)), Some(document)) = (&mut self.source, document)
        else {
            return;
        };
        if kind.is_namespaced()
            && let Ok(new) = to_raw_value(&document.in_namespace(namespace))
        {
            self.kept = garden::read_with_configuration(*kind, new.get()).ok().flatten();
            change.new = Some(new);
            namespace.clone_into(&mut self.identity.namespace);
        }
    }

    /// Returns the position for new annotations.
    ///
    /// It is that of existing ones or, with `true`, that of a new field of the metadata.
    pub(in crate::review) fn annotations(&self) -> Option<(Position, bool)> {
        let document = self.document()?;
        let at = |pointer: &str| document.first_key(&format!("{}{pointer}", self.object_at));
        let found = match document.part(&format!("{}/metadata/annotations", self.object_at)) {
            Some(_) => (at("/metadata/annotations")?, false),
            None => (at("/metadata")?, true),
        };
        Some((self.position_in_file(found.0), found.1))
    }

    /// Formats the position, such as `shoots/web.yaml:3`, with the column if that is not the first.
    pub fn place(&self) -> String {
        let begin = self.written.excerpt(self.begin).position;
        match begin.column {
            1 => format!("{}:{}", self.file, begin.line),
            column => format!("{}:{}:{column}", self.file, begin.line),
        }
    }

    /// Returns the key of a manifest; `None` for an AdmissionReview, which contains its old state.
    pub fn key(&self) -> Option<ObjectKey> {
        let Ok(Source::Manifest(kind, _)) = &self.source else {
            return None;
        };
        let namespace = if kind.is_namespaced() { self.identity.namespace.as_str() } else { "" };
        Some(ObjectKey::new(*kind, namespace, &self.identity.name))
    }

    /// Reports whether this is an AdmissionReview.
    pub(in crate::review) fn is_review(&self) -> bool {
        matches!(&self.source, Ok(Source::Review(_)))
    }

    /// Returns the kind and operation of an AdmissionReview; `None` for manifests and kinds without rules.
    pub fn asks_for(&self) -> Option<(Kind, Operation)> {
        let Ok(Source::Review(review)) = &self.source else {
            return None;
        };
        let request = Request::from_review(review.as_bytes()).ok()?;
        Some((request.kind()?, request.operation))
    }

    /// Returns the document, parsed again if it is not in memory.
    pub fn document(&self) -> Option<Document> {
        self.written.document()
    }

    /// Returns the object in its document; `None` if the document cannot be parsed.
    pub fn object(&self) -> Option<Document> {
        let document = self.document()?;
        document.part(self.object_at)
    }

    /// Returns the text of the whole file.
    pub fn whole_text(&self) -> &str {
        self.written.of_file()
    }

    /// Converts a position in the document to a position in the file.
    pub fn position_in_file(&self, position: Position) -> Position {
        self.written.excerpt(position).position
    }

    /// Takes the object for the other objects of a change; `None` if it cannot be parsed as its kind.
    pub(in crate::review) fn take_kept(&mut self) -> Option<GardenObject> {
        self.kept.take()
    }

    /// Replaces the content by an error.
    pub fn fails(&mut self, why: String) {
        let document = self.document();
        let position = document.map_or(Position::START, |it| it.position("/metadata/name"));
        self.source = Err((why, position));
    }

    /// Formats a title, such as `Project dev` or `Shoot garden-dev/web`.
    pub fn title(&self) -> String {
        let Identity { kind, namespace, name } = &self.identity;
        let slash = if namespace.is_empty() { "" } else { "/" };
        format!("{kind} {namespace}{slash}{name}")
    }

    /// Reports whether both are the same document of a file.
    pub(in crate::review) fn is_document_of(&self, other: &Self) -> bool {
        self.number == other.number
    }
}
