use std::borrow::Cow;

use serde::de::DeserializeOwned;

use crate::compat::{Fields, Json, Quantity};
use crate::engine::FieldPath;
use crate::fields::seconds;

/// A part of an object as it was received, wholly looked into, and where it stands; for what no row of the table can say.
#[derive(Clone, Debug)]
pub(crate) struct Part<'a> {
    json: &'a Json<'a>,
    path: FieldPath,
}

impl<'a> Part<'a> {
    /// A whole object.
    pub(crate) fn whole(json: &'a Json<'a>) -> Self {
        Self {
            json,
            path: FieldPath::root(),
        }
    }

    /// Whether it is an empty text, list or object.
    pub(crate) fn is_empty(&self) -> bool {
        self.json.is_empty()
    }

    /// Where it stands.
    pub(crate) fn path(&self) -> &FieldPath {
        &self.path
    }

    /// The text at a path of field names; empty if there is none.
    pub(crate) fn text_at(&self, path: &[&'static str]) -> String {
        self.value_at(path).unwrap_or_default()
    }

    /// What stands at a path of field names below this; `None` if it is absent or `null`.
    pub(crate) fn at(&self, path: &[&'static str]) -> Option<Part<'a>> {
        let json = self.json.opened_at(path);
        let place = || {
            path.iter()
                .fold(self.path.clone(), |at, name| at.child(name))
        };
        (!json.is_null()).then(|| Part {
            json,
            path: place(),
        })
    }

    /// The elements of a list; of anything else, none.
    pub(crate) fn items(&self) -> Vec<Part<'a>> {
        let items = self.json.opened_elements().iter().enumerate();
        let part = |(index, json)| Part {
            json,
            path: self.path.index(index),
        };
        items.map(part).collect()
    }

    /// The elements of the list at a path of field names, as [`Self::items`].
    pub(crate) fn items_at(&self, path: &[&'static str]) -> Vec<Part<'a>> {
        self.at(path).map(|it| it.items()).unwrap_or_default()
    }

    /// The entries of a map; of anything else, none.
    pub(crate) fn entries(&self) -> Vec<(String, Part<'a>)> {
        let fields = self.json.opened_fields().into_iter();
        let part = |(name, json): (Cow<'_, str>, _)| {
            let path = self.path.key(&name);
            (name.into_owned(), Part { json, path })
        };
        fields.flat_map(Fields::named).map(part).collect()
    }

    /// Shows the entries of a map one by one, without their places, as there may be very many: the key, and the value if it is a
    /// text.
    pub(crate) fn each_text(self, look: &mut dyn FnMut(&str, Option<&str>)) {
        let fields = self.json.opened_fields().into_iter();
        for (name, value) in fields.flat_map(Fields::named) {
            let text = value.read::<String>().ok();
            look(&name, text.as_deref());
        }
    }

    /// The text, if it is one.
    pub(crate) fn text(&self) -> Option<String> {
        let text = self.json.read();
        text.ok()
    }

    /// Whether it is an object.
    pub(crate) fn is_object(&self) -> bool {
        self.json.opened_fields().is_some()
    }

    /// Whether it is a list of texts, some of which may be `null`.
    pub(crate) fn is_texts(&self) -> bool {
        let is_text = |it: &Part<'_>| it.json.is_null() || it.text().is_some();
        matches!(self.json, Json::List(_)) && self.items().iter().all(is_text)
    }

    /// What that means which stands at a path of field names, for those who do not ask for its place.
    fn value_at<T: DeserializeOwned>(&self, path: &[&str]) -> Option<T> {
        let value = self.json.opened_at(path).read();
        value.ok()
    }

    /// The number, if it is one.
    pub(crate) fn number(&self) -> Option<f64> {
        self.json.read().ok()
    }

    /// The number at a path of field names.
    pub(crate) fn number_at(&self, path: &[&'static str]) -> Option<f64> {
        self.value_at(path)
    }

    /// The amount, if it is a quantity.
    pub(crate) fn amount(&self) -> Option<f64> {
        let text = self.text().or_else(|| Some(self.number()?.to_string()));
        amount(&text?)
    }

    /// What is not there, at a path of the whole object.
    pub(crate) fn absent(&self, dotted: &'static str) -> Self {
        Self {
            json: &Json::NULL,
            path: FieldPath::new(dotted),
        }
    }

    /// A field that is not there, as if it were empty.
    pub(crate) fn empty(&self, field: &str) -> Part<'static> {
        Part {
            json: Json::empty(),
            path: self.path.child_called(field),
        }
    }

    /// The same value, as if it stood elsewhere.
    pub(crate) fn moved_to(self, path: FieldPath) -> Self {
        Self { path, ..self }
    }

    /// The value as JSON.
    pub(super) fn json(&self) -> &'a Json<'a> {
        self.json
    }

    /// `true` or `false` at a path of field names.
    pub(crate) fn flag_at(&self, path: &[&'static str]) -> Option<bool> {
        self.value_at(path)
    }

    /// The duration at a path of field names, in seconds.
    pub(crate) fn seconds_at(&self, path: &[&'static str]) -> Option<f64> {
        seconds(&self.text_at(path))
    }

    /// The texts of the list at a path of field names.
    pub(crate) fn texts_at(&self, path: &[&'static str]) -> Vec<(FieldPath, String)> {
        let text = |it: Part<'a>| Some((it.path.clone(), it.text()?));
        self.items_at(path).into_iter().filter_map(text).collect()
    }
}

/// How much a quantity is, without its unit.
pub(crate) fn amount(text: &str) -> Option<f64> {
    let number = Quantity::parse(text).ok()?.number();
    Some(number.parse().unwrap_or_default())
}
