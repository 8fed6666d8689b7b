use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde::ser::Error;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;
use serde_json::{Map, Number, Value};
use serde_path_to_error::{Path, Segment};

use super::build::refuse_duplicates;
use super::{Position, SourceError};
use crate::compat::{escape_step, unescape_step};

/// One document of a text, or a part of one. Cloning shares.
#[derive(Clone, Debug)]
pub struct Document {
    pub(super) root: Arc<Node>,
}

/// A value and where it begins. What an alias stands for is shared, not copied.
#[derive(Debug)]
pub(super) struct Node {
    pub position: Position,
    pub content: Content,
}

#[derive(Debug)]
pub(super) enum Content {
    Null,
    Bool(bool),
    Number(Number),
    /// A number with a fraction or exponent, as JSON may write it: to the letter, since `1.30` may be meant as a text.
    Fraction(Box<str>),
    Text(Box<str>),
    /// A plain `<<`; text, unless it is a key.
    Merge,
    Sequence(Vec<Arc<Node>>),
    Mapping(Vec<Entry>),
}

#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub key: Arc<str>,
    pub position: Position,
    pub value: Arc<Node>,
}

impl Document {
    /// The document as JSON.
    #[must_use]
    pub fn to_value(&self) -> Value {
        self.root.to_value()
    }

    /// The document as a `T`.
    ///
    /// # Errors
    /// Where the document does not have the shape of `T`; the message names the field.
    pub fn decode<T: DeserializeOwned>(&self) -> Result<T, SourceError> {
        serde_path_to_error::deserialize(self.to_value()).map_err(|error| {
            let pointer = pointer(error.path());
            let inner = error.inner().to_string();
            let position = if inner.starts_with("unknown field") {
                self.key_position(&pointer)
            } else {
                self.position(&pointer)
            };
            SourceError::new(position, describe(error.path(), &inner))
        })
    }

    /// Where a reader would look for what `pointer` (a JSON pointer) names: a scalar itself, but the key in front of a list,
    /// a mapping or nothing. What does not exist is looked for at its nearest existing parent.
    #[must_use]
    pub fn position(&self, pointer: &str) -> Position {
        let (key, node) = self.nearest(pointer);
        match node.content {
            Content::Null | Content::Sequence(_) | Content::Mapping(_) => key,
            _ => node.position,
        }
    }

    /// As [`Self::position`], but always the key; an item of a list has none and stands for itself.
    #[must_use]
    pub fn key_position(&self, pointer: &str) -> Position {
        self.nearest(pointer).0
    }

    /// The part of the document that `pointer` names; its own pointers begin there.
    #[must_use]
    pub fn part(&self, pointer: &str) -> Option<Document> {
        let steps = steps(pointer);
        let root = steps.iter().try_fold(&self.root, |node, step| {
            node.child(step).map(|(_, child)| child)
        })?;
        Some(Document { root: root.clone() })
    }

    /// The text that `pointer` names; `None` unless it is a string.
    #[must_use]
    pub fn text(&self, pointer: &str) -> Option<String> {
        match &self.part(pointer)?.root.content {
            Content::Text(text) => Some(text.to_string()),
            _ => None,
        }
    }

    /// Whether the document has fields.
    #[must_use]
    pub fn is_mapping(&self) -> bool {
        matches!(self.root.content, Content::Mapping(_))
    }

    /// Whether a key is given twice anywhere, so that [`Self::to_value`] cannot hold all that is written.
    #[must_use]
    pub fn repeats_keys(&self) -> bool {
        self.check_keys().is_err()
    }

    /// Fails where a key is given twice, as [`parse`](super::parse) does.
    ///
    /// # Errors
    /// The first such key, with both places.
    pub fn check_keys(&self) -> Result<(), SourceError> {
        self.root.check_keys()
    }

    /// The items of a document that is a list; `None` if it is none.
    #[must_use]
    pub fn items(&self) -> Option<Vec<Document>> {
        let Content::Sequence(items) = &self.root.content else {
            return None;
        };
        Some(
            items
                .iter()
                .map(|item| Document { root: item.clone() })
                .collect(),
        )
    }

    /// The deepest node on the way to `pointer`, and the place of its key.
    fn nearest(&self, pointer: &str) -> (Position, &Node) {
        let mut found = (self.root.position, self.root.as_ref());
        for step in steps(pointer) {
            let Some((key, child)) = found.1.child(&step) else {
                break;
            };
            found = (key, child);
        }
        found
    }
}

