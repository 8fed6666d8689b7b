// SPDX-License-Identifier: Apache-2.0
mod constructed;
mod json;
mod nested;

pub use constructed::PatchOperation;
pub use json::Replaced;

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt::{self, Write as _};
use std::sync::Arc;

use garden_gate_text::go::Network;

use super::amount::Amount;
use super::error::{EvaluationError, failed};
use super::number::{int_of, print, uint_of};
use super::semver::Semver;
use super::text::Text;
use super::time::{Timestamp, print_duration};
use super::types::JSON_PATCH;
use super::url::ParsedUrl;

/// A value of the Common Expression Language. Clones are cheap.
#[derive(Clone, Debug)]
pub enum Value {
    /// `null`.
    Null,
    /// A boolean.
    Bool(bool),
    /// A signed integer.
    Int(i64),
    /// An unsigned integer.
    Uint(u64),
    /// A floating-point number.
    Double(f64),
    /// A string.
    String(Text),
    /// A sequence of bytes.
    Bytes(Arc<[u8]>),
    /// A list.
    List(Arc<List>),
    /// A map, for example a JSON object.
    Map(Arc<Map>),
    /// A time.
    Timestamp(Timestamp),
    /// A duration in nanoseconds.
    Duration(i64),
    /// A type, by its name.
    Type(&'static str),
    /// An optional value.
    Optional(Option<Arc<Value>>),
    /// A value of one of Kubernetes' libraries.
    Library(Arc<Library>),
    /// An object or a JSON patch that an expression creates.
    Constructed(Arc<Constructed>),
    /// A field whose value is not known, with the reason; its use is [`EvaluationError::Undetermined`].
    Unknown(Arc<str>),
    /// JSON that an API server cannot convert, with the reason; its use is [`EvaluationError::Failed`].
    Unreadable(Arc<str>),
}

/// A list with the nesting of its elements.
#[derive(Clone, Debug)]
pub struct List {
    pub(super) items: Vec<Value>,
    /// The nesting as in [`Value::depth`].
    pub(super) depth: u16,
}

impl List {
    /// Returns a list; the nesting is limited by the caller.
    pub fn new(items: Vec<Value>) -> Self {
        let depth = items.iter().map(Value::depth).max().unwrap_or(0).saturating_add(1);
        Self { items, depth }
    }

    /// Returns a list of other elements with the same nesting.
    pub(super) fn with_items(&self, items: Vec<Value>) -> Self {
        Self { items, depth: self.depth }
    }

    /// Returns the elements.
    pub fn items(&self) -> &[Value] {
        &self.items
    }
}

/// An object or a JSON patch that an expression creates.
#[derive(Clone, Debug)]
pub struct Constructed {
    type_name: Arc<str>,
    fields: BTreeMap<Text, Value>,
    depth: u16,
}

impl Constructed {
    /// Returns an object or a patch.
    pub(super) fn new(type_name: &Arc<str>, fields: BTreeMap<Text, Value>) -> Evaluated<Self> {
        if **type_name == *JSON_PATCH {
            for (name, value) in &fields {
                match (&**name, value) {
                    ("op" | "path" | "from", Value::String(_)) | ("value", _) => {}
                    ("op" | "path" | "from", value) => {
                        let given = value.type_name();
                        return failed(format!(
                            "unexpected type {given} for JSONPatchType '{name}' field"
                        ));
                    }
                    _ => return failed(format!("unexpected JSONPatchType field: {name}")),
                }
            }
        }
        let depth = fields.values().map(Value::depth).max().unwrap_or(0).saturating_add(1);
        Ok(Self { type_name: Arc::clone(type_name), fields, depth })
    }

    /// Returns the name of the type, such as `Object.spec`.
    pub fn type_name(&self) -> &str {
        &self.type_name
    }

    /// Returns the fields.
    pub(super) fn fields(&self) -> &BTreeMap<Text, Value> {
        &self.fields
    }

    /// Returns the nesting as in [`Value::depth`].
    pub(super) fn depth(&self) -> u16 {
        self.depth
    }

    /// Returns `Object` or `JSONPatch`.
    pub(super) fn kind(&self) -> &'static str {
        if *self.type_name == *JSON_PATCH { JSON_PATCH } else { "Object" }
    }

    /// Reports whether it is an object without fields.
    pub(super) fn is_zero(&self) -> bool {
        self.fields.is_empty() && *self.type_name != *JSON_PATCH
    }
}

