// SPDX-License-Identifier: Apache-2.0
use std::borrow::Cow;

use super::scan::{JsonReader, Kind, unescaped};

/// The type of a JSON value, with its text. The text must be valid JSON.
#[derive(Clone, Copy, Debug)]
pub enum RawJson<'a> {
    /// `null`.
    Null,
    /// A boolean.
    Boolean(bool),
    /// A number as written.
    Number(&'a str),
    /// A string.
    Text(Quoted<'a>),
    /// A list.
    List,
    /// An object.
    Object,
}

/// A string with its quotes.
#[derive(Clone, Copy, Debug)]
pub struct Quoted<'a>(&'a str);

impl<'a> RawJson<'a> {
    /// Returns the type of the value in a JSON text.
    pub fn of(text: &'a str) -> Self {
        let text = text.trim_ascii();
        match text.bytes().next() {
            Some(b'{') => RawJson::Object,
            Some(b'[') => RawJson::List,
            Some(b'"') => RawJson::Text(Quoted(text)),
            Some(b't') => RawJson::Boolean(true),
            Some(b'f') => RawJson::Boolean(false),
            Some(b'-' | b'0'..=b'9') => RawJson::Number(text),
            _ => RawJson::Null,
        }
    }
}

impl<'a> JsonReader<'a> {
    /// Reads the next value; in an object, call [`Self::name`] before.
    ///
    /// The children of a list or object follow. Returns `None` at the end of the enclosing list or object.
    pub fn value(&mut self) -> Option<RawJson<'a>> {
        let token = self.next()?;
        (token.kind != Kind::Close).then(|| RawJson::of(self.text_of(token)))
    }
}

impl<'a> Quoted<'a> {
    /// Returns the decoded string; halves of surrogate pairs become replacement characters, as in Go.
    pub fn text(self) -> Cow<'a, str> {
        as_text(unescaped(self.0))
    }

    /// Returns the characters between the quotes, with escapes.
    pub fn raw(self) -> &'a str {
        let text = self.0.strip_prefix('"').unwrap_or(self.0);
        text.strip_suffix('"').unwrap_or(text)
    }
}

/// Converts a string or name; halves of surrogate pairs become replacement characters, as in Go.
pub fn as_text(bytes: Cow<'_, [u8]>) -> Cow<'_, str> {
    let bytes = match bytes {
        Cow::Borrowed(bytes) => return String::from_utf8_lossy(bytes),
        Cow::Owned(bytes) => bytes,
    };
    let error = match String::from_utf8(bytes) {
        Ok(text) => return Cow::Owned(text),
        Err(error) => error,
    };
    // Each half has three bytes, for which `from_utf8_lossy` writes three characters.
    let mut bytes = error.into_bytes();
    for start in 0..bytes.len().saturating_sub(2) {
        if let [0xed, 0xa0..=0xbf, _] = bytes[start..start + 3] {
            bytes[start..start + 3].copy_from_slice("\u{fffd}".as_bytes());
        }
    }
    Cow::Owned(String::from_utf8_lossy(&bytes).into_owned())
}
