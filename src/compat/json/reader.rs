use std::borrow::Cow;

use super::RawJson;
use super::scan::{Kind, Scanner, unescaped};

/// Goes through a text once, for those who look at its values in the order in which they begin.
#[derive(Debug)]
pub struct JsonReader<'a>(Scanner<'a>);

impl<'a> JsonReader<'a> {
    /// Before the value that a text is.
    #[must_use]
    pub fn through(text: &'a str) -> Self {
        Self(Scanner::of(text))
    }

    /// Begins the next value, in an object that of the field whose name was asked for: what a list or an object holds comes next.
    /// `None` at the end of what this is in.
    pub fn value(&mut self) -> Option<RawJson<'a>> {
        let token = self.0.next()?;
        (token.kind != Kind::Close).then(|| RawJson::of(self.0.text_of(token)))
    }

    /// The name of the next field; `None` at the end of the object.
    pub fn name(&mut self) -> Option<Cow<'a, [u8]>> {
        self.0.value().map(unescaped)
    }

    /// Goes past the next value.
    pub fn skip(&mut self) {
        self.0.value();
    }

    /// Goes past all that is left of a list or an object that was begun.
    pub fn end(&mut self) {
        self.0.close();
    }
}
