use std::ops::Range;

use super::Nested;
use crate::compat::Block;

/// What stands behind the name of a field that is an empty object, as it is mostly written.
const EMPTY: &[u8; 3] = b":{}";

/// Goes through JSON without taking it apart, and notices wherever it is none, as `serde_json` does.
#[derive(Debug)]
pub struct Lexer<'a> {
    text: &'a str,
    at: usize,
    /// What closes the lists and objects inside of the value that is gone past.
    open: Vec<u8>,
    /// What closes the list or object that is gone through.
    around: u8,
    nested: Nested,
}

/// A value that was gone past.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Passed {
    /// Where it stands in the text.
    pub place: Range<usize>,
    nested: Nested,
}

impl Passed {
    /// The same value in a text that begins later.
    #[must_use]
    pub fn behind(&self, start: usize) -> Self {
        let Range { start: from, end } = self.place;
        Self {
            place: from.saturating_sub(start)..end.saturating_sub(start),
            nested: self.nested,
        }
    }
}

impl<'a> Lexer<'a> {
    /// Before the first value of a text.
    #[must_use]
    pub fn of(text: &'a str) -> Self {
        Self {
            text,
            at: 0,
            open: Vec::with_capacity(32),
            around: b'}',
            nested: Nested::default(),
        }
    }

    /// How much there is in all that was gone past.
    #[must_use]
    pub fn nested(&self) -> Nested {
        self.nested
    }

    /// Goes past a value: where it stands in the text. `None` where the text is no JSON.
    pub fn value(&mut self) -> Option<Range<usize>> {
        let bytes = self.text.as_bytes();
        let (start, first) = peek(bytes, self.at)?;
        self.open.clear();
        let mut inside = Inside {
            bytes,
            open: &mut self.open,
            nested: self.nested,
        };
        let mut at = inside.begin((start, first), self.around)?;
        while let Some(&close) = inside.open.last() {
            let (place, next) = peek(bytes, at)?;
            at = place + 1;
            if next == close {
                inside.open.pop();
            } else if next == b',' {
                if close == b'}' {
                    let (behind, is_value) = names(bytes, at)?;
                    at = behind;
                    if !is_value {
                        continue;
                    }
                }
                at = inside.begin(peek(bytes, at)?, close)?;
            } else {
                return None;
            }
        }
        self.nested = inside.nested;
        self.at = at;
        Some(start..at)
    }

    /// Where the next value begins.
    pub fn place(&mut self) -> Option<usize> {
        self.peek()?;
        Some(self.at)
    }

    /// Goes on at a place further on, past what somebody else has read, and in which there is so much.
    pub fn go_on(&mut self, at: usize, nested: Nested) {
        self.at = at;
        self.nested += nested;
    }

    /// As `go`, which goes past a value, to know it when it comes again.
    pub fn passed(&mut self, go: impl FnOnce(&mut Self) -> Option<Range<usize>>) -> Option<Passed> {
        let before = self.nested;
        let place = go(self)?;
        let nested = self.nested - before;
        Some(Passed { place, nested })
    }

    /// As [`Self::value`], and quicker if the value is, word for word, one that was gone past before.
    pub fn value_like(&mut self, known: Option<&Passed>) -> Option<Passed> {
        match self.known(known) {
            Some(passed) => Some(passed),
            None => self.passed(Self::value),
        }
    }

    /// Goes past a value that is, word for word, one that was gone past before; stays before any other.
    pub fn known(&mut self, known: Option<&Passed>) -> Option<Passed> {
        let first = self.peek()?;
        let start = self.at;
        let nested = known?.nested;
        let known = self.text.get(known?.place.clone())?;
        // Of these, none begins another one.
        let is_known = matches!(first, b'{' | b'[' | b'"')
            && self.text.as_bytes()[start..].starts_with(known.as_bytes());
        is_known.then(|| {
            self.at += known.len();
            self.nested += nested;
            let place = start..self.at;
            Passed { place, nested }
        })
    }