/// A value of a type that Kubernetes adds to the language.
#[derive(Clone, Debug)]
pub enum Library {
    /// `kubernetes.Quantity`.
    Quantity(Amount),
    /// `net.IP`.
    Ip(core::net::IpAddr),
    /// `net.CIDR`; not IPv4-mapped.
    Cidr(Network),
    /// `kubernetes.URL`.
    Url(ParsedUrl),
    /// `kubernetes.Semver`.
    Semver(Semver),
    /// `kubernetes.NamedFormat`, by its name in `format.named`.
    Format(&'static str),
}

/// Result of an evaluation step.
pub(super) type Evaluated<T = Value> = Result<T, EvaluationError>;

/// Maximum nesting of lists, maps and optional values that expressions create.
pub(super) const DEEPEST: u16 = 256;

impl Value {
    /// Returns the error of using a value that is not known or not readable; `None` for other values.
    pub(super) fn unknown(&self) -> Option<EvaluationError> {
        match self {
            Self::Unknown(reason) => Some(EvaluationError::Undetermined(reason.to_string())),
            Self::Unreadable(reason) => Some(EvaluationError::Failed(reason.to_string())),
            _ => None,
        }
    }

    /// Returns a list; its nesting is limited by the caller.
    pub fn list(items: Vec<Value>) -> Self {
        Self::List(Arc::new(List::new(items)))
    }

    /// Returns a map with fields; the nesting is limited by the caller.
    pub fn object(fields: impl IntoIterator<Item = (Text, Value)>) -> Self {
        let pairs = fields.into_iter().map(|(name, value)| (Self::String(name), value));
        Self::Map(Arc::new(Map::from_pairs(pairs.collect())))
    }

    /// Returns an optional value with a value.
    pub fn some(value: Self) -> Self {
        Self::Optional(Some(Arc::new(value)))
    }

    pub(super) fn library(value: Library) -> Self {
        Self::Library(Arc::new(value))
    }

    /// Returns the nesting of lists, maps and optional values that expressions created; values of JSON count as 0.
    pub(super) fn depth(&self) -> u16 {
        match self {
            Self::List(list) => list.depth,
            Self::Map(map) => map.depth(),
            Self::Optional(Some(value)) => value.depth().saturating_add(1),
            Self::Constructed(object) => object.depth(),
            _ => 0,
        }
    }

    /// Returns a `timestamp` in UTC.
    pub fn timestamp(time: jiff::Timestamp) -> Self {
        Self::Timestamp(Timestamp::from(time))
    }

    /// Returns the boolean, if it is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Self::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// Returns the string, if it is one.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(text) => Some(text),
            _ => None,
        }
    }

    /// Reports whether it is `null`.
    pub fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// Reports whether it is `true`.
    pub fn is_true(&self) -> bool {
        matches!(self, Self::Bool(true))
    }

    /// Returns the name of the type, as `type()` does.
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::Null => "null_type",
            Self::Bool(_) => "bool",
            Self::Int(_) => "int",
            Self::Uint(_) => "uint",
            Self::Double(_) => "double",
            Self::String(_) => "string",
            Self::Bytes(_) => "bytes",
            Self::List(_) => "list",
            Self::Map(_) => "map",
            Self::Timestamp(_) => "google.protobuf.Timestamp",
            Self::Duration(_) => "google.protobuf.Duration",
            Self::Type(_) => "type",
            Self::Optional(_) => "optional_type",
            Self::Constructed(object) => object.kind(),
            Self::Unknown(_) => "unknown",
            Self::Unreadable(_) => "unreadable",
            Self::Library(value) => match **value {
                Library::Quantity(_) => "kubernetes.Quantity",
                Library::Ip(_) => "net.IP",
                Library::Cidr(_) => "net.CIDR",
                Library::Url(_) => "kubernetes.URL",
                Library::Semver(_) => "kubernetes.Semver",
                Library::Format(_) => "kubernetes.NamedFormat",
            },
        }
    }

    /// Returns the size that Kubernetes uses for costs: characters, bytes, elements, or 1.
    pub(super) fn size(&self) -> u64 {
        let size = match self {
            Self::String(text) => text.characters(),
            Self::Bytes(bytes) => bytes.len(),
            Self::List(list) => list.items.len(),
            Self::Map(map) => map.len(),
            Self::Library(value) => match &**value {
                Library::Ip(ip) => {
                    if ip.is_ipv4() {
                        4
                    } else {
                        16
                    }
                }
                Library::Cidr(cidr) => usize::from(cidr.prefix().div_ceil(8)),
                _ => 1,
            },
            _ => 1,
        };
        u64::try_from(size).unwrap_or(u64::MAX)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::String(text.into())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::String(text.into())
    }
}

