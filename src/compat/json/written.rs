use std::borrow::Cow;

use super::scan::unescaped;

/// A JSON value as it is written; for text that is JSON.
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
    List,
    /// An object.
    Object,
}

/// A text with its quotes.
#[derive(Clone, Copy, Debug)]
pub struct Quoted<'a>(&'a str);

impl<'a> Written<'a> {
    /// What a text of JSON is.
    #[must_use]
    pub fn of(text: &'a str) -> Self {
        let text = text.trim_ascii();
        match text.bytes().next() {
            Some(b'{') => Written::Object,
            Some(b'[') => Written::List,
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
        as_text(unescaped(self.0))
    }

    /// What stands between the quotes, to the letter.
    #[must_use]
    pub fn raw(self) -> &'a str {
        let text = self.0.strip_prefix('"').unwrap_or(self.0);
        text.strip_suffix('"').unwrap_or(text)
    }
}

/// What a text or a name means; halves of surrogate pairs become replacement characters, as in Go.
#[must_use]
pub fn as_text(bytes: Cow<'_, [u8]>) -> Cow<'_, str> {
    match bytes {
        Cow::Borrowed(bytes) => String::from_utf8_lossy(bytes),
        Cow::Owned(bytes) => Cow::Owned(String::from_utf8_lossy(&bytes).into_owned()),
    }
}
