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
