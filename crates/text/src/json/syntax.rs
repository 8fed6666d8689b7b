// SPDX-License-Identifier: Apache-2.0
//! A scanner of JSON text that checks its syntax as `serde_json` does, and counts the skipped values.

use std::ops::{AddAssign, Range};

use wide::u8x16;

/// Counts of values that make a small JSON text expensive.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Nested {
    /// Commas between values.
    pub commas: u64,
    /// Objects and lists that are elements of a list.
    pub elements: u64,
    /// Other elements of lists.
    pub scalars: u64,
    /// Other objects with fields.
    pub maps: u64,
}

/// Maximum number of objects and lists in lists for a cheap verdict.
///
/// CloudProfiles in small bodies have fewer.
const FEW: u64 = 250;

impl Nested {
    /// Returns upper bounds for a text of this size in bytes.
    pub(super) fn of_bytes(bytes: usize) -> Self {
        let bytes = bytes as u64;
        Self { commas: bytes, elements: bytes, scalars: bytes, maps: bytes }
    }

    /// Reports whether judging a small body with these counts takes little time and memory.
    pub fn is_little(self) -> bool {
        self.elements <= FEW
    }
}

impl AddAssign for Nested {
    fn add_assign(&mut self, other: Self) {
        self.commas += other.commas;
        self.elements += other.elements;
        self.scalars += other.scalars;
        self.maps += other.maps;
    }
}

/// Maximum number of parts that are kept of all objects, since a part is larger than its text.
const MOST_PARTS: usize = 2_000;

/// Minimum length of an object or a list for which its end is kept.
const LONG: usize = 64;

/// The text is no JSON.
#[derive(Debug)]
pub(super) struct Invalid;

/// A position in a text.
#[derive(Debug)]
pub(super) struct Scanner<'t> {
    pub(super) text: &'t str,
    pub(super) at: usize,
    /// Counts of everything that was skipped.
    pub(super) skipped: Nested,
    /// The open brackets of the value that is skipped: whether each is that of an object.
    open: Vec<bool>,
    /// The number of parts that may still be kept.
    parts: usize,
}

/// A field of an object or an element of a list, with the parts of its value down to some level.
#[derive(Debug)]
pub(super) struct Part {
    /// The name between its quotes; empty for an element.
    name: Range<usize>,
    value: Range<usize>,
    inside: Nested,
    parts: Vec<Part>,
}

