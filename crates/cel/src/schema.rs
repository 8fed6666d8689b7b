// SPDX-License-Identifier: Apache-2.0
//! What a program knows of the fields of objects.

/// The declared type of a JSON value, so far as a program knows it.
///
/// Two things depend on it: numbers of fields with fractions are `double` even if they are whole, as in an API server, and
/// [`Expression::field_problems`](crate::Expression::field_problems) reports fields that do not exist.
pub trait Schema: Copy {
    /// Returns what a value is made of.
    fn made(self) -> Made<Self>;

    /// Returns the schema of a field of an object; `None` if there is no such field.
    fn field(self, name: &str) -> Option<Self>;

    /// Returns the names of the fields of an object, for suggestions.
    fn field_names(self) -> Vec<&'static str>;
}

/// What a value is made of.
#[derive(Clone, Copy, Debug)]
pub enum Made<S> {
    /// Anything: its fields are not known.
    Any,
    /// The fields of an object.
    Object,
    /// Names and values of one schema.
    Map(S),
    /// Elements of one schema.
    List(S),
    /// A number with a fraction.
    Number,
    /// Any other scalar.
    Other,
}

/// The schema of values of which nothing is known.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Untyped;

impl Schema for Untyped {
    fn made(self) -> Made<Self> {
        Made::Any
    }

    fn field(self, _: &str) -> Option<Self> {
        None
    }

    fn field_names(self) -> Vec<&'static str> {
        Vec::new()
    }
}

/// Words that no name in an expression can be: keywords of CEL, and words that it reserves.
///
/// Source: `celReservedSymbols` in `k8s.io/apiserver/pkg/cel`.
pub const RESERVED: [&str; 21] = [
    "true",
    "false",
    "null",
    "in",
    "as",
    "break",
    "const",
    "continue",
    "else",
    "for",
    "function",
    "if",
    "import",
    "let",
    "loop",
    "package",
    "namespace",
    "return",
    "var",
    "void",
    "while",
];

/// Escapes the name of a field as an API server does in rules of CustomResourceDefinitions; `None` for one that expressions cannot name.
///
/// Source: `Escape` in `k8s.io/apiserver/pkg/cel`.
pub fn escaped_field(name: &str) -> Option<String> {
    if RESERVED.contains(&name) {
        return Some(format!("__{name}__"));
    }
    let is_valid = |it: char| it.is_ascii_alphanumeric() || matches!(it, '_' | '-' | '.' | '/');
    if name.is_empty()
        || name.starts_with(|it: char| it.is_ascii_digit())
        || !name.chars().all(is_valid)
    {
        return None;
    }
    let escaped = name.replace("__", "__underscores__");
    Some(escaped.replace('.', "__dot__").replace('-', "__dash__").replace('/', "__slash__"))
}
