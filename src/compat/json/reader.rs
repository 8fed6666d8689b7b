use std::borrow::Cow;

use super::RawJson;
use super::scan::{Kind, Scanner, unescaped};

/// A reader of the values of a text in document order.
#[derive(Debug)]
pub struct JsonReader<'a>(Scanner<'a>);

impl<'a> JsonReader<'a> {
    /// Returns a reader before the value of a text.
    #[must_use]
    pub fn through(text: &'a str) -> Self {
        Self(Scanner::of(text))
    }

    /// Reads the next value; in an object, call [`Self::name`] before.
    ///
    /// The children of a list or object follow. Returns `None` at the end of the enclosing list or object.
    pub fn value(&mut self) -> Option<RawJson<'a>> {
        let token = self.0.next()?;
        (token.kind != Kind::Close).then(|| RawJson::of(self.0.text_of(token)))
    }

    /// Returns the name of the next field; `None` at the end of the object.
    pub fn name(&mut self) -> Option<Cow<'a, [u8]>> {
        self.0.value().map(unescaped)
    }

    /// Skips the next value.
    pub fn skip(&mut self) {
        self.0.value();
    }

    /// Skips the rest of the current list or object.
    pub fn end(&mut self) {
        self.0.close();
    }
}
