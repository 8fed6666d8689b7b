// SPDX-License-Identifier: Apache-2.0
use std::borrow::Cow;

use serde::de::DeserializeOwned;

use crate::admission::FieldPath;
use garden_gate_model::api::seconds;
use garden_gate_text::go::Quantity;
use garden_gate_text::json::{Fields, Json};

/// A completely parsed part of a received object, with its path.
///
/// For checks that the field table cannot express.
#[derive(Clone, Debug)]
pub struct Part<'a> {
    json: &'a Json<'a>,
    path: FieldPath,
}

impl<'a> Part<'a> {
    /// Returns a whole object.
    pub fn whole(json: &'a Json<'a>) -> Self {
        Self { json, path: FieldPath::root() }
    }

    /// Reports whether it is an empty string, list or object.
    pub fn is_empty(&self) -> bool {
        self.json.is_empty()
    }

    /// Returns the path of the part.
    pub fn path(&self) -> &FieldPath {
        &self.path
    }

    /// Returns the string at a path of field names; empty if it is not a string.
    pub fn text_at(&self, path: &[&'static str]) -> String {
        self.value_at(path).unwrap_or_default()
    }

    /// Returns the value at a path of field names below this part; `None` if it is absent or `null`.
    pub fn at(&self, path: &[&'static str]) -> Option<Part<'a>> {
        let json = self.json.opened_at(path);
        let place = || path.iter().fold(self.path.clone(), |at, name| at.child(name));
        (!json.is_null()).then(|| Part { json, path: place() })
    }

    /// Returns the elements of a list; empty for other values.
    pub fn items(&self) -> Vec<Part<'a>> {
        let items = self.json.opened_elements().iter().enumerate();
        let part = |(index, json)| Part { json, path: self.path.index(index) };
        items.map(part).collect()
    }

    /// Returns the elements of the list at a path of field names, as [`Self::items`].
    pub(crate) fn items_at(&self, path: &[&'static str]) -> Vec<Part<'a>> {
        self.at(path).map(|it| it.items()).unwrap_or_default()
    }

    /// Returns the entries of a map; empty for other values.
    pub(crate) fn entries(&self) -> Vec<(String, Part<'a>)> {
        let fields = self.json.opened_fields().into_iter();
        let part = |(name, json): (Cow<'_, str>, _)| {
            let path = self.path.key(&name);
            (name.into_owned(), Part { json, path })
        };
        fields.flat_map(Fields::named).map(part).collect()
    }

    /// Calls `look` for each entry of a map with its key, and its value if it is a string.
    ///
    /// Creates no paths, as a map may have very many entries.
    pub(crate) fn each_text(self, look: &mut dyn FnMut(&str, Option<&str>)) {
        let fields = self.json.opened_fields().into_iter();
        for (name, value) in fields.flat_map(Fields::named) {
            let text = value.read::<String>().ok();
            look(&name, text.as_deref());
        }
    }

    /// Returns the string, if it is one.
    pub fn text(&self) -> Option<String> {
        let text = self.json.read();
        text.ok()
    }

    /// Returns the string of an item of a list; as in Go, `null` is the empty string.
    fn item_text(&self) -> Option<String> {
        let text: Option<String> = self.json.read().ok()?;
        Some(text.unwrap_or_default())
    }

    /// Reports whether it is an object.
    pub(crate) fn is_object(&self) -> bool {
        self.json.opened_fields().is_some()
    }

    /// Reports whether it is a list of strings, some of which may be `null`.
    pub(crate) fn is_texts(&self) -> bool {
        let is_text = |it: &Part<'_>| it.item_text().is_some();
        matches!(self.json, Json::List(_)) && self.items().iter().all(is_text)
    }

    /// Decodes the value at a path of field names, without creating its path.
    fn value_at<T: DeserializeOwned>(&self, path: &[&str]) -> Option<T> {
        let value = self.json.opened_at(path).read();
        value.ok()
    }

    /// Returns the number, if it is one.
    pub(crate) fn number(&self) -> Option<f64> {
        self.json.read().ok()
    }

    /// Returns the number at a path of field names.
    pub(crate) fn number_at(&self, path: &[&'static str]) -> Option<f64> {
        self.value_at(path)
    }

    /// Returns the amount, if it is a quantity; 0 for `null`.
    pub(crate) fn amount(&self) -> Option<f64> {
        if self.json.is_null() {
            return Some(0.0);
        }
        let text = self.text().or_else(|| Some(self.number()?.to_string()));
        amount(&text?)
    }

    /// Returns an absent value at a path of the whole object.
    pub(crate) fn absent(dotted: &'static str) -> Self {
        Self { json: &Json::NULL, path: FieldPath::new(dotted) }
    }

    /// Returns an absent field as if it were empty.
    pub(crate) fn empty(&self, field: &str) -> Part<'static> {
        Part { json: Json::empty(), path: self.path.child_called(field) }
    }

    /// Returns the same value with another path.
    pub(crate) fn moved_to(self, path: FieldPath) -> Self {
        Self { path, ..self }
    }

    /// Returns the value as JSON.
    pub(super) fn json(&self) -> &'a Json<'a> {
        self.json
    }

    /// Returns the boolean at a path of field names.
    pub(crate) fn flag_at(&self, path: &[&'static str]) -> Option<bool> {
        self.value_at(path)
    }

    /// Returns the duration at a path of field names, in seconds.
    pub(crate) fn seconds_at(&self, path: &[&'static str]) -> Option<f64> {
        seconds(&self.text_at(path))
    }

    /// Returns the strings of the list at a path of field names; as in Go, `null` is the empty string.
    pub(crate) fn texts_at(&self, path: &[&'static str]) -> Vec<(FieldPath, String)> {
        let text = |it: Part<'a>| Some((it.path.clone(), it.item_text()?));
        self.items_at(path).into_iter().filter_map(text).collect()
    }
}

/// Returns the number of a quantity, with its suffix applied.
pub(crate) fn amount(text: &str) -> Option<f64> {
    let number = Quantity::parse(text).ok()?.number();
    Some(number.parse().unwrap_or_default())
}