#[cfg(test)]
thread_local! {
    /// The number of bytes that this thread skipped in valid texts.
    pub(super) static SKIPPED: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

impl<'t> Scanner<'t> {
    pub(super) fn of(text: &'t str) -> Self {
        Self { text, at: 0, skipped: Nested::default(), open: Vec::new(), parts: MOST_PARTS }
    }

    /// Returns the next byte after whitespace; 0 at the end.
    #[inline]
    pub(super) fn peek(&mut self) -> u8 {
        let bytes = self.text.as_bytes();
        loop {
            match bytes.get(self.at) {
                Some(b' ' | b'\n' | b'\r' | b'\t') => self.at += 1,
                Some(&byte) => return byte,
                None => return 0,
            }
        }
    }

    /// Skips an expected byte, and whitespace before it.
    #[inline]
    pub(super) fn take(&mut self, byte: u8) -> Result<(), Invalid> {
        if self.peek() != byte {
            return Err(Invalid);
        }
        self.at += 1;
        Ok(())
    }

    /// Skips a string; returns the range between its quotes, and whether it has escapes.
    #[inline]
    pub(super) fn string(&mut self) -> Result<(Range<usize>, bool), Invalid> {
        if self.peek() != b'"' {
            return Err(Invalid);
        }
        self.string_here()
    }

    /// Skips the string whose opening quote is the next byte.
    #[expect(
        clippy::inline_always,
        reason = "a request has thousands of strings: a call for each is measurable"
    )]
    #[inline(always)]
    fn string_here(&mut self) -> Result<(Range<usize>, bool), Invalid> {
        let bytes = self.text.as_bytes();
        let start = self.at + 1;
        let end = special(bytes, start);
        if bytes.get(end) != Some(&b'"') {
            return self.string_with_escapes(start, end);
        }
        self.at = end + 1;
        Ok((start..end, false))
    }

    #[cold]
    fn string_with_escapes(
        &mut self,
        start: usize,
        mut at: usize,
    ) -> Result<(Range<usize>, bool), Invalid> {
        let bytes = self.text.as_bytes();
        loop {
            match bytes.get(at) {
                Some(b'"') => {
                    self.at = at + 1;
                    return Ok((start..at, true));
                }
                Some(b'\\') => at = special(bytes, after_escape(bytes, at)?),
                _ => return Err(Invalid),
            }
        }
    }

    /// Skips a word such as `null`.
    pub(super) fn word(&mut self, word: &str) -> Result<(), Invalid> {
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        if !rest.starts_with(word.as_bytes()) {
            return Err(Invalid);
        }
        self.at += word.len();
        Ok(())
    }

    /// Skips a number; returns its text.
    pub(super) fn number(&mut self) -> Result<&'t str, Invalid> {
        let start = self.at;
        let bytes = self.text.as_bytes();
        self.at += usize::from(bytes.get(start) == Some(&b'-'));
        match bytes.get(self.at) {
            Some(b'0') => self.at += 1,
            _ => self.digits()?,
        }
        if bytes.get(self.at) == Some(&b'.') {
            self.at += 1;
            self.digits()?;
        }
        if let Some(b'e' | b'E') = bytes.get(self.at) {
            self.at += 1;
            self.at += usize::from(matches!(bytes.get(self.at), Some(b'+' | b'-')));
            self.digits()?;
        }
        match bytes.get(self.at) {
            Some(b'0'..=b'9') => Err(Invalid),
            _ => Ok(self.text.get(start..self.at).unwrap_or_default()),
        }
    }

    fn digits(&mut self) -> Result<(), Invalid> {
        let start = self.at;
        while let Some(b'0'..=b'9') = self.text.as_bytes().get(self.at) {
            self.at += 1;
        }
        if self.at == start { Err(Invalid) } else { Ok(()) }
    }

    /// Skips the name of a field and the colon after it; returns the range between the quotes.
    #[expect(
        clippy::inline_always,
        reason = "a request has thousands of strings: a call for each is measurable"
    )]
    #[inline(always)]
    pub(super) fn name(&mut self) -> Result<(Range<usize>, bool), Invalid> {
        let name = self.string()?;
        self.take(b':')?;
        Ok(name)
    }

    /// Skips a value of any depth, which may be an element of a list, and counts its commas, elements and objects.
    pub(super) fn value(&mut self, mut in_list: bool) -> Result<(), Invalid> {
        let mut has_name = false;
        loop {
            if has_name {
                self.name()?;
            }
            match self.peek() {
                b'{' => {
                    self.at += 1;
                    self.skipped.elements += u64::from(in_list);
                    if self.peek() != b'}' {
                        self.skipped.maps += u64::from(!in_list);
                        self.open.push(true);
                        (has_name, in_list) = (true, false);
                        continue;
                    }
                    self.at += 1;
                }
                b'[' => {
                    self.at += 1;
                    self.skipped.elements += u64::from(in_list);
                    if self.peek() != b']' {
                        self.open.push(false);
                        (has_name, in_list) = (false, true);
                        continue;
                    }
                    self.at += 1;
                }
                first => {
                    self.scalar(first)?;
                    self.skipped.scalars += u64::from(in_list);
                }
            }
            // Closing brackets, and the comma before the next value.
            loop {
                let Some(&is_object) = self.open.last() else {
                    return Ok(());
                };
                match (self.peek(), is_object) {
                    (b',', _) => {
                        self.at += 1;
                        self.skipped.commas += 1;
                        (has_name, in_list) = (is_object, !is_object);
                        break;
                    }
                    (b'}', true) | (b']', false) => {
                        self.at += 1;
                        self.open.pop();
                    }
                    _ => return Err(Invalid),
                }
            }
        }
    }

    /// Skips a value of a text that is known to be valid.
    pub(super) fn valid_value(&mut self) {
        let first = self.peek();
        let (bytes, start) = (self.text.as_bytes(), self.at);
        let mut depth = 0_usize;
        if let b'"' | b'{' | b'[' = first {
            while let Some(byte) = bytes.get(self.at) {
                self.at += 1;
                match byte {
                    b'"' => self.at = end_of_string(bytes, self.at),
                    b'{' | b'[' => depth += 1,
                    b'}' | b']' => depth = depth.saturating_sub(1),
                    _ => continue,
                }
                if depth == 0 {
                    break;
                }
            }
        } else {
            let is_inside = |byte: &&u8| !byte.is_ascii_whitespace() && !b",}]".contains(byte);
            let rest = bytes.get(start..).unwrap_or_default();
            self.at += rest.iter().take_while(is_inside).count();
        }
        #[cfg(test)]
        SKIPPED.set(SKIPPED.get() + self.at - start);
    }

    #[inline]
    pub(super) fn is_at_end(&self) -> bool {
        self.at == self.text.len()
    }

    #[inline]
    fn scalar(&mut self, first: u8) -> Result<(), Invalid> {
        match first {
            b'"' => self.string_here().map(drop),
            b't' => self.word("true"),
            b'f' => self.word("false"),
            b'n' => self.word("null"),
            _ => self.number().map(drop),
        }
    }

    /// Skips an object or a list like [`Self::value`]; returns its parts, and those of their values down to `levels`.
    ///
    /// A value with the same bytes as that of the `other` one is not scanned again.
    pub(super) fn parts(
        &mut self,
        levels: usize,
        other: &[Part],
        in_list: bool,
    ) -> Result<Vec<Part>, Invalid> {
        let is_object = self.peek() == b'{';
        let close = if is_object { b'}' } else { b']' };
        self.at += 1;
        self.skipped.elements += u64::from(in_list);
        let mut parts = Vec::new();
        if self.peek() == close {
            self.at += 1;
            return Ok(parts);
        }
        self.skipped.maps += u64::from(is_object && !in_list);
        let mut other = other.iter();
        loop {
            let name = if is_object { self.name()?.0 } else { 0..0 };
            // The other value has the same parts in the same order, but for a few that were added or removed.
            let shown = self.text.get(name.clone());
            let mut near = other.clone().take(2);
            let twin = near
                .position(|it| self.text.get(it.name.clone()) == shown)
                .and_then(|index| other.nth(index));
            let part = self.part(name, levels, twin, !is_object)?;
            if self.parts > 0 {
                self.parts -= 1;
                parts.push(part);
            }
            match self.peek() {
                b',' => {
                    self.at += 1;
                    self.skipped.commas += 1;
                }
                last if last == close => {
                    self.at += 1;
                    return Ok(parts);
                }
                _ => return Err(Invalid),
            }
        }
    }

    fn part(
        &mut self,
        name: Range<usize>,
        levels: usize,
        twin: Option<&Part>,
        in_list: bool,
    ) -> Result<Part, Invalid> {
        let is_nested = matches!(self.peek(), b'{' | b'[');
        let (start, before) = (self.at, self.skipped);
        let same = twin.filter(|twin| self.has_here(twin));
        let mut parts = Vec::new();
        if let Some(twin) = same {
            self.at += twin.value.len();
            self.skipped += twin.inside;
        } else if levels > 0 && is_nested && self.parts > 0 {
            // Elements have no names, which fields may have, too.
            let bytes = self.text.as_bytes();
            let other = twin
                .filter(|twin| bytes.get(twin.value.start) == bytes.get(start))
                .map_or(&[][..], |twin| &twin.parts);
            parts = self.parts(levels - 1, other, in_list)?;
        } else {
            self.value(in_list)?;
        }
        Ok(Part { name, value: start..self.at, inside: self.skipped.since(before), parts })
    }

    /// Reports whether the value of a part is here, too.
    fn has_here(&self, part: &Part) -> bool {
        let bytes = self.text.as_bytes();
        let value = bytes.get(part.value.clone()).unwrap_or_default();
        let rest = bytes.get(self.at..).unwrap_or_default();
        rest.starts_with(value) && matches!(rest.get(value.len()), Some(b',' | b'}' | b']'))
    }

    /// Adds the ranges of objects and lists to `found`, in order: those of parts, and of their parts.
    pub(super) fn nested_of(&self, parts: &[Part], found: &mut Vec<Range<usize>>) {
        for part in parts {
            if part.value.len() >= LONG && self.text.as_bytes().get(part.value.start) != Some(&b'"')
            {
                found.push(part.value.clone());
                self.nested_of(&part.parts, found);
            }
        }
    }

    /// Returns the name and the value of a field; names with escapes are not decoded.
    pub(super) fn texts_of(&self, field: &Part) -> (&'t str, &'t str) {
        let text = |range: &Range<usize>| self.text.get(range.clone()).unwrap_or_default();
        (text(&field.name), text(&field.value))
    }

    /// Reports whether all parts were kept so far.
    pub(super) fn keeps_parts(&self) -> bool {
        self.parts > 0
    }
}

