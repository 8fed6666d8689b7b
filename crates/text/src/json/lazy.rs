// SPDX-License-Identifier: Apache-2.0
use std::borrow::Cow;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::decode::{decode, decode_value};
use super::raw_value::RawJson;
use super::scan::{JsonReader, Kind, inside, unescaped};

/// A lazily parsed JSON value.
#[derive(Clone, Debug)]
pub enum Json<'a> {
    /// Unparsed text.
    Text(Cow<'a, str>),
    /// A parsed object.
    Object(Fields<'a>),
    /// A parsed list.
    List(Vec<Json<'a>>),
}

/// The name of a field as bytes, since it may contain half of a surrogate pair.
type Name<'a> = Cow<'a, [u8]>;

/// The fields of an object by name; the last one of duplicates counts, as in Go.
#[derive(Clone, Debug, Default)]
pub struct Fields<'a> {
    /// Sorted by name; objects have few fields.
    by_name: Vec<(Name<'a>, Json<'a>)>,
    /// Earlier duplicates, sorted by name.
    earlier: Vec<(Name<'a>, Json<'a>)>,
}

const NULL: Json<'static> = Json::NULL;

/// Maximum depth that is parsed at once, as in `serde_json`; deeper parts remain text.
const OPENED: usize = 127;

impl<'a> Json<'a> {
    /// The value of absent fields.
    pub const NULL: Self = Json::Text(Cow::Borrowed("null"));

    /// Returns an object without fields.
    pub fn empty() -> &'static Json<'static> {
        static EMPTY: Json<'static> =
            Json::Object(Fields { by_name: Vec::new(), earlier: Vec::new() });
        &EMPTY
    }

    /// Returns the value with all objects and lists in it parsed.
    #[must_use]
    pub fn opened(mut self) -> Self {
        self.open(OPENED);
        self
    }

    fn open(&mut self, depth: usize) {
        if let Json::Text(Cow::Borrowed(text)) = self {
            if let Some(opened) = JsonReader::of(text).opened(depth) {
                *self = opened;
            }
        } else if depth > 0 {
            // Objects and lists that were already parsed or created.
            let fields = self.fields().into_iter().flat_map(Fields::values_mut);
            fields.for_each(|value| value.open(depth - 1));
            let elements = self.elements().into_iter().flatten();
            elements.for_each(|element| element.open(depth - 1));
        }
    }

    /// Returns the value at a path of field names; `null` if it is missing or not parsed.
    pub fn opened_at(&self, path: &[&str]) -> &Self {
        path.iter().fold(self, |part, name| match part {
            Json::Object(fields) => fields.get(name).unwrap_or(&NULL),
            Json::Text(_) | Json::List(_) => &NULL,
        })
    }

    /// Returns the fields of a parsed object.
    pub fn opened_fields(&self) -> Option<&Fields<'a>> {
        match self {
            Json::Object(fields) => Some(fields),
            Json::Text(_) | Json::List(_) => None,
        }
    }

    /// Returns the elements of a parsed list; none for other values.
    pub fn opened_elements(&self) -> &[Self] {
        match self {
            Json::List(elements) => elements,
            Json::Text(_) | Json::Object(_) => &[],
        }
    }

    /// Reports whether the value is an empty string, list or object.
    pub fn is_empty(&self) -> bool {
        match self {
            Json::Text(text) => ["\"\"", "[]", "{}"].contains(&&**text),
            Json::Object(fields) => fields.by_name.is_empty(),
            Json::List(elements) => elements.is_empty(),
        }
    }

    /// Returns a JSON text as an unparsed value.
    pub fn text(text: &'a str) -> Self {
        Json::Text(Cow::Borrowed(text.trim_ascii()))
    }

    /// Serializes a value; `null` if it cannot be JSON.
    pub fn of(value: &impl Serialize) -> Self {
        serde_json::to_string(value).map_or(NULL, |text| Json::Text(Cow::Owned(text)))
    }

    /// Reports whether the value is `null`.
    pub fn is_null(&self) -> bool {
        matches!(self, Json::Text(text) if text == "null")
    }

    /// Returns the fields of an object, which is parsed if necessary.
    pub fn fields(&mut self) -> Option<&mut Fields<'a>> {
        if let Json::Text(text) = self
            && text.starts_with('{')
        {
            *self = Json::Object(Fields::of(std::mem::take(text)));
        }
        match self {
            Json::Object(fields) => Some(fields),
            Json::Text(_) | Json::List(_) => None,
        }
    }

    /// Returns the fields of an object; other values have none.
    pub fn into_fields(self) -> Fields<'a> {
        match self {
            Json::Text(text) if text.starts_with('{') => Fields::of(text),
            Json::Object(fields) => fields,
            Json::Text(_) | Json::List(_) => Fields::default(),
        }
    }

    /// Returns the fields of an object, without changing it.
    pub(super) fn parsed_fields(&self) -> Option<Cow<'_, Fields<'_>>> {
        match self {
            Json::Text(text) if text.starts_with('{') => {
                Some(Cow::Owned(Fields::of(Cow::Borrowed(text))))
            }
            Json::Object(fields) => Some(Cow::Borrowed(fields)),
            Json::Text(_) | Json::List(_) => None,
        }
    }

    /// Returns the elements of a list, without changing it.
    pub(super) fn items(&self) -> Option<Box<dyn Iterator<Item = Cow<'_, Json<'_>>> + '_>> {
        match self {
            Json::Text(text) if text.starts_with('[') => {
                Some(Box::new(inside(text).map(|text| Cow::Owned(Json::text(text)))))
            }
            Json::List(elements) => Some(Box::new(elements.iter().map(Cow::Borrowed))),
            Json::Text(_) | Json::Object(_) => None,
        }
    }

    /// Returns the elements of a list, which is parsed if necessary.
    pub fn elements(&mut self) -> Option<&mut Vec<Json<'a>>> {
        if let Json::Text(text) = self
            && text.starts_with('[')
        {
            *self = Json::List(parts(std::mem::take(text)));
        }
        match self {
            Json::List(elements) => Some(elements),
            Json::Text(_) | Json::Object(_) => None,
        }
    }

    /// Returns the value at a path of field names, if it exists.
    pub fn at(&mut self, path: &[&str]) -> Option<&mut Json<'a>> {
        path.iter().try_fold(self, |part, name| part.fields()?.get_mut(name))
    }

    /// Takes the value at a path of field names; `null` if it does not exist.
    pub fn take(&mut self, path: &[&str]) -> Json<'a> {
        self.at(path).map_or(NULL, |part| std::mem::replace(part, NULL))
    }

    /// Sets a field, unless this is no object or the field has a value.
    pub fn fill(&mut self, name: &str, value: &impl Serialize) {
        if let Some(fields) = self.fields() {
            fields.fill(name, value);
        }
    }

    /// Adds missing values; existing objects are completed, and other existing values stay.
    pub fn complete(&mut self, default: &Value) {
        if self.is_null() {
            *self = Json::of(default);
        } else if let Value::Object(defaults) = default
            && let Some(fields) = self.fields()
        {
            for (name, default) in defaults {
                fields.entry(name).complete(default);
            }
        }
    }

    /// Decodes the value as a `T`; halves of surrogate pairs become replacement characters, as in Go.
    ///
    /// # Errors
    /// Fails if the value is no `T`, or is already parsed.
    pub fn read<T: DeserializeOwned>(&self) -> serde_json::Result<T> {
        match self {
            Json::Text(text) => decode(text).or_else(|error| {
                let may_have_halves = text.contains("\\u");
                let value = may_have_halves.then(|| decode_value(&self.to_value()));
                value.unwrap_or(Err(error))
            }),
            Json::Object(_) | Json::List(_) => serde_json::from_str(""),
        }
    }

    /// Converts an unparsed or completely parsed value to a tree.
    ///
    /// A number beyond any type and a value that is nested too deeply become strings with their JSON. Half of a surrogate
    /// pair becomes the replacement character, as in Go.
    pub fn to_value(&self) -> Value {
        match self {
            Json::Text(text) => serde_json::from_str(text).unwrap_or_else(|_| {
                let opened = Json::Text(Cow::Borrowed(text)).opened();
                opened.opened_value()
            }),
            _ => self.opened_value(),
        }
    }

    fn opened_value(&self) -> Value {
        match self {
            Json::Text(text) => match RawJson::of(text) {
                RawJson::Null => Value::Null,
                RawJson::Boolean(boolean) => Value::Bool(boolean),
                RawJson::Text(quoted) => Value::String(quoted.text().into_owned()),
                RawJson::Number(number) => serde_json::from_str(number)
                    .unwrap_or_else(|_| Value::String(number.to_owned())),
                RawJson::List | RawJson::Object => Value::String(text.to_string()),
            },
            Json::List(elements) => elements.iter().map(Json::opened_value).collect(),
            Json::Object(fields) => {
                let named = fields.named();
                named.map(|(name, value)| (name, value.opened_value())).collect()
            }
        }
    }
}