impl From<Arc<str>> for Value {
    fn from(text: Arc<str>) -> Self {
        Self::String(text.into())
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<i64> for Value {
    fn from(value: i64) -> Self {
        Self::Int(value)
    }
}

/// Prints scalars as `string()` does, and lists and maps as literals.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut open = vec![Part::Value(self)];
        while let Some(part) = open.pop() {
            match part {
                Part::Text(text) | Part::Name(text) => f.write_str(text)?,
                Part::Value(value) => value.print(f, &mut open)?,
            }
        }
        Ok(())
    }
}

/// A part of a printed value.
enum Part<'v> {
    Text(&'static str),
    Name(&'v str),
    Value(&'v Value),
}

impl Value {
    /// Prints a scalar, or the beginning of another value, whose `rest` is printed later, last part first.
    fn print<'v>(&'v self, f: &mut fmt::Formatter<'_>, rest: &mut Vec<Part<'v>>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Bool(value) => write!(f, "{value}"),
            Self::Int(value) => write!(f, "{value}"),
            Self::Uint(value) => write!(f, "{value}"),
            Self::Double(value) => f.write_str(&print(*value)),
            Self::String(text) => f.write_str(text),
            Self::Bytes(bytes) => bytes.utf8_chunks().try_for_each(|chunk| {
                f.write_str(chunk.valid())?;
                match chunk.invalid() {
                    [] => Ok(()),
                    _ => f.write_char(char::REPLACEMENT_CHARACTER),
                }
            }),
            Self::List(list) => {
                rest.push(Part::Text("]"));
                for (index, item) in list.items.iter().enumerate().rev() {
                    rest.push(Part::Value(item));
                    rest.push(Part::Text(if index == 0 { "" } else { ", " }));
                }
                f.write_str("[")
            }
            Self::Map(map) => {
                rest.push(Part::Text("}"));
                for (index, (key, value)) in map.entries.iter().enumerate().rev() {
                    rest.extend([Part::Value(value), Part::Text(": "), Part::Value(key)]);
                    rest.push(Part::Text(if index == 0 { "" } else { ", " }));
                }
                f.write_str("{")
            }
            Self::Constructed(object) => {
                rest.push(Part::Text("}"));
                for (index, (name, value)) in object.fields().iter().enumerate().rev() {
                    rest.extend([Part::Value(value), Part::Text(": "), Part::Name(name)]);
                    rest.push(Part::Text(if index == 0 { "" } else { ", " }));
                }
                write!(f, "{}{{", object.type_name())
            }
            Self::Timestamp(time) => write!(f, "{time}"),
            Self::Duration(nanoseconds) => f.write_str(&print_duration(*nanoseconds)),
            Self::Type(name) => f.write_str(name),
            Self::Optional(Some(value)) => {
                rest.extend([Part::Text(")"), Part::Value(value)]);
                f.write_str("optional(")
            }
            Self::Optional(None) => f.write_str("optional.none()"),
            Self::Unknown(reason) => write!(f, "unknown ({reason})"),
            Self::Unreadable(reason) => write!(f, "unreadable ({reason})"),
            Self::Library(value) => match &**value {
                Library::Quantity(amount) => write!(f, "{}", amount.quantity),
                Library::Ip(ip) => write!(f, "{ip}"),
                Library::Cidr(cidr) => write!(f, "{}/{}", cidr.address(), cidr.prefix()),
                Library::Url(url) => f.write_str(&url.text),
                Library::Semver(version) => write!(f, "{version}"),
                Library::Format(name) => f.write_str(name),
            },
        }
    }
}

/// A map, sorted by key: integers, unsigned integers, booleans, doubles, strings.
#[derive(Clone, Debug)]
pub struct Map {
    pub(super) entries: Vec<(Value, Value)>,
    pub(super) depth: u16,
}

impl Map {
    /// Returns a map of other entries with the same nesting.
    pub(super) fn with_entries(&self, entries: Vec<(Value, Value)>) -> Self {
        let mut map = Self::from_pairs(entries);
        map.depth = self.depth;
        map
    }

