use std::borrow::Cow;

use super::scan::{inside, unescaped};

/// A JSON value as it is written, looked into piece by piece; for text that is JSON.
#[derive(Clone, Copy, Debug)]
pub enum Written<'a> {
    /// `null`.
    Null,
    /// `true` or `false`.
    Boolean(bool),
    /// A number, to the letter.
    Number(&'a str),
    /// A text.
    Text(Quoted<'a>),
    /// A list.
    List(Inside<'a>),
    /// An object.
    Object(Inside<'a>),
}

/// A text with its quotes.
#[derive(Clone, Copy, Debug)]
pub struct Quoted<'a>(&'a str);

/// A list or an object, with its brackets.
#[derive(Clone, Copy, Debug)]
pub struct Inside<'a>(&'a str);

impl<'a> Written<'a> {
    /// What a text of JSON is.
    #[must_use]
    pub fn of(text: &'a str) -> Self {
        let text = text.trim_ascii();
        match text.bytes().next() {
            Some(b'{') => Written::Object(Inside(text)),
            Some(b'[') => Written::List(Inside(text)),
            Some(b'"') => Written::Text(Quoted(text)),
            Some(b't') => Written::Boolean(true),
            Some(b'f') => Written::Boolean(false),
            Some(b'-' | b'0'..=b'9') => Written::Number(text),
            _ => Written::Null,
        }
    }
}

impl<'a> Quoted<'a> {
    /// What it says; halves of surrogate pairs become replacement characters, as in Go.
    #[must_use]
    pub fn text(self) -> Cow<'a, str> {
        lossy(unescaped(self.0))
    }

    /// What stands between the quotes, to the letter.
    #[must_use]
    pub fn raw(self) -> &'a str {
        let text = self.0.strip_prefix('"').unwrap_or(self.0);
        text.strip_suffix('"').unwrap_or(text)
    }
}

impl<'a> Inside<'a> {
    /// The elements of a list.
    pub fn elements(self) -> impl Iterator<Item = Written<'a>> {
        inside(self.0).map(Written::of)
    }

    /// The fields of an object as they follow each other, names that repeat included.
    pub fn fields(self) -> impl Iterator<Item = (Cow<'a, str>, Written<'a>)> {
        let mut parts = inside(self.0);
        std::iter::from_fn(move || {
            let (name, value) = (parts.next()?, parts.next()?);
            Some((Quoted(name).text(), Written::of(value)))
        })
    }
}

fn lossy(bytes: Cow<'_, [u8]>) -> Cow<'_, str> {
    match bytes {
        Cow::Borrowed(bytes) => String::from_utf8_lossy(bytes),
        Cow::Owned(bytes) => Cow::Owned(String::from_utf8_lossy(&bytes).into_owned()),
    }
}