impl<'a> Fields<'a> {
    fn of(text: Cow<'a, str>) -> Self {
        let mut parts = parts(text).into_iter();
        let mut fields = Vec::new();
        while let (Some(Json::Text(name)), Some(value)) = (parts.next(), parts.next()) {
            let name = match name {
                Cow::Borrowed(name) => unescaped(name),
                Cow::Owned(name) => Cow::Owned(unescaped(&name).into_owned()),
            };
            fields.push((name, value));
        }
        Self::ordered(fields)
    }

    /// Returns fields in the order of the text.
    pub(super) fn ordered(mut fields: Vec<(Name<'a>, Json<'a>)>) -> Self {
        if fields.is_sorted_by(|a, b| a.0 < b.0) {
            let earlier = Vec::new();
            let by_name = fields;
            return Self { by_name, earlier };
        }
        // The sort is stable, so duplicates keep their order.
        fields.sort_by(|a, b| a.0.cmp(&b.0));
        let mut sorted = Self::default();
        let mut fields = fields.into_iter().peekable();
        while let Some(field) = fields.next() {
            let is_last = fields.peek().is_none_or(|next| next.0 != field.0);
            if is_last { sorted.by_name.push(field) } else { sorted.earlier.push(field) }
        }
        sorted
    }

    /// Returns the index of the field, or the index at which it would be inserted.
    fn find(&self, name: &[u8]) -> Result<usize, usize> {
        self.by_name.binary_search_by(|(other, _)| (**other).cmp(name))
    }