impl Node {
    fn to_value(&self) -> Value {
        match &self.content {
            Content::Null => Value::Null,
            Content::Bool(bool) => Value::Bool(*bool),
            Content::Number(number) => Value::Number(number.clone()),
            Content::Fraction(text) => fraction(text).map_or(Value::Null, Value::Number),
            Content::Text(text) => Value::String(text.to_string()),
            Content::Merge => Value::String("<<".to_owned()),
            Content::Sequence(items) => items.iter().map(|item| item.to_value()).collect(),
            Content::Mapping(entries) => entries
                .iter()
                .map(|entry| (entry.key.to_string(), entry.value.to_value()))
                .collect::<Map<_, _>>()
                .into(),
        }
    }

    fn check_keys(&self) -> Result<(), SourceError> {
        match &self.content {
            Content::Sequence(items) => items.iter().try_for_each(|item| item.check_keys()),
            Content::Mapping(entries) => {
                refuse_duplicates(entries)?;
                let mut values = entries.iter().map(|entry| &entry.value);
                values.try_for_each(|value| value.check_keys())
            }
            _ => Ok(()),
        }
    }

    /// The child at one step of a pointer, and the place of its key.
    fn child(&self, step: &str) -> Option<(Position, &Arc<Node>)> {
        match &self.content {
            Content::Sequence(items) => {
                let item = items.get(step.parse::<usize>().ok()?)?;
                Some((item.position, item))
            }
            Content::Mapping(entries) => {
                let entry = entries.iter().rev().find(|entry| *entry.key == *step)?;
                Some((entry.position, &entry.value))
            }
            _ => None,
        }
    }
}

/// The number that a text of JSON is.
pub(super) fn fraction(text: &str) -> Option<Number> {
    serde_json::from_str(text).ok()
}

impl Serialize for Document {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.root.serialize(serializer)
    }
}

/// As the text says it: keys that repeat, and numbers to the letter.
impl Serialize for Node {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.content {
            Content::Null => serializer.serialize_unit(),
            Content::Bool(bool) => serializer.serialize_bool(*bool),
            Content::Number(number) => number.serialize(serializer),
            Content::Fraction(text) => match RawValue::from_string(text.to_string()) {
                Ok(number) => number.serialize(serializer),
                Err(error) => Err(S::Error::custom(error)),
            },
            Content::Text(text) => serializer.serialize_str(text),
            Content::Merge => serializer.serialize_str("<<"),
            Content::Sequence(items) => serializer.collect_seq(items.iter().map(AsRef::as_ref)),
            Content::Mapping(entries) => {
                let entries = entries.iter();
                serializer.collect_map(entries.map(|entry| (&*entry.key, entry.value.as_ref())))
            }
        }
    }
}

fn steps(pointer: &str) -> Vec<String> {
    pointer.split('/').skip(1).map(unescape_step).collect()
}

/// The JSON pointer of a path that serde walked.
#[must_use]
pub fn pointer(path: &Path) -> String {
    path.iter()
        .filter_map(|segment| match segment {
            Segment::Seq { index } => Some(index.to_string()),
            Segment::Map { key } | Segment::Enum { variant: key } => Some(escape_step(key)),
            Segment::Unknown => None,
        })
        .fold(String::new(), |pointer, step| pointer + "/" + &step)
}

/// Serde's message in the words of YAML, with the field in front, and the remedy where YAML misread a text.
fn describe(path: &Path, message: &str) -> String {
    let mut message = match message.split_once("expected struct ") {
        Some((found, _)) => format!("{found}expected a mapping"),
        None => message.replace("expected a sequence", "expected a list"),
    };
    for (rust, yaml) in [
        ("type: sequence,", "type: list,"),
        ("type: map,", "type: mapping,"),
    ] {
        message = message.replace(rust, yaml);
    }
    let scalar = ["integer ", "floating point ", "boolean "];
    let misread = message
        .strip_prefix("invalid type: ")
        .is_some_and(|rest| scalar.iter().any(|kind| rest.starts_with(kind)));
    if misread && message.ends_with("expected a string") {
        message.push_str("; put it in quotes");
    }
    match path.iter().next() {
        None => message,
        Some(_) => format!("`{path}`: {message}"),
    }
}
