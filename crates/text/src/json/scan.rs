// SPDX-License-Identifier: Apache-2.0
use std::borrow::Cow;

use memchr::memchr2;

/// Returns the direct children in a text: names and values of an object, or elements of a list.
pub(super) fn inside(text: &str) -> impl Iterator<Item = &str> {
    let mut scanner = JsonReader::into(text);
    std::iter::from_fn(move || scanner.whole())
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Kind {
    Open,
    Close,
    Leaf,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    place: (usize, usize),
}

impl Token {
    /// Returns the offset after its last byte.
    pub(super) fn end(self) -> usize {
        self.place.1
    }
}

/// A reader of the values of a text in document order.
#[derive(Clone, Copy, Debug)]
pub struct JsonReader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> JsonReader<'a> {
    /// Returns a reader before the value of a text.
    pub fn of(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    /// Returns the name of the next field; `None` at the end of the object.
    pub fn name(&mut self) -> Option<Cow<'a, [u8]>> {
        self.whole().map(unescaped)
    }

    /// Skips the next value.
    pub fn skip(&mut self) {
        self.whole();
    }

    /// Skips the rest of the current list or object.
    pub fn end(&mut self) {
        self.close();
    }

    /// Returns a scanner after the opening bracket of a text.
    pub(super) fn into(text: &'a str) -> Self {
        let mut scanner = Self::of(text);
        scanner.next();
        scanner
    }

    pub(super) fn text_of(&self, token: Token) -> &'a str {
        let (start, end) = token.place;
        self.text.get(start..end).unwrap_or_default()
    }

    /// Returns the next value as a whole; `None` at the end of the enclosing list or object.
    pub(super) fn whole(&mut self) -> Option<&'a str> {
        let first = self.next()?;
        match first.kind {
            Kind::Close => None,
            Kind::Leaf => Some(self.text_of(first)),
            Kind::Open => {
                let end = self.close();
                self.text.get(first.place.0..end?)
            }
        }
    }

    /// Skips the closing bracket of the current list or object, and returns its offset.
    pub(super) fn close(&mut self) -> Option<usize> {
        let end = end_of_brackets(self.text.as_bytes(), self.at);
        self.at = end.unwrap_or(self.text.len());
        end
    }

    pub(super) fn next(&mut self) -> Option<Token> {
        let bytes = self.text.as_bytes();
        let start = self.skip_between()?;
        let (kind, end) = match bytes.get(start)? {
            b'{' | b'[' => (Kind::Open, start + 1),
            b'}' | b']' => (Kind::Close, start + 1),
            b'"' => (Kind::Leaf, end_of_string(bytes, start)),
            _ => (Kind::Leaf, end_of_word(bytes, start)),
        };
        self.at = end;
        let place = (start, end);
        Some(Token { kind, place })
    }

    /// Returns the offset of the next token, or the end of the text.
    fn skip_between(&mut self) -> Option<usize> {
        let rest = self.text.as_bytes().get(self.at..)?;
        let between = |byte: &&u8| matches!(byte, b' ' | b'\n' | b'\r' | b'\t' | b',' | b':');
        self.at += rest.iter().take_while(between).count();
        Some(self.at)
    }
}

/// Returns the offset after the closing bracket of the current level; `None` if it is missing.
fn end_of_brackets(bytes: &[u8], mut at: usize) -> Option<usize> {
    let mut depth = 1_usize;
    while depth > 0 {
        match bytes.get(at)? {
            b'"' => {
                at = end_of_string(bytes, at);
                continue;
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth -= 1,
            _ => {}
        }
        at += 1;
    }
    Some(at)
}

fn end_of_string(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(next) = bytes.get(at..).and_then(|rest| memchr2(b'"', b'\\', rest)) {
        at += next;
        match (bytes[at], bytes.get(at + 1)) {
            (b'"', _) => return at + 1,
            // Escaped characters are ASCII; others are no JSON, and may end in the middle of a character.
            (_, Some(escaped)) if escaped.is_ascii() => at += 2,
            _ => at += 1,
        }
    }
    bytes.len()
}

/// Returns the end of a number or of a word such as `null`.
fn end_of_word(bytes: &[u8], start: usize) -> usize {
    let is_inside = |byte: &&u8| !byte.is_ascii_whitespace() && !b",:{}[]\"".contains(byte);
    let length = bytes.iter().skip(start).take_while(is_inside).count();
    start + length.max(1)
}

/// Decodes a string in quotes to bytes, since half of a surrogate pair is no character.
pub(super) fn unescaped(quoted: &str) -> Cow<'_, [u8]> {
    let text = quoted.strip_prefix('"').unwrap_or(quoted);
    let text = text.strip_suffix('"').unwrap_or(text).as_bytes();
    if !text.contains(&b'\\') {
        return Cow::Borrowed(text);
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        at += 1;
        if byte == b'\\' {
            at += escaped(text.get(at..).unwrap_or_default(), &mut bytes);
        } else {
            bytes.push(byte);
        }
    }
    Cow::Owned(bytes)
}

/// Decodes the escape after a backslash, and returns its length.
fn escaped(text: &[u8], bytes: &mut Vec<u8>) -> usize {
    let Some(&kind) = text.first() else { return 0 };
    let plain = match kind {
        b'b' => 8,
        b'f' => 12,
        b'n' => b'\n',
        b'r' => b'\r',
        b't' => b'\t',
        b'u' => return unit(text, bytes),
        other => other,
    };
    bytes.push(plain);
    1
}

/// Decodes the character of `uXXXX`, or of a surrogate pair of them.
fn unit(text: &[u8], bytes: &mut Vec<u8>) -> usize {
    let Some(first) = code(text) else {
        bytes.push(b'u');
        return 1;
    };
    let second = text
        .get(5..)
        .filter(|_| (0xd800..0xdc00).contains(&first))
        .and_then(|rest| rest.strip_prefix(b"\\"))
        .and_then(code)
        .filter(|second| (0xdc00..0xe000).contains(second));
    match second {
        Some(second) => {
            put(0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00), bytes);
            11
        }
        None => {
            put(first, bytes);
            5
        }
    }
}

/// Parses the four digits after a `u`.
fn code(text: &[u8]) -> Option<u32> {
    let digits = text.strip_prefix(b"u")?.get(..4)?;
    u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

fn put(code: u32, bytes: &mut Vec<u8>) {
    match char::from_u32(code) {
        Some(character) => {
            bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
        }
        // The UTF-8 encoding as if it were a character, which no valid text contains.
        None => bytes.extend([0xed, low(code >> 6), low(code)]),
    }
}

/// Returns the last six bits as a continuation byte.
fn low(code: u32) -> u8 {
    0x80 | u8::try_from(code & 0x3f).unwrap_or_default()
}
