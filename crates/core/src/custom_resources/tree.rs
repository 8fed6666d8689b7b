// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::Value;

use crate::admission::FieldPath;
use garden_gate_text::go::whole;
use garden_gate_text::json::{JsonReader, RawJson, as_text};

/// A JSON value as an API server decodes it: whole numbers are of 64 bits, and the last one of duplicate fields counts.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Tree {
    /// `null`.
    Null,
    /// A boolean.
    Bool(bool),
    /// A number without fraction and exponent that fits 64 bits.
    Int(i64),
    /// Any other number.
    Double(f64),
    /// A string.
    String(String),
    /// A list.
    List(Vec<Tree>),
    /// An object.
    Map(BTreeMap<String, Tree>),
}

/// A value that is read, and what is wrong in its text.
#[derive(Debug)]
pub(super) struct ReadTree {
    pub(super) tree: Tree,
    /// Fields that are set more than once, with the number of times.
    pub(super) repeated: Vec<(FieldPath, String, usize)>,
    /// The number of such fields.
    pub(super) repeated_count: usize,
    /// The reason why the value cannot be judged, with its field.
    pub(super) unreadable: Option<(FieldPath, &'static str)>,
}

/// Maximum nesting of lists and objects, for the stack of recursive functions.
const DEEPEST: usize = 200;
/// Maximum number of listed duplicates.
const MOST_REPEATED: usize = 20;

const TOO_DEEP: &str = "the object has more than 200 levels of lists and objects";
const OUT_OF_RANGE: &str = "a number is beyond the range of 64 bits";

impl ReadTree {
    /// Reads a JSON text.
    pub(super) fn of(text: &str) -> Self {
        let read =
            Self { tree: Tree::Null, repeated: Vec::new(), repeated_count: 0, unreadable: None };
        let mut reader = TreeReader { reader: JsonReader::of(text), read };
        let tree = reader.value(&FieldPath::root(), 0);
        ReadTree { tree: tree.unwrap_or(Tree::Null), ..reader.read }
    }
}

struct TreeReader<'t> {
    reader: JsonReader<'t>,
    read: ReadTree,
}

impl TreeReader<'_> {
    /// Reads the next value; `None` at the end of its parent.
    fn value(&mut self, path: &FieldPath, depth: usize) -> Option<Tree> {
        let value = self.reader.value()?;
        Some(match value {
            RawJson::List | RawJson::Object if depth >= DEEPEST => {
                self.reader.end();
                self.unreadable(path, TOO_DEEP)
            }
            RawJson::List => {
                let mut items = Vec::new();
                while let Some(item) = self.value(&path.index(items.len()), depth + 1) {
                    items.push(item);
                }
                Tree::List(items)
            }
            RawJson::Object => self.object(path, depth),
            RawJson::Null => Tree::Null,
            RawJson::Boolean(value) => Tree::Bool(value),
            RawJson::Text(quoted) => Tree::String(quoted.text().into_owned()),
            RawJson::Number(text) => self.number(text, path),
        })
    }

    fn object(&mut self, path: &FieldPath, depth: usize) -> Tree {
        let mut fields = BTreeMap::new();
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        while let Some(name) = self.reader.name() {
            let name = as_text(name).into_owned();
            let value = self.value(&path.child_called(&name), depth + 1).unwrap_or(Tree::Null);
            if fields.contains_key(&name) {
                *counts.entry(name.clone()).or_insert(1) += 1;
            }
            fields.insert(name, value);
        }
        self.read.repeated_count += counts.len();
        for (name, count) in counts {
            if self.read.repeated.len() < MOST_REPEATED {
                self.read.repeated.push((path.child_called(&name), name, count));
            }
        }
        Tree::Map(fields)
    }

    fn number(&mut self, text: &str, path: &FieldPath) -> Tree {
        let is_whole = !text.contains(['.', 'e', 'E']);
        match (text.parse::<i64>(), text.parse::<f64>()) {
            (Ok(number), _) if is_whole => Tree::Int(number),
            (_, Ok(number)) if number.is_finite() => Tree::Double(number),
            _ => self.unreadable(path, OUT_OF_RANGE),
        }
    }

    fn unreadable(&mut self, path: &FieldPath, why: &'static str) -> Tree {
        self.read.unreadable.get_or_insert_with(|| (path.clone(), why));
        Tree::Null
    }
}

impl Tree {
    /// Returns the fields of an object.
    pub(super) fn as_map(&self) -> Option<&BTreeMap<String, Self>> {
        match self {
            Self::Map(fields) => Some(fields),
            _ => None,
        }
    }

    /// Returns the items of a list.
    pub(super) fn as_list(&self) -> Option<&[Self]> {
        match self {
            Self::List(items) => Some(items),
            _ => None,
        }
    }

    /// Reports whether it is `null`.
    pub(super) fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// Returns a string, boolean or number as JSON, for messages; `null` for others.
    pub(super) fn scalar(&self) -> Value {
        match self {
            Self::Bool(value) => (*value).into(),
            Self::Int(value) => (*value).into(),
            Self::Double(value) => whole(*value).map_or_else(|| (*value).into(), Into::into),
            Self::String(value) => value.as_str().into(),
            Self::Null | Self::List(_) | Self::Map(_) => Value::Null,
        }
    }

    /// Writes the value as text that is the same for equal values only.
    ///
    /// With `distinguishes_numbers`, `1` and `1.0` differ.
    pub(super) fn write_canonical(&self, distinguishes_numbers: bool, text: &mut String) {
        match self {
            Self::Null => text.push_str("null"),
            // Writing to a string cannot fail.
            Self::Bool(value) => _ = write!(text, "{value}"),
            Self::Int(value) => _ = write!(text, "{value}"),
            Self::Double(value) => {
                let mark = if distinguishes_numbers { "d" } else { "" };
                _ = write!(text, "{value}{mark}");
            }
            Self::String(value) => _ = write!(text, "{value:?}"),
            Self::List(items) => {
                text.push('[');
                for item in items {
                    item.write_canonical(distinguishes_numbers, text);
                    text.push(',');
                }
                text.push(']');
            }
            Self::Map(fields) => {
                text.push('{');
                for (name, value) in fields {
                    _ = write!(text, "{name:?}:");
                    value.write_canonical(distinguishes_numbers, text);
                    text.push(',');
                }
                text.push('}');
            }
        }
    }

    /// Returns the tree of a JSON value, for defaults of a schema.
    pub(super) fn of_json(json: &Value) -> Self {
        ReadTree::of(&json.to_string()).tree
    }
}
