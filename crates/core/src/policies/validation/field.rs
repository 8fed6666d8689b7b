// SPDX-License-Identifier: Apache-2.0
use serde_json::Value;

use crate::admission::FieldPath;

/// A field of a policy, which may be absent.
#[derive(Clone, Debug)]
pub(super) struct Field<'a> {
    pub(super) path: FieldPath,
    value: Option<&'a Value>,
    /// Whether an absent value is decoded as its zero value: items of lists, and objects that are no pointers in Go.
    is_kept: bool,
}

impl<'a> Field<'a> {
    /// Returns the whole object.
    pub(super) fn root(value: &'a Value) -> Self {
        Self { path: FieldPath::root(), value: Some(value), is_kept: true }
    }

    /// Returns the field of that name; `null` is absent.
    pub(super) fn at(&self, name: &str) -> Self {
        let value = self.value.and_then(|it| it.get(name));
        let is_root = self.path == FieldPath::root();
        Self {
            path: self.path.child_called(name),
            value: value.filter(|it| !it.is_null()),
            is_kept: is_root && matches!(name, "metadata" | "spec"),
        }
    }

    /// Returns the items of a list, or nothing.
    pub(super) fn items(&self) -> Vec<Self> {
        let items = self.value.and_then(Value::as_array).map_or(0, Vec::len);
        (0..items).map(|index| self.item(index)).collect()
    }

    /// Returns an item of a list.
    pub(super) fn item(&self, index: usize) -> Self {
        Self {
            path: self.path.index(index),
            value: self.value.and_then(|it| it.get(index)),
            is_kept: true,
        }
    }

    /// Returns the keys and strings of a map, or nothing.
    pub(super) fn entries(&self) -> Vec<(&'a str, &'a str)> {
        let entries = self.value.and_then(Value::as_object).into_iter().flatten();
        let entry = |(key, value): (&'a String, &'a Value)| {
            (key.as_str(), value.as_str().unwrap_or_default())
        };
        entries.map(entry).collect()
    }

    /// Returns the string; empty if it is absent.
    pub(super) fn text(&self) -> &'a str {
        self.value.and_then(Value::as_str).unwrap_or_default()
    }

    /// Returns the strings of a list, or nothing.
    pub(super) fn texts(&self) -> Vec<&'a str> {
        self.items().iter().map(Self::text).collect()
    }

    /// Reports whether the field is the boolean `true`.
    pub(super) fn is_true(&self) -> bool {
        self.value.and_then(Value::as_bool) == Some(true)
    }

    /// Reports whether the field is decoded, so that its fields are checked.
    pub(super) fn exists(&self) -> bool {
        self.is_kept || self.value.is_some()
    }

    /// Reports whether the field is absent, an empty string or an empty list.
    pub(super) fn is_empty(&self) -> bool {
        match self.value {
            None | Some(Value::Null) => true,
            Some(Value::String(text)) => text.is_empty(),
            Some(Value::Array(items)) => items.is_empty(),
            Some(_) => false,
        }
    }

    /// Returns the fields at a pattern such as `spec.validations[].message`.
    ///
    /// Fields of absent objects are left out.
    pub(super) fn matching(&self, pattern: &str) -> Vec<Self> {
        let mut found = vec![self.clone()];
        for step in pattern.split('.').filter(|it| !it.is_empty()) {
            let name = step.trim_end_matches("[]");
            let fields = found.iter().filter(|it| it.exists());
            found = fields.map(|it| it.at(name)).collect();
            if step.ends_with("[]") {
                found = found.iter().flat_map(Self::items).collect();
            }
        }
        found
    }
}