    /// Goes past an object: `each` is told the name of a field, to the letter, and goes past its value. `None` where the text is no
    /// object of JSON, or `each` says so.
    pub fn fields(
        &mut self,
        mut each: impl FnMut(&mut Self, &'a str) -> Option<()>,
    ) -> Option<Range<usize>> {
        let is_object = self.peek()? == b'{';
        let start = self.at;
        self.at += 1;
        if is_object && self.peek()? == b'}' {
            self.at += 1;
            return Some(start..self.at);
        }
        self.nested.maps += 1;
        let mut goes_on = is_object;
        while goes_on {
            let (name, behind) = name(self.text.as_bytes(), self.at)?;
            (self.at, self.around) = (behind, b'}');
            each(self, self.text.get(name)?)?;
            let next = self.peek()?;
            goes_on = next == b',';
            self.at += 1;
            if next == b'}' {
                return Some(start..self.at);
            }
        }
        None
    }

    /// Goes past a list: `each` is told how many elements came before, and goes past one. `None` as for [`Self::fields`].
    pub fn elements(
        &mut self,
        mut each: impl FnMut(&mut Self, usize) -> Option<()>,
    ) -> Option<Range<usize>> {
        if self.peek()? != b'[' {
            return None;
        }
        let start = self.at;
        self.at += 1;
        if self.peek()? == b']' {
            self.at += 1;
            return Some(start..self.at);
        }
        let mut number = 0;
        loop {
            self.around = b']';
            each(self, number)?;
            number += 1;
            let next = self.peek()?;
            self.at += 1;
            match next {
                b',' => {}
                b']' => return Some(start..self.at),
                _ => return None,
            }
        }
    }

    /// Whether the next value is a list.
    pub fn is_list(&mut self) -> bool {
        self.peek() == Some(b'[')
    }

    /// Whether the next value is an object.
    pub fn is_object(&mut self) -> bool {
        self.peek() == Some(b'{')
    }

    /// Whether nothing follows.
    pub fn is_at_end(&mut self) -> bool {
        self.peek().is_none()
    }

    /// The next byte that is no white space.
    #[inline]
    fn peek(&mut self) -> Option<u8> {
        let (at, byte) = peek(self.text.as_bytes(), self.at)?;
        self.at = at;
        Some(byte)
    }
}

/// What is inside of a value that is gone past.
struct Inside<'l> {
    bytes: &'l [u8],
    /// What closes its lists and objects.
    open: &'l mut Vec<u8>,
    nested: Nested,
}

impl Inside<'_> {
    /// Goes past a scalar or an empty list or object, or else into the list or object as far as behind its first scalar; from where its
    /// first byte is to where it ends. What it is in is closed by `around`.
    #[inline]
    fn begin(&mut self, (mut at, mut first): (usize, u8), mut around: u8) -> Option<usize> {
        let bytes = self.bytes;
        loop {
            let close = match first {
                b'"' => return string(bytes, at),
                b'{' => b'}',
                b'[' => b']',
                b't' => return word(bytes, at, b"true"),
                b'f' => return word(bytes, at, b"false"),
                b'n' => return word(bytes, at, b"null"),
                _ => return number(bytes, at),
            };
            let (inside, next) = peek(bytes, at + 1)?;
            let is_element = around == b']';
            self.nested.elements += u64::from(is_element);
            if next == close {
                return Some(inside + 1);
            }
            self.nested.maps += u64::from(!is_element && close == b'}');
            self.open.push(close);
            around = close;
            (at, first) = (inside, next);
            if close == b'}' {
                let (behind, is_value) = names(bytes, inside)?;
                if !is_value {
                    return Some(behind);
                }
                (at, first) = peek(bytes, behind)?;
            }
        }
    }
}