    /// Returns a map of JSON; of equal keys, the last one counts.
    pub(super) fn of_json(entries: Vec<(Value, Value)>) -> Self {
        let mut map = Self::from_pairs(entries);
        map.depth = 0;
        map
    }

    /// Returns a map; of equal keys of one type, the last one counts.
    pub(super) fn from_pairs(mut entries: Vec<(Value, Value)>) -> Self {
        let is_sorted = |pair: &[(Value, Value)]| match pair {
            [(a, _), (b, _)] => order(a, b) == Ordering::Less,
            _ => true,
        };
        if !entries.windows(2).all(is_sorted) {
            entries.sort_by(|(a, _), (b, _)| order(a, b));
            // The sort is stable, so the last one of equal keys is the last one written.
            entries.reverse();
            entries.dedup_by(|(a, _), (b, _)| order(a, b) == Ordering::Equal);
            entries.reverse();
        }
        let depth = entries.iter().map(|(_, it)| it.depth()).max().unwrap_or(0).saturating_add(1);
        Self { entries, depth }
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns keys and values, sorted by key.
    pub(super) fn entries(&self) -> &[(Value, Value)] {
        &self.entries
    }

    pub(super) fn depth(&self) -> u16 {
        self.depth
    }

    /// Returns keys and values, sorted by key.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&Value, &Value)> {
        self.entries.iter().map(|(key, value)| (key, value))
    }

    /// Returns the value of a field.
    pub fn field(&self, name: &str) -> Option<&Value> {
        let index = self.position(name)?;
        self.entries.get(index).map(|(_, value)| value)
    }

    /// Returns the index of a field.
    pub(super) fn position(&self, name: &str) -> Option<usize> {
        let by_name = |(key, _): &(Value, Value)| match key {
            Value::String(key) => (**key).cmp(name),
            _ => Ordering::Less,
        };
        self.entries.binary_search_by(by_name).ok()
    }

    /// Returns the value of a key; numbers of different types are equal keys.
    pub fn get(&self, key: &Value) -> Option<&Value> {
        if let Value::String(name) = key {
            return self.field(name);
        }
        if let Some(value) = self.exact(key) {
            return Some(value);
        }
        match key {
            Value::Int(number) => self.exact(&Value::Uint(u64::try_from(*number).ok()?)),
            Value::Uint(number) => self.exact(&Value::Int(i64::try_from(*number).ok()?)),
            Value::Double(number) => {
                let int = int_of(*number).and_then(|it| self.exact(&Value::Int(it)));
                int.or_else(|| self.exact(&Value::Uint(uint_of(*number)?)))
            }
            _ => None,
        }
    }

    /// Reports whether two keys have the same type and value.
    pub(super) fn is_same_key(a: &Value, b: &Value) -> bool {
        order(a, b) == Ordering::Equal
    }

    /// Returns a key that occurs more than once.
    pub(super) fn repeated(entries: &[(Value, Value)]) -> Option<&Value> {
        let mut keys: Vec<&Value> = entries.iter().map(|(key, _)| key).collect();
        keys.sort_by(|a, b| order(a, b));
        let mut pairs = keys.windows(2).filter_map(|pair| match pair {
            [a, b] if Self::is_same_key(a, b) => Some(*a),
            _ => None,
        });
        pairs.next()
    }

    fn exact(&self, key: &Value) -> Option<&Value> {
        let found = self.entries.binary_search_by(|(it, _)| order(it, key));
        self.entries.get(found.ok()?).map(|(_, value)| value)
    }
}

/// Orders keys by type, then by value.
fn order(a: &Value, b: &Value) -> Ordering {
    match (a, b) {
        (Value::String(a), Value::String(b)) => a.cmp(b),
        (Value::Int(a), Value::Int(b)) => a.cmp(b),
        (Value::Uint(a), Value::Uint(b)) => a.cmp(b),
        (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
        (Value::Double(a), Value::Double(b)) => a.total_cmp(b),
        _ => rank(a).cmp(&rank(b)),
    }
}

fn rank(key: &Value) -> u8 {
    match key {
        Value::Int(_) => 0,
        Value::Uint(_) => 1,
        Value::Bool(_) => 2,
        Value::Double(_) => 3,
        Value::String(_) => 4,
        _ => 5,
    }
}

/// Reports whether a value can be a key.
pub(super) fn is_key(value: &Value) -> bool {
    rank(value) < 5
}