    /// Returns the field of that name.
    pub fn get(&self, name: &str) -> Option<&Json<'a>> {
        self.named_as(name.as_bytes())
    }

    /// Returns the field of that name for changes.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut Json<'a>> {
        let index = self.find(name.as_bytes()).ok()?;
        self.by_name.get_mut(index).map(|(_, value)| value)
    }

    /// Returns the field of that name, which is created as `null` if it is missing.
    pub fn entry(&mut self, name: &str) -> &mut Json<'a> {
        let index = self.find(name.as_bytes()).unwrap_or_else(|index| {
            let name = Cow::Owned(name.as_bytes().to_vec());
            self.by_name.insert(index, (name, NULL));
            index
        });
        &mut self.by_name[index].1
    }

    /// Sets a field.
    pub fn set(&mut self, name: &str, value: &impl Serialize) {
        *self.entry(name) = Json::of(value);
    }

    /// Sets a field, unless it has a value.
    pub fn fill(&mut self, name: &str, value: &impl Serialize) {
        if self.get(name).is_none_or(Json::is_null) {
            self.set(name, value);
        }
    }

    /// Removes the field of that name.
    pub fn remove(&mut self, name: &str) {
        if let Ok(index) = self.find(name.as_bytes()) {
            self.by_name.remove(index);
        }
    }

    /// Returns the values of all fields, sorted by name.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut Json<'a>> {
        self.by_name.iter_mut().map(|(_, value)| value)
    }

    /// Returns all fields sorted by name; invalid characters in a name are replaced.
    pub fn named(&self) -> impl Iterator<Item = (Cow<'_, str>, &Json<'a>)> {
        let fields = self.by_name.iter();
        fields.map(|(name, value)| (String::from_utf8_lossy(name), value))
    }

    /// Returns all fields sorted by name.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&Name<'a>, &Json<'a>)> {
        self.by_name.iter().map(|(name, value)| (name, value))
    }

    /// Returns the fields that do not count, because a later one has the same name.
    pub(super) fn earlier(&self) -> &[(Name<'a>, Json<'a>)] {
        &self.earlier
    }

    /// Returns the fields of two objects in pairs; missing ones are `null`.
    pub fn pairs<'p>(&'p self, other: &'p Fields<'a>) -> impl Iterator<Item = FieldPair<'p, 'a>> {
        let own = self.iter().map(|(name, own)| (name, own, other.named_as(name).unwrap_or(&NULL)));
        let others = other.iter().filter(|(name, _)| self.named_as(name).is_none());
        let all = own.chain(others.map(|(name, other)| (name, &NULL, other)));
        all.map(|(name, own, other)| FieldPair { name: String::from_utf8_lossy(name), own, other })
    }

    fn named_as(&self, name: &[u8]) -> Option<&Json<'a>> {
        let index = self.find(name).ok()?;
        self.by_name.get(index).map(|(_, value)| value)
    }
}

/// A field of two objects.
#[derive(Clone, Debug)]
pub struct FieldPair<'p, 'a> {
    /// The name.
    pub name: Cow<'p, str>,
    /// The value in the first object.
    pub own: &'p Json<'a>,
    /// The value in the second object.
    pub other: &'p Json<'a>,
}

impl<'a> JsonReader<'a> {
    /// Returns the next value, parsed to this depth; `None` at the end of the list or object.
    fn opened(&mut self, depth: usize) -> Option<Json<'a>> {
        let at = *self;
        let first = self.next()?;
        match first.kind {
            Kind::Close => None,
            Kind::Leaf => Some(Json::text(self.text_of(first))),
            Kind::Open if depth == 0 => {
                *self = at;
                self.whole().map(Json::text)
            }
            Kind::Open if self.text_of(first) == "[" => {
                let elements = std::iter::from_fn(|| self.opened(depth - 1));
                Some(Json::List(elements.collect()))
            }
            Kind::Open => {
                let fields = std::iter::from_fn(|| {
                    let name = unescaped(self.whole()?);
                    Some((name, self.opened(depth - 1)?))
                });
                Some(Json::Object(Fields::ordered(fields.collect())))
            }
        }
    }
}

fn parts(text: Cow<'_, str>) -> Vec<Json<'_>> {
    match text {
        Cow::Borrowed(text) => inside(text).map(Json::text).collect(),
        Cow::Owned(text) => {
            inside(&text).map(|part| Json::Text(Cow::Owned(part.to_owned()))).collect()
        }
    }
}
