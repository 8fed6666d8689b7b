// SPDX-License-Identifier: Apache-2.0
//! Equality of decoded values, by the declared types of fields: the only comparison for "unchanged", "immutable" and "frozen".
//!
//! Gardener compares decoded objects with `apiequality.Semantic.DeepEqual`: durations, quantities and times by value, and nil lists and
//! maps equal empty ones. RawExtensions are bytes to it.

use std::borrow::Cow;

use jiff::Timestamp;

use crate::api::{Object, Shape, described};
use garden_gate_text::go::{Quantity, parse_duration};
use garden_gate_text::json::{Form, Json, Typing};

/// The declared type of a value; fields that the table lacks are compared as JSON.
#[derive(Clone, Copy, Debug)]
pub struct Declared {
    shape: Option<Shape>,
    /// Whether this is a value inside a RawExtension.
    is_raw: bool,
    /// Whether the bytes of RawExtensions are known.
    has_bytes: bool,
}

impl Declared {
    /// The content of a RawExtension.
    pub const RAW: Self = Self { shape: Some(Shape::Any), is_raw: false, has_bytes: false };

    /// Returns the type at a path of a kind. Nothing is declared for paths that the table lacks.
    pub fn at(kind: &str, path: &[&str]) -> Self {
        let object = described(kind).map(|it| Self::of(Shape::Object(it.object)));
        let declared = object.unwrap_or(Self { shape: None, ..Self::RAW });
        path.iter().fold(declared, |it, name| it.field(name))
    }

    /// Returns the type of an object.
    pub const fn object(object: &'static Object) -> Self {
        Self::of(Shape::Object(object))
    }

    /// Returns the type of values with a shape.
    pub const fn of(shape: Shape) -> Self {
        Self { shape: Some(shape), ..Self::RAW }
    }

    /// Returns the same type, with RawExtensions compared byte by byte if `has_bytes`.
    ///
    /// That suits objects that an API server serialized. Clients convert manifests to JSON, sort fields and print numbers
    /// differently, so the order of fields and the spelling of numbers are ignored there.
    #[must_use]
    pub const fn with_bytes(self, has_bytes: bool) -> Self {
        Self { has_bytes, ..self }
    }

    fn inner(self, shape: Option<Shape>) -> Self {
        Self { shape, ..self }
    }
}

impl Typing for Declared {
    fn form(self) -> Form {
        match self.shape {
            _ if self.is_raw => Form::Raw,
            None => Form::Untyped,
            Some(Shape::Any) if self.has_bytes => Form::Bytes,
            Some(Shape::Any) => Form::Raw,
            Some(Shape::Object(_)) => Form::Struct,
            Some(Shape::List(..) | Shape::Map(_)) => Form::Collection,
            Some(Shape::Duration) => Form::Scalar(durations_equal),
            Some(Shape::Quantity) => Form::Scalar(quantities_equal),
            Some(Shape::Time) => Form::Scalar(times_equal),
            Some(
                Shape::String
                | Shape::Boolean
                | Shape::Integer32
                | Shape::Integer64
                | Shape::Number
                | Shape::IntOrString,
            ) => Form::Scalar(|_, _| false),
        }
    }

    fn field(self, name: &str) -> Self {
        match self.shape {
            Some(Shape::Any) => Self { is_raw: true, ..self },
            Some(Shape::Object(object)) => self.inner(object.field(name).map(|it| it.shape)),
            Some(Shape::Map(inner)) => self.inner(Some(*inner)),
            _ => self.inner(None),
        }
    }

    fn item(self) -> Self {
        match self.shape {
            Some(Shape::Any) => Self { is_raw: true, ..self },
            Some(Shape::List(inner, _)) => self.inner(Some(*inner)),
            _ => self.inner(None),
        }
    }
}

fn durations_equal(a: &str, b: &str) -> bool {
    let [a, b] = [a, b].map(|json| parse_duration(&string(json)?).ok());
    a.is_some() && a == b
}

fn quantities_equal(a: &str, b: &str) -> bool {
    let [a, b] = [a, b].map(|json| Quantity::parse(scalar(json)?.trim()).ok());
    let [a, b] = [a, b].map(|quantity| quantity.map(|it| it.number()));
    a.is_some() && a == b
}

fn times_equal(a: &str, b: &str) -> bool {
    let [a, b] = [a, b].map(|json| string(json)?.parse::<Timestamp>().ok());
    a.is_some() && a == b
}

/// Returns the content of a JSON string.
fn string(json: &str) -> Option<Cow<'_, str>> {
    Json::text(json).read().ok()
}

/// Returns the content of a JSON string, or the text of a JSON number.
fn scalar(json: &str) -> Option<Cow<'_, str>> {
    match json.bytes().next()? {
        b'"' => string(json),
        b'-' | b'0'..=b'9' => Some(Cow::Borrowed(json)),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
