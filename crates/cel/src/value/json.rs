// SPDX-License-Identifier: Apache-2.0
//! Values from JSON, as an API server converts it.

use std::mem;
use std::sync::{Arc, LazyLock};

use super::{List, Map, Value};
use crate::schema::{Made, Schema, Untyped};
use garden_gate_text::go::whole;
use garden_gate_text::json::{JsonReader, RawJson, as_text};

/// Maximum nesting of JSON; API servers refuse objects with more.
const DEEPEST: usize = 10_000;

static TOO_DEEP: LazyLock<Arc<str>> =
    LazyLock::new(|| format!("it has more than {DEEPEST} levels of lists and objects").into());
static OUT_OF_RANGE: LazyLock<Arc<str>> =
    LazyLock::new(|| "it is a number beyond the range of `double`".into());

/// Returns the JSON text of a placeholder; `None` for other strings.
pub type Replaced<'r> = &'r dyn Fn(&str) -> Option<&'r str>;

impl Value {
    /// Converts a JSON text as an API server does: halves of surrogate pairs become U+FFFD.
    ///
    /// Whole numbers of 64 bits are `int`, all others `double`. Numbers and nested values that API servers cannot read are
    /// [`Value::Unreadable`].
    pub fn from_text(text: &str) -> Self {
        of_text(text, None::<Untyped>)
    }

    /// Converts a JSON text like [`Self::from_text`]. Numbers of the schema's fields with fractions are `double`, even if they are
    /// whole: an API server decodes such objects into Go types first.
    pub fn from_typed_text<S: Schema>(text: &str, schema: Option<S>) -> Self {
        of_text(text, schema)
    }

    /// Converts a JSON value like [`Self::from_text`].
    pub fn from_json(json: &serde_json::Value) -> Self {
        of_tree(json, None::<Untyped>, &|_| None)
    }

    /// Converts a tree like [`Self::from_typed_text`]; `replaced` returns the JSON text of a placeholder.
    pub fn from_tree<S: Schema>(
        tree: &serde_json::Value,
        schema: Option<S>,
        replaced: Replaced<'_>,
    ) -> Self {
        of_tree(tree, schema, replaced)
    }

    /// Returns the value of a field; `None` for other values than maps.
    pub fn field(&self, name: &str) -> Option<&Self> {
        match self {
            Self::Map(map) => map.field(name),
            _ => None,
        }
    }

    /// Returns the value at a path of field names.
    pub fn at(&self, path: &[&str]) -> Option<&Self> {
        path.iter().try_fold(self, |value, name| value.field(name))
    }

    /// Returns the elements of a list; none for other values.
    pub fn elements(&self) -> &[Self] {
        match self {
            Self::List(list) => &list.items,
            _ => &[],
        }
    }

    /// Converts a scalar of JSON to JSON; `null` for other values.
    pub fn to_scalar(&self) -> serde_json::Value {
        match self {
            Self::Bool(value) => (*value).into(),
            Self::Int(value) => (*value).into(),
            Self::Double(value) => whole(*value).map_or_else(|| (*value).into(), Into::into),
            Self::String(text) => (&**text).into(),
            _ => serde_json::Value::Null,
        }
    }

    /// Returns the value with a list of JSON at a path; maps and lists above it must exist.
    pub fn with_list(&self, path: &[String], items: Vec<Self>) -> Self {
        let [name, rest @ ..] = path else {
            return list_of_json(items);
        };
        match self {
            Self::Map(map) => {
                let mut entries = map.entries().to_vec();
                let entry = map.position(name).and_then(|it| entries.get_mut(it));
                if let Some((_, value)) = entry {
                    *value = value.with_list(rest, items);
                }
                map_of_json(entries)
            }
            Self::List(list) => {
                let mut elements = list.items.clone();
                let index = name.parse::<usize>().ok();
                if let Some(element) = index.and_then(|it| elements.get_mut(it)) {
                    *element = element.with_list(rest, items);
                }
                list_of_json(elements)
            }
            other => other.clone(),
        }
    }
}

fn list_of_json(items: Vec<Value>) -> Value {
    Value::List(Arc::new(List { items, depth: 0 }))
}

fn map_of_json(entries: Vec<(Value, Value)>) -> Value {
    Value::Map(Arc::new(Map::of_json(entries)))
}

/// Returns the schema of a field or of an entry; `None` if nothing is known.
fn inner<S: Schema>(schema: Option<S>, name: &str) -> Option<S> {
    match schema?.made() {
        Made::Object => schema?.field(name),
        Made::Map(value) => Some(value),
        _ => None,
    }
}

