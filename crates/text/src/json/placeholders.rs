// SPDX-License-Identifier: Apache-2.0
use std::collections::HashMap;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::raw_value::{RawJson, as_text};
use super::scan::JsonReader;

/// Maximum depth of trees, below that of `serde_json`.
const DEEPEST: usize = 100;
/// The begin of a placeholder. In JSON, the character is always escaped.
const MARK: char = '\0';
const ESCAPED_MARK: &str = "\\u0000";

/// JSON that `serde_json::Value` cannot represent, replaced by strings in trees.
///
/// These are numbers beyond any type and deeply nested values; also strings that could be taken for placeholders. The same
/// JSON has the same placeholder, so that trees can be compared.
#[derive(Debug, Default)]
pub struct Placeholders {
    texts: Vec<Arc<str>>,
    known: HashMap<Arc<str>, usize>,
}

impl Placeholders {
    /// Parses a valid JSON text; halves of surrogate pairs become replacement characters, as in Go.
    pub fn tree(&mut self, text: &str) -> Value {
        match serde_json::from_str(text) {
            Ok(tree) if !text.contains(ESCAPED_MARK) => tree,
            _ => self.value(&mut JsonReader::of(text), 0).unwrap_or_default(),
        }
    }

    /// Returns the JSON text of a placeholder; `None` for other strings.
    pub fn text(&self, string: &str) -> Option<&str> {
        let index = string.strip_prefix(MARK)?.parse::<usize>();
        self.texts.get(index.ok()?).map(AsRef::as_ref)
    }

    /// Reads the next value; `None` at the end of the enclosing list or object. The depth limits the recursion.
    fn value(&mut self, reader: &mut JsonReader<'_>, depth: usize) -> Option<Value> {
        let before = *reader;
        let value = reader.value()?;
        match value {
            RawJson::Null => Some(Value::Null),
            RawJson::Boolean(value) => Some(Value::Bool(value)),
            RawJson::Number(text) => match serde_json::from_str(text) {
                Ok(number) => Some(Value::Number(number)),
                Err(_) => self.replaced(before),
            },
            RawJson::Text(quoted) => match quoted.text() {
                text if text.starts_with(MARK) => self.replaced(before),
                text => Some(Value::String(text.into_owned())),
            },
            RawJson::List | RawJson::Object if depth >= DEEPEST => {
                reader.end();
                self.replaced(before)
            }
            RawJson::List => {
                let items = std::iter::from_fn(|| self.value(reader, depth + 1));
                Some(items.collect())
            }
            RawJson::Object => {
                let mut fields = Map::new();
                while let Some(name) = reader.name() {
                    let value = self.value(reader, depth + 1).unwrap_or_default();
                    fields.insert(as_text(name).into_owned(), value);
                }
                Some(Value::Object(fields))
            }
        }
    }

    /// Returns a placeholder for the next value of a reader.
    fn replaced(&mut self, mut reader: JsonReader<'_>) -> Option<Value> {
        let text = reader.whole()?;
        let index = self.known.get(text).copied().unwrap_or_else(|| {
            let (index, text) = (self.texts.len(), Arc::from(text));
            self.texts.push(Arc::clone(&text));
            self.known.insert(text, index);
            index
        });
        Some(Value::String(format!("{MARK}{index}")))
    }
}
