use std::borrow::Cow;

use serde::de::DeserializeOwned;

use super::scan::{inside, unescaped};

/// A value of a text, for those who look into little of it: what nobody looks into is skipped.
#[derive(Clone, Copy, Debug)]
pub struct Span<'a>(&'a str);

impl<'a> Span<'a> {
    /// What a text of JSON means.
    #[must_use]
    pub fn of(text: &'a str) -> Self {
        Self(text.trim_ascii())
    }

    /// The value as it is written.
    #[must_use]
    pub fn text(self) -> &'a str {
        self.0
    }

    /// What it means as a `T`.
    ///
    /// # Errors
    /// When it means no `T`.
    pub fn read<T: DeserializeOwned>(self) -> serde_json::Result<T> {
        serde_json::from_str(self.0)
    }

    /// Whether this is `null`.
    #[must_use]
    pub fn is_null(self) -> bool {
        self.0 == "null"
    }

    /// Its fields in the order of their names, those of the same name as they follow each other, if it is an object.
    #[must_use]
    pub fn fields(self) -> Option<Vec<(Cow<'a, [u8]>, Self)>> {
        let mut inside = inside(self.0.strip_prefix('{').map(|_| self.0)?);
        let fields = std::iter::from_fn(|| Some((unescaped(inside.next()?), Self(inside.next()?))));
        let mut fields: Vec<_> = fields.collect();
        fields.sort_by(|a, b| a.0.cmp(&b.0));
        Some(fields)
    }

    /// Its elements, if it is a list.
    #[must_use]
    pub fn elements(self) -> Option<impl Iterator<Item = Self> + use<'a>> {
        let is_list = self.0.starts_with('[');
        is_list.then(|| inside(self.0).map(Self))
    }
}
