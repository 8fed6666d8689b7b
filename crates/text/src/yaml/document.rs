// SPDX-License-Identifier: Apache-2.0
use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde::ser::Error;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::tree::{self, Content, Index, Tree, number, refuse_duplicates};
use super::{Position, SourceError};
use crate::json::{JsonPath, decode, unescape_step, without_position};

/// A document of a text, or a part of one. Clones share the tree.
#[derive(Clone, Debug)]
pub struct Document {
    pub(super) tree: Arc<Tree>,
    pub(super) root: Index,
}

impl Document {
    /// Returns the document as JSON.
    pub fn to_value(&self) -> Value {
        to_value(self.root())
    }

    /// Decodes the document as a `T`.
    ///
    /// # Errors
    /// Fails if the document does not match `T`; the message names the field.
    pub fn decode<T: DeserializeOwned>(&self) -> Result<T, SourceError> {
        let text = serde_json::to_string(self)
            .map_err(|error| SourceError::new(self.position(""), error.to_string()))?;
        decode(&text).map_err(|error: serde_json::Error| {
            let path = JsonPath::of_error(&text, &error);
            let message = without_position(&error);
            let position = if message.starts_with("unknown field") {
                self.key_position(&path.pointer())
            } else {
                self.position(&path.pointer())
            };
            SourceError::new(position, describe(&path, &message))
        })
    }

    /// Returns the position at which readers look for the value of a JSON pointer.
    ///
    /// This is the position of a scalar itself, but the position of the key for a list, a mapping or null. For a
    /// missing value, it is the position of the nearest existing parent.
    pub fn position(&self, pointer: &str) -> Position {
        let (key, value) = self.nearest(pointer);
        match value.content() {
            Content::Null | Content::Sequence | Content::Mapping => key,
            _ => value.position(),
        }
    }

    /// Returns the position of the key, or that of the item in a list.
    pub fn key_position(&self, pointer: &str) -> Position {
        self.nearest(pointer).0
    }

    /// Returns the part of the document at `pointer`; pointers into the part are relative to it.
    pub fn part(&self, pointer: &str) -> Option<Document> {
        self.inside(pointer).map(|part| self.part_at(part))
    }

    fn inside(&self, pointer: &str) -> Option<tree::Value<'_>> {
        steps(pointer)
            .try_fold(self.root(), |value, step| child(value, &step).map(|(_, child)| child))
    }

    /// Returns the string at `pointer`; `None` if the value is no string.
    pub fn text(&self, pointer: &str) -> Option<String> {
        let part = self.inside(pointer)?;
        match part.content() {
            Content::Text(range) => Some(part.text_at(range).to_owned()),
            _ => None,
        }
    }

    /// Returns the position of the string at `pointer`.
    ///
    /// Returns `None` for other values, and for strings that aliases or merges share.
    pub fn own_position(&self, pointer: &str) -> Option<Position> {
        let part = self.part(pointer)?;
        let is_text = matches!(part.root().content(), Content::Text(_));
        let is_own = is_text && !self.tree.is_shared(part.root);
        is_own.then(|| part.root().position())
    }

    /// Returns the document with `metadata.namespace` set, for serialization.
    pub fn in_namespace<'d>(&'d self, namespace: &'d str) -> InNamespace<'d> {
        InNamespace { document: self, namespace }
    }

    /// Returns all mappings in the document, without those of aliases.
    pub fn mappings(&self) -> impl Iterator<Item = Document> {
        let parts = self.tree.parts(self.root).map(|part| self.part_at(part));
        parts.filter(Document::is_mapping)
    }

    /// Returns the lines of the document, up to and including that on which the next value of the text begins.
    ///
    /// The last value of a text ends with `usize::MAX`.
    pub fn lines(&self) -> Range<usize> {
        let first = self.tree.value(self.root).position().line;
        let next = self.tree.position_after(self.root);
        let last = next.map_or(usize::MAX, |it| it.line.saturating_add(1));
        first..last.max(first + 1)
    }

    /// Returns the position of the first key of the mapping at `pointer`.
    ///
    /// Returns `None` for another value, an empty mapping, or an alias.
    pub fn first_key(&self, pointer: &str) -> Option<Position> {
        let part = self.part(pointer)?;
        let entries = part.root().entries();
        let is_own = !self.tree.is_shared(part.root);
        entries.map(|entry| entry.position).min().filter(|_| is_own)
    }

    /// Reports whether the document is a mapping.
    pub fn is_mapping(&self) -> bool {
        matches!(self.root().content(), Content::Mapping)
    }

    /// Reports whether the document has duplicate keys, which [`Self::to_value`] cannot represent.
    pub fn repeats_keys(&self) -> bool {
        self.check_keys().is_err()
    }

    /// Checks for duplicate keys, as [`parse`](super::parse) does.
    ///
    /// # Errors
    /// Returns the first duplicate key with both positions.
    pub fn check_keys(&self) -> Result<(), SourceError> {
        check_keys(self.root())
    }

    /// Returns the value of a field whose name may be in any case, as in JSON for Go.
    pub fn field_in_any_case(&self, name: &str) -> Option<Document> {
        if !self.is_mapping() {
            return None;
        }
        let mut fields = self.root().entries();
        let field = fields.find(|it| it.key.eq_ignore_ascii_case(name))?;
        Some(self.part_at(field.value))
    }

    /// Returns the items of a list; `None` for another value.
    pub fn items(&self) -> Option<Vec<Document>> {
        let Content::Sequence = self.root().content() else {
            return None;
        };
        let items = self.root().items();
        Some(items.map(|item| self.part_at(item)).collect())
    }

    fn root(&self) -> tree::Value<'_> {
        self.tree.value(self.root)
    }

    fn part_at(&self, value: tree::Value<'_>) -> Document {
        Document { tree: Arc::clone(&self.tree), root: value.index() }
    }

    /// Returns the deepest existing value on the path `pointer`, and the position of its key.
    fn nearest(&self, pointer: &str) -> (Position, tree::Value<'_>) {
        let mut found = (self.root().position(), self.root());
        for step in steps(pointer) {
            let Some((key, child)) = child(found.1, &step) else {
                break;
            };
            found = (key, child);
        }
        found
    }
}