/// Returns the schema of the elements of a list.
fn element<S: Schema>(schema: Option<S>) -> Option<S> {
    match schema?.made() {
        Made::List(item) => Some(item),
        _ => None,
    }
}

fn is_fraction<S: Schema>(schema: Option<S>) -> bool {
    schema.is_some_and(|it| matches!(it.made(), Made::Number))
}

/// Converts a number as Go does: without a fraction and an exponent to 64 bits, or else to a `double`.
fn number(text: &str, is_fraction: bool) -> Value {
    let is_whole = !text.contains(['.', 'e', 'E']) && !is_fraction;
    match (text.parse::<i64>(), text.parse::<f64>()) {
        (Ok(whole), _) if is_whole => Value::Int(whole),
        (_, Ok(number)) if number.is_finite() => Value::Double(number),
        _ => Value::Unreadable(Arc::clone(&OUT_OF_RANGE)),
    }
}

/// A list or an object whose end is not read yet.
enum Open<S> {
    List(Vec<Value>, Option<S>),
    /// The entries, the name of the next one, and the schema of the object.
    Map(Vec<(Value, Value)>, Value, Option<S>),
}

impl<S: Schema> Open<S> {
    /// Returns the schema of the next value; `None` at the end.
    fn next(&mut self, reader: &mut JsonReader<'_>) -> Option<Option<S>> {
        match self {
            Self::List(_, schema) => Some(element(*schema)),
            Self::Map(_, next, schema) => {
                let name = as_text(reader.name()?);
                *next = Value::from(&*name);
                Some(inner(*schema, &name))
            }
        }
    }

    fn add(&mut self, value: Value) {
        match self {
            Self::List(items, _) => items.push(value),
            Self::Map(entries, name, _) => entries.push((mem::replace(name, Value::Null), value)),
        }
    }

    fn close(self) -> Value {
        match self {
            Self::List(items, _) => list_of_json(items),
            Self::Map(entries, ..) => map_of_json(entries),
        }
    }
}

/// Reads a text without recursion.
fn of_text<S: Schema>(text: &str, schema: Option<S>) -> Value {
    let mut reader = JsonReader::of(text);
    let mut open: Vec<Open<S>> = Vec::new();
    let mut next = Some(schema);
    loop {
        let is_full = open.len() >= DEEPEST;
        let read = next.and_then(|schema| Some((reader.value()?, schema)));
        let value = match read {
            Some((RawJson::List | RawJson::Object, _)) if is_full => {
                reader.end();
                Some(Value::Unreadable(Arc::clone(&TOO_DEEP)))
            }
            Some((RawJson::List, schema)) => {
                open.push(Open::List(Vec::new(), schema));
                None
            }
            Some((RawJson::Object, schema)) => {
                open.push(Open::Map(Vec::new(), Value::Null, schema));
                None
            }
            Some((RawJson::Null, _)) => Some(Value::Null),
            Some((RawJson::Boolean(value), _)) => Some(Value::Bool(value)),
            Some((RawJson::Number(text), schema)) => Some(number(text, is_fraction(schema))),
            Some((RawJson::Text(quoted), _)) => Some(Value::from(&*quoted.text())),
            None => Some(open.pop().map_or(Value::Null, Open::close)),
        };
        match (value, open.last_mut()) {
            (Some(value), None) => return value,
            (Some(value), Some(outer)) => outer.add(value),
            (None, _) => {}
        }
        next = open.last_mut().and_then(|it| it.next(&mut reader));
    }
}

/// Converts a tree, whose nesting `serde_json` limits.
fn of_tree<S: Schema>(
    json: &serde_json::Value,
    schema: Option<S>,
    replaced: Replaced<'_>,
) -> Value {
    match json {
        serde_json::Value::Null => Value::Null,
        serde_json::Value::Bool(value) => Value::Bool(*value),
        serde_json::Value::Number(number) => match number.as_i64() {
            Some(whole) if !is_fraction(schema) => Value::Int(whole),
            _ => Value::Double(number.as_f64().unwrap_or(f64::NAN)),
        },
        serde_json::Value::String(text) => match replaced(text) {
            Some(text) => of_text(text, schema),
            None => Value::from(text.as_str()),
        },
        serde_json::Value::Array(items) => {
            list_of_json(items.iter().map(|it| of_tree(it, element(schema), replaced)).collect())
        }
        serde_json::Value::Object(fields) => {
            let entries = fields.iter().map(|(name, value)| {
                let value = of_tree(value, inner(schema, name), replaced);
                (Value::from(&**name), value)
            });
            map_of_json(entries.collect())
        }
    }
}
