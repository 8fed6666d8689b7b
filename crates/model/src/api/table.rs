// SPDX-License-Identifier: Apache-2.0
use super::{Constraint, GardenerVersion, Versions};

/// An object type with fields.
#[derive(Debug)]
pub struct Object {
    /// Its name, unique in the table.
    pub name: &'static str,
    /// Its description, as the lines of a doc comment.
    about: &'static str,
    /// Its fields, in the order for readers.
    pub fields: &'static [Field],
}

/// A field of an [`Object`].
#[derive(Debug)]
pub struct Field {
    /// Its name in JSON.
    pub name: &'static str,
    /// Its purpose, as the lines of a doc comment.
    about: &'static str,
    /// The shape of its value.
    pub shape: Shape,
    /// Its presence: optional, filled in, or required.
    pub presence: Presence,
    /// Further constraints on its value.
    pub constraints: &'static [Constraint],
    /// The versions of Gardener that have it.
    pub versions: Versions,
}

/// The presence of a field.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Presence {
    /// It may be omitted.
    Optional,
    /// It is always stored; the API server fills it in if it is omitted.
    Filled,
    /// It cannot be omitted.
    Required,
}

/// The JSON type and syntax of a value.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// A string.
    String,
    /// A boolean.
    Boolean,
    /// A 32-bit integer.
    Integer32,
    /// A 64-bit integer.
    Integer64,
    /// A number.
    Number,
    /// A time in RFC 3339, for example `2026-01-31T12:00:00Z`.
    Time,
    /// A duration in Go's syntax, for example `1h30m`.
    Duration,
    /// A number with a unit, for example `50Gi`, or a plain number.
    Quantity,
    /// A 32-bit integer or a string, for example `10%`.
    IntOrString,
    /// Any value, which an extension reads.
    Any,
    /// An object.
    Object(&'static Object),
    /// A list of values of one shape.
    List(&'static Shape, ListKind),
    /// A map from names to values of one shape.
    Map(&'static Shape),
}

/// The identity of list items in server-side apply.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum ListKind {
    /// No identity: the list is replaced as a whole.
    Atomic,
    /// The items themselves.
    Set,
    /// This field of the items.
    By(&'static str),
}

impl Object {
    /// Returns the field of that name.
    pub fn field(&self, name: &str) -> Option<&'static Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// Returns the fields that the object has in a version of Gardener, without removed ones.
    pub fn fields_in(&self, version: GardenerVersion) -> impl Iterator<Item = &'static Field> {
        let fields = self.fields.iter();
        fields.filter(move |field| field.versions.contains(version))
    }

    /// Returns the description; empty if there is none.
    pub fn about(&self) -> String {
        one_line(self.about)
    }

    /// Returns the object at a path of field names; also through lists and maps.
    pub fn at(&'static self, path: &[&str]) -> Option<&'static Object> {
        path.iter().try_fold(self, |object, name| object.field(name)?.shape.object())
    }

    /// Declares an object; used by `object!`.
    pub(super) const fn new(
        name: &'static str,
        about: &'static str,
        fields: &'static [Field],
    ) -> Self {
        Self { name, about, fields }
    }
}

impl Field {
    /// Returns the description; empty if there is none.
    pub fn about(&self) -> String {
        one_line(self.about)
    }

    /// Reports whether the string respects the maximum size of the value.
    pub fn is_short(&self, text: &str) -> bool {
        let is_long =
            |it: &Constraint| matches!(it, Constraint::MaxBytes(most) if text.len() > *most);
        !self.constraints.iter().any(is_long)
    }

    /// Returns the values of [`Constraint::Enum`] that the field has in a version of Gardener.
    pub fn values_in(&self, version: GardenerVersion) -> Option<Vec<&'static str>> {
        let is_later = |value: &str| {
            self.constraints.iter().any(|it| match it {
                Constraint::ValueSince(minor, later) => {
                    *later == value && !Versions::since(*minor).contains(version)
                }
                _ => false,
            })
        };
        let values = self.constraints.iter().find_map(|it| match it {
            Constraint::Enum(values) => Some(values.iter().copied()),
            _ => None,
        })?;
        Some(values.filter(|it| !is_later(it)).collect())
    }

    /// Declares a field; used by `object!`.
    pub(super) const fn new(
        name: &'static str,
        about: &'static str,
        shape: Shape,
        presence: Presence,
        constraints: &'static [Constraint],
    ) -> Self {
        Self { name, about, shape, presence, constraints, versions: versions(constraints) }
    }
}

/// Returns the versions that [`Constraint::Since`] and [`Constraint::Until`] declare.
const fn versions(constraints: &[Constraint]) -> Versions {
    let (mut versions, mut rest) = (Versions::ALL, constraints);
    while let [constraint, others @ ..] = rest {
        versions = match constraint {
            Constraint::Since(minor) => versions.and_since(*minor),
            Constraint::Until(minor) => versions.and_until(*minor),
            _ => versions,
        };
        rest = others;
    }
    versions
}

impl Shape {
    /// Returns the object type of the value, or of the items of lists and maps.
    pub fn object(self) -> Option<&'static Object> {
        match self {
            Shape::Object(object) => Some(object),
            Shape::List(inner, _) | Shape::Map(inner) => inner.object(),
            _ => None,
        }
    }
}

/// Joins the lines of a doc comment, each of which begins with a space.
fn one_line(about: &str) -> String {
    let lines: Vec<&str> = about.lines().map(str::trim).collect();
    lines.join(" ")
}