impl Nested {
    fn since(self, before: Self) -> Self {
        Self {
            commas: self.commas - before.commas,
            elements: self.elements - before.elements,
            scalars: self.scalars - before.scalars,
            maps: self.maps - before.maps,
        }
    }
}

/// Returns the index after an escape, such as `\n`.
#[inline]
fn after_escape(bytes: &[u8], at: usize) -> Result<usize, Invalid> {
    let digits = || bytes.get(at + 2..at + 6);
    match bytes.get(at + 1) {
        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => Ok(at + 2),
        Some(b'u') if digits().is_some_and(|it| it.iter().all(u8::is_ascii_hexdigit)) => Ok(at + 6),
        _ => Err(Invalid),
    }
}

/// Returns the index after the string that contains `at`, in valid JSON.
fn end_of_string(bytes: &[u8], mut at: usize) -> usize {
    loop {
        at = special(bytes, at);
        match bytes.get(at) {
            Some(b'"') | None => return bytes.len().min(at + 1),
            // Skips the backslash and the escaped character.
            Some(b'\\') => at += 2,
            Some(_) => at += 1,
        }
    }
}

/// Returns the index of the next quote, backslash or control character; the length of the text if there is none.
#[inline]
fn special(bytes: &[u8], at: usize) -> usize {
    match bytes.get(at..).and_then(<[u8]>::first_chunk).map(|it| specials(*it)) {
        // Most strings are short.
        Some(found) if found != 0 => at + found.trailing_zeros() as usize,
        _ => special_after(bytes, at),
    }
}

#[inline(never)]
fn special_after(bytes: &[u8], mut at: usize) -> usize {
    while let Some(chunk) = bytes.get(at..).and_then(<[u8]>::first_chunk) {
        match specials(*chunk) {
            0 => at += 16,
            found => return at + found.trailing_zeros() as usize,
        }
    }
    let rest = bytes.get(at..).unwrap_or_default();
    let is_special = |byte: &u8| matches!(byte, b'"' | b'\\' | 0..b' ');
    at + rest.iter().position(is_special).unwrap_or(rest.len())
}

/// Returns a bit for each byte that is a quote, backslash or control character.
#[inline]
fn specials(chunk: [u8; 16]) -> u32 {
    const QUOTES: u8x16 = u8x16::new([b'"'; 16]);
    const BACKSLASHES: u8x16 = u8x16::new([b'\\'; 16]);
    const LAST_CONTROLS: u8x16 = u8x16::new([0x1f; 16]);
    let chunk = u8x16::new(chunk);
    let is_control = chunk.min(LAST_CONTROLS).cmp_eq(chunk);
    (chunk.cmp_eq(QUOTES) | chunk.cmp_eq(BACKSLASHES) | is_control).move_mask().cast_unsigned()
}