fn to_value(value: tree::Value<'_>) -> Value {
    match value.content() {
        Content::Null | Content::Alias(_) => Value::Null,
        Content::Bool(bool) => Value::Bool(bool),
        Content::Number(range) => number(value.text_at(range)).map_or(Value::Null, Value::Number),
        Content::Text(range) => Value::String(value.text_at(range).to_owned()),
        Content::Merge => Value::String("<<".to_owned()),
        Content::Sequence => value.items().map(to_value).collect(),
        Content::Mapping => {
            let entries =
                value.entries().map(|entry| (entry.key.to_owned(), to_value(entry.value)));
            entries.collect::<Map<_, _>>().into()
        }
    }
}

fn check_keys(value: tree::Value<'_>) -> Result<(), SourceError> {
    match value.content() {
        Content::Sequence => value.items().try_for_each(check_keys),
        Content::Mapping => {
            refuse_duplicates(value)?;
            value.entries().try_for_each(|entry| check_keys(entry.value))
        }
        _ => Ok(()),
    }
}

/// Returns the child at one step of a pointer, and the position of its key.
fn child<'t>(value: tree::Value<'t>, step: &str) -> Option<(Position, tree::Value<'t>)> {
    match value.content() {
        Content::Sequence => {
            let item = value.item(step.parse().ok()?)?;
            Some((item.position(), item))
        }
        Content::Mapping => {
            let entry = value.field(step.as_ref())?;
            Some((entry.position, entry.value))
        }
        _ => None,
    }
}

/// A document whose `metadata.namespace` is replaced.
#[derive(Debug)]
pub struct InNamespace<'d> {
    document: &'d Document,
    namespace: &'d str,
}

impl Serialize for InNamespace<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let root = self.document.root();
        let Content::Mapping = root.content() else {
            return SerializedValue(root).serialize(serializer);
        };
        let fields = root.entries().map(|entry| {
            let value = match entry.key {
                "metadata" => Part::Metadata(entry.value, self.namespace),
                _ => Part::Value(entry.value),
            };
            (entry.key, value)
        });
        serializer.collect_map(fields)
    }
}

/// A value in a document with a namespace.
enum Part<'t> {
    Value(tree::Value<'t>),
    Metadata(tree::Value<'t>, &'t str),
    Namespace(&'t str),
}

impl Serialize for Part<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match *self {
            Part::Namespace(namespace) => serializer.serialize_str(namespace),
            Part::Metadata(value, namespace) if matches!(value.content(), Content::Mapping) => {
                let others = value
                    .entries()
                    .filter(|entry| entry.key != "namespace")
                    .map(|entry| (entry.key, Part::Value(entry.value)));
                let namespace = ("namespace", Part::Namespace(namespace));
                serializer.collect_map(others.chain([namespace]))
            }
            Part::Value(value) | Part::Metadata(value, _) => {
                SerializedValue(value).serialize(serializer)
            }
        }
    }
}

/// Keeps duplicate keys, and numbers as written.
impl Serialize for Document {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        SerializedValue(self.root()).serialize(serializer)
    }
}

struct SerializedValue<'t>(tree::Value<'t>);

impl Serialize for SerializedValue<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let SerializedValue(value) = *self;
        match value.content() {
            Content::Null | Content::Alias(_) => serializer.serialize_unit(),
            Content::Bool(bool) => serializer.serialize_bool(bool),
            Content::Number(range) => serialize_number(value.text_at(range), serializer),
            Content::Text(range) => serializer.serialize_str(value.text_at(range)),
            Content::Merge => serializer.serialize_str("<<"),
            Content::Sequence => serializer.collect_seq(value.items().map(SerializedValue)),
            Content::Mapping => {
                let entries = value.entries();
                serializer
                    .collect_map(entries.map(|entry| (entry.key, SerializedValue(entry.value))))
            }
        }
    }
}

fn serialize_number<S: Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
    if let Ok(whole) = text.parse::<i64>()
        && text != "-0"
    {
        return serializer.serialize_i64(whole);
    }
    match RawValue::from_string(text.to_owned()) {
        Ok(number) => number.serialize(serializer),
        Err(error) => Err(S::Error::custom(error)),
    }
}

fn steps(pointer: &str) -> impl Iterator<Item = Cow<'_, str>> {
    let steps = pointer.split('/').skip(1);
    steps.map(|step| if step.contains('~') { unescape_step(step).into() } else { step.into() })
}

/// Formats an error of serde with YAML terms and the field, and with help for misread strings.
fn describe(path: &JsonPath, message: &str) -> String {
    let mut message = match message.split_once("expected struct ") {
        Some((found, _)) => format!("{found}expected a mapping"),
        None => message.replace("expected a sequence", "expected a list"),
    };
    for (rust, yaml) in [("type: sequence,", "type: list,"), ("type: map,", "type: mapping,")] {
        message = message.replace(rust, yaml);
    }
    let scalar = ["integer ", "floating point ", "boolean "];
    let misread = message
        .strip_prefix("invalid type: ")
        .is_some_and(|rest| scalar.iter().any(|kind| rest.starts_with(kind)));
    if misread && message.ends_with("expected a string") {
        message.push_str("; put it in quotes");
    }
    match path.steps.first() {
        None => message,
        Some(_) => format!("`{path}`: {message}"),
    }
}
