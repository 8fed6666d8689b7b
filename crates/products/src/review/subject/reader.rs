// SPDX-License-Identifier: Apache-2.0
//! Parses the objects of a file.

use std::sync::Arc;

use rayon::prelude::*;

use super::Subject;
use super::document::{is_list_of_judged, subject};
use super::neighbours::{OtherObject, other};
use crate::report::Placeholder;
use crate::review::credentials;
use crate::review::file_documents::FileDocument;
use crate::review::template;
use garden_gate_core::garden::{GardenObject, NamedObject, RawObject};
use garden_gate_text::yaml::{self, Document, SourceError, Text};

/// The content of a file.
#[derive(Debug, Default)]
pub struct FileObjects {
    /// The objects that can be judged.
    pub subjects: Vec<Subject>,
    /// Objects to which others may refer, by name only, or with the values of ConfigMaps.
    pub named: Vec<NamedObject>,
    /// Policies, their bindings, and Namespaces, with the file.
    pub policies: Vec<(Arc<str>, GardenObject)>,
    /// Objects that policies may use as parameters.
    pub parameters: Vec<RawObject>,
    /// The number of objects that are not judged.
    pub others: usize,
    /// A placeholder of documents that are skipped, since they are templates, if there are any.
    pub template: Option<Placeholder>,
}

impl FileObjects {
    /// Removes documents that are templates, unless the file has nothing else and they are not of a judged kind.
    pub fn leave_templates(&mut self) {
        let is_lost = |it: &Subject| it.why_unreadable().is_some();
        self.template = self.subjects.iter().find_map(Subject::template);
        if self.template.is_some() || !self.subjects.iter().all(is_lost) {
            self.subjects.retain(|it| !is_lost(it));
        }
    }
}

/// An object of a file.
enum Object {
    Judged(Box<Subject>),
    Other(Box<OtherObject>),
}

/// Parses a file. Documents stay in memory if `keeps` is set.
pub fn read(file: &str, text: String, keeps: bool) -> FileObjects {
    let file: Arc<str> = file.into();
    let text = Arc::new(text);
    let objects = in_parts(&file, &text, keeps).unwrap_or_else(|| {
        let text = Arc::new(Text::new(text));
        let parsed = objects(&file, &text, keeps);
        parsed.unwrap_or_else(|error| vec![unreadable(&file, text, error)])
    });
    let mut held = FileObjects::default();
    for (index, object) in objects.into_iter().enumerate() {
        match object {
            Object::Judged(subject) => {
                held.subjects.push(Subject { number: index + 1, ..*subject });
            }
            Object::Other(other) => {
                let OtherObject { named, policy, parameter } = *other;
                held.named.extend(named);
                let policy = policy.map(|policy| (Arc::clone(&file), policy));
                held.policies.extend(policy);
                held.parameters.extend(parameter);
                held.others += 1;
            }
        }
    }
    held
}

/// Parses the documents of a text in parallel.
///
/// A template among them hides no other document, since `kubectl` applies one after another. Returns `None` if another
/// document fails, so that the error refers to the text as a whole.
fn in_parts(file: &Arc<str>, text: &Arc<String>, keeps: bool) -> Option<Vec<Object>> {
    let parts = yaml::split(text);
    if parts.len() == 1 {
        return None;
    }
    let parts = parts.into_par_iter().map(|(before, place)| {
        let text = Arc::new(Text::part(Arc::clone(text), place, before));
        match objects(file, &text, keeps) {
            Err(error) if template::is_template(text.as_str()) => {
                Ok(vec![unreadable(file, text, error)])
            }
            parsed => parsed,
        }
    });
    let parts: Result<Vec<_>, SourceError> = parts.collect();
    Some(parts.ok()?.into_iter().flatten().collect())
}

/// Returns a text without objects.
fn unreadable(file: &Arc<str>, text: Arc<Text>, error: SourceError) -> Object {
    text.hide(credentials::lines(text.as_str()));
    let SourceError { position, message, is_syntax } = error;
    let format = if file.ends_with(".json") { "JSON" } else { "YAML" };
    let message = if is_syntax { format!("not valid {format}: {message}") } else { message };
    let source = Err((message, position));
    Object::Judged(Box::new(Subject {
        written: FileDocument::unreadable(text),
        is_invalid: is_syntax,
        ..Subject::of(Arc::clone(file), source)
    }))
}

/// Parses the objects of a text.
fn objects(file: &Arc<str>, text: &Arc<Text>, keeps: bool) -> Result<Vec<Object>, SourceError> {
    let documents = yaml::parse_keeping_repeated(text.as_str())?;
    text.hide(credentials::lines_in(text.as_str(), &documents));
    let is_one = documents.len() == 1;
    let objects = documents.into_iter().flat_map(|document| {
        let parts = flatten(&document);
        let is_whole = is_one && parts.as_ref().is_none();
        let parts = parts.unwrap_or_else(|| vec![document]);
        // An array may contain lists.
        let parts = parts.into_iter().flat_map(|part| flatten(&part).unwrap_or_else(|| vec![part]));
        parts.map(move |part| (part, is_whole))
    });
    let objects = objects.map(|(document, is_whole)| {
        let Some(subject) = subject(file, &document) else {
            return Object::Other(Box::new(other(&document)));
        };
        let text = Arc::clone(text);
        let written = if is_whole {
            FileDocument::whole(text, document, keeps)
        } else {
            FileDocument::part(text, document)
        };
        Object::Judged(Box::new(Subject { written, ..subject }))
    });
    let mut objects: Vec<Object> = objects.collect();
    let count = objects.len();
    for object in &mut objects {
        if let Object::Judged(subject) = object {
            subject.written.objects = count;
        }
    }
    Ok(objects)
}

/// Returns the items of a list, or of an array with objects; `None` for other documents.
///
/// For kubectl, each object with `items` is a list, whatever its kind and the case of that name. A typed list of a judged
/// kind may omit its items if it is empty; one with items without a kind is not split.
fn flatten(document: &Document) -> Option<Vec<Document>> {
    let is_typed = |it: &Document| it.text("/kind").is_some_and(|it| !it.is_empty());
    if let Some(items) = document.items() {
        return items.iter().any(is_typed).then_some(items);
    }
    let items = document.field_in_any_case("items");
    let items = items.and_then(|items| items.items());
    let is_of_ours = is_list_of_judged(document);
    let kind = document.text("/kind").unwrap_or_default();
    match items {
        Some(items) if is_of_ours => items.iter().all(is_typed).then_some(items),
        Some(items) if kind.ends_with("List") || items.iter().any(is_typed) => Some(items),
        None if is_of_ours => Some(Vec::new()),
        _ => None,
    }
}