/// Declares an [`Object`] and the struct of its fields with arrows; see the documentation of the module.
macro_rules! object {
    ($(#[doc = $about:literal])* $(#[derive($($derive:ident),+)])? $object:ident { $($rows:tt)* }) => {
        $crate::api::object!(@table concat!($($about, "\n"),*), $object, $($rows)*);
        $crate::api::object!(
            @struct { $(#[doc = $about])* #[derive(Clone, Debug, Default, serde::Deserialize $($(, $derive)+)?)] }
            $object [] $($rows)*
        );
    };
    (@table $about:expr, $object:ident, $(
        $(#[doc = $says:literal])*
        $name:literal: $shape:tt $($presence:ident)?
            $(-> $(#[$_attribute:meta])? $_field:ident: $_type:ty)?
            $(=> [$($constraint:expr),+ $(,)?])?;
    )*) => {
        pub(crate) static $object: $crate::api::Object = $crate::api::Object::new(
            stringify!($object),
            $about,
            &[$($crate::api::Field::new(
                $name,
                concat!($($says, "\n"),*),
                $crate::api::object!(@shape $shape),
                $crate::api::object!(@presence $($presence)?),
                &[$($($constraint),+)?],
            )),*],
        );
    };

    (@struct $head:tt $object:ident []) => {};
    (@struct { $($head:tt)* } $object:ident [$({ $($field:tt)* })+]) => {
        $($head)*
        pub struct $object { $($($field)*),+ }
    };
    // Each of the following takes one row from the front; one with an arrow becomes a field in the brackets.
    (@struct $head:tt $object:ident [$($done:tt)*]
        $(#[doc = $says:literal])* $name:literal: $shape:tt $($presence:ident)? $(=> $constraints:tt)?; $($rows:tt)*
    ) => { $crate::api::object!(@struct $head $object [$($done)*] $($rows)*); };
    (@struct $head:tt $object:ident [$($done:tt)*]
        $(#[doc = $says:literal])* $name:literal: [String $($_items:tt)*] $($presence:ident)? -> $($field:tt)*
    ) => { $crate::api::object!(
        @field [] $head $object [$($done)*] { $(#[doc = $says])* } $name $($field)*
    ); };
    (@struct $head:tt $object:ident [$($done:tt)*]
        $(#[doc = $says:literal])* $name:literal: [$($_items:tt)*] $($presence:ident)? -> $($field:tt)*
    ) => { $crate::api::object!(
        @field [deserialize_with = "crate::api::bounded::list",] $head $object [$($done)*] { $(#[doc = $says])* } $name $($field)*
    ); };
    (@struct $head:tt $object:ident [$($done:tt)*]
        $(#[doc = $says:literal])* $name:literal: $shape:tt $($presence:ident)? -> $($field:tt)*
    ) => { $crate::api::object!(
        @field [] $head $object [$($done)*] { $(#[doc = $says])* } $name $($field)*
    ); };
    // The attribute after the arrow says how the field is serialized.
    (@field [$($decode:tt)*] $head:tt $object:ident $done:tt $says:tt $name:literal #[mutated] $($field:tt)*) => {
        $crate::api::object!(@field [] $head $object $done $says $name
            #[serde($($decode)* skip_serializing_if = "crate::api::is_default")] $($field)*);
    };
    (@field [$($decode:tt)*] $head:tt $object:ident $done:tt $says:tt $name:literal #[serialized] $($field:tt)*) => {
        $crate::api::object!(@field [] $head $object $done $says $name #[serde($($decode)*)] $($field)*);
    };
    (@field $decode:tt $head:tt $object:ident [$($done:tt)*] { $($says:tt)* } $name:literal
        #[serde($($attribute:tt)*)] $field:ident: $type:ty $(=> $constraints:tt)?; $($rows:tt)*
    ) => { $crate::api::object!(@struct $head $object [$($done)* {
        $($says)* #[serde(default, rename = $name, $($attribute)*)] pub $field: $type
    }] $($rows)*); };
    (@field [$($decode:tt)*] $head:tt $object:ident $done:tt $says:tt $name:literal $($field:tt)*) => {
        $crate::api::object!(@field [] $head $object $done $says $name
            #[serde($($decode)* skip_serializing)] $($field)*);
    };

    (@presence) => { $crate::api::Presence::Optional };
    (@presence filled) => { $crate::api::Presence::Filled };
    (@presence required) => { $crate::api::Presence::Required };
    (@shape String) => { $crate::api::Shape::String };
    (@shape Boolean) => { $crate::api::Shape::Boolean };
    (@shape Integer32) => { $crate::api::Shape::Integer32 };
    (@shape Integer64) => { $crate::api::Shape::Integer64 };
    (@shape Number) => { $crate::api::Shape::Number };
    (@shape Time) => { $crate::api::Shape::Time };
    (@shape Duration) => { $crate::api::Shape::Duration };
    (@shape Quantity) => { $crate::api::Shape::Quantity };
    (@shape IntOrString) => { $crate::api::Shape::IntOrString };
    (@shape Any) => { $crate::api::Shape::Any };
    (@shape [$item:tt]) => {
        $crate::api::Shape::List(&$crate::api::object!(@shape $item), $crate::api::ListKind::Atomic)
    };
    (@shape [$item:tt; set]) => {
        $crate::api::Shape::List(&$crate::api::object!(@shape $item), $crate::api::ListKind::Set)
    };
    (@shape [$item:tt; by $key:ident]) => {
        $crate::api::Shape::List(
            &$crate::api::object!(@shape $item),
            $crate::api::ListKind::By(stringify!($key)),
        )
    };
    (@shape {$item:tt}) => { $crate::api::Shape::Map(&$crate::api::object!(@shape $item)) };
    (@shape $object:ident) => { $crate::api::Shape::Object(&$object) };
}
pub(super) use object;