/// Goes past the name of a field and the colon behind it: where it stands without its quotes, and where the colon ends.
#[inline]
fn name(bytes: &[u8], at: usize) -> Option<(Range<usize>, usize)> {
    let name = quoted(bytes, at)?;
    let behind = colon(bytes, name.end)?;
    Some((name.start + 1..name.end - 1, behind))
}

/// Goes past the name of a field, and past all fields before it that are empty objects, of which `managedFields` are full: where the value
/// stands, or where the last field ends if it is such an object, too, and which of both.
#[inline]
fn names(bytes: &[u8], mut at: usize) -> Option<(usize, bool)> {
    loop {
        let end = quoted(bytes, at)?.end;
        if !bytes.get(end..)?.starts_with(EMPTY) {
            return Some((colon(bytes, end)?, true));
        }
        at = end + EMPTY.len();
        if bytes.get(at) != Some(&b',') {
            return Some((at, false));
        }
        at += 1;
    }
}

/// Goes past the name of a field: where it stands with its quotes.
#[inline]
fn quoted(bytes: &[u8], at: usize) -> Option<Range<usize>> {
    let (start, quote) = peek(bytes, at)?;
    if quote != b'"' {
        return None;
    }
    Some(start..string(bytes, start)?)
}

/// Where the colon ends that comes next.
#[inline]
fn colon(bytes: &[u8], at: usize) -> Option<usize> {
    let (colon, sign) = peek(bytes, at)?;
    (sign == b':').then_some(colon + 1)
}

/// The next byte that is no white space, and where it is.
#[inline]
fn peek(bytes: &[u8], mut at: usize) -> Option<(usize, u8)> {
    loop {
        let byte = *bytes.get(at)?;
        if byte > b' ' || !matches!(byte, b' ' | b'\n' | b'\t' | b'\r') {
            return Some((at, byte));
        }
        at += 1;
    }
}

/// Where a text ends that begins with a quote.
#[inline]
fn string(bytes: &[u8], quote: usize) -> Option<usize> {
    let mut at = quote + 1;
    loop {
        let place = Block::first(bytes.get(at..)?).map_or(0, Block::until_special);
        at += place;
        if place == Block::LENGTH {
            continue;
        }
        match bytes.get(at)? {
            b'"' => return Some(at + 1),
            b'\\' => at += escape(bytes.get(at + 1..)?)? + 1,
            ..0x20 => return None,
            _ => at += 1,
        }
    }
}

/// Where a word ends.
fn word(bytes: &[u8], at: usize, word: &[u8]) -> Option<usize> {
    let is_there = bytes.get(at..)?.starts_with(word);
    is_there.then_some(at + word.len())
}

/// Where a number ends.
fn number(bytes: &[u8], at: usize) -> Option<usize> {
    let start = sign(bytes, at, b"-");
    let mut at = digits(bytes, start)?;
    if at > start + 1 && bytes.get(start) == Some(&b'0') {
        return None;
    }
    if bytes.get(at) == Some(&b'.') {
        at = digits(bytes, at + 1)?;
    }
    if sign(bytes, at, b"eE") > at {
        at = digits(bytes, sign(bytes, at + 1, b"+-"))?;
    }
    Some(at)
}

/// Behind one of these, if it is there.
fn sign(bytes: &[u8], at: usize, signs: &[u8]) -> usize {
    let is_there = bytes.get(at).is_some_and(|byte| signs.contains(byte));
    at + usize::from(is_there)
}

/// Behind digits, of which there is at least one.
fn digits(bytes: &[u8], at: usize) -> Option<usize> {
    let rest = bytes.get(at..)?;
    let count = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    (count > 0).then_some(at + count)
}

/// How long what follows a backslash is.
fn escape(bytes: &[u8]) -> Option<usize> {
    match bytes.first()? {
        b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Some(1),
        b'u' => {
            let digits = bytes.get(1..5)?;
            digits.iter().all(u8::is_ascii_hexdigit).then_some(5)
        }
        _ => None,
    }
}
