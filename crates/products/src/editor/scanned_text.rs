// SPDX-License-Identifier: Apache-2.0
//! Text of an outline. Tests count the bytes that are visited, so that a scanner that is not linear shows.

use std::ops::Range;

/// A text whose methods count the visited bytes.
#[derive(Clone, Copy)]
pub(super) struct ScannedText<'t>(&'t str);

#[cfg(test)]
thread_local! {
    static VISITED: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Returns the number of bytes that `work` visits.
#[cfg(test)]
pub(super) fn visited(work: impl FnOnce()) -> usize {
    VISITED.set(0);
    work();
    VISITED.get()
}

#[cfg(test)]
fn count(bytes: usize) {
    VISITED.set(VISITED.get() + bytes);
}

#[cfg(not(test))]
fn count(_: usize) {}

impl<'t> ScannedText<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self(text)
    }

    pub(super) fn len(self) -> usize {
        self.0.len()
    }

    /// Returns the offset after byte order marks.
    pub(super) fn begin(self) -> usize {
        self.0.len() - self.0.trim_start_matches('\u{feff}').len()
    }

    /// Reports whether the text ends with a line break.
    pub(super) fn ends_with_line(self) -> bool {
        self.0.ends_with(['\n', '\r'])
    }

    pub(super) fn byte(self, at: usize) -> Option<u8> {
        self.0.as_bytes().get(at).copied()
    }

    /// Returns a part of the text, all of which counts as visited.
    pub(super) fn slice(self, range: Range<usize>) -> &'t str {
        count(range.len());
        &self.0[range]
    }

    /// Returns the end of the line at an offset, and the beginning of the next one.
    pub(super) fn line_end(self, at: usize) -> (usize, usize) {
        let found = self.0[at..].find(['\n', '\r']);
        count(found.unwrap_or(self.len() - at));
        match found {
            None => (self.len(), self.len()),
            Some(found) => {
                let end = at + found;
                let is_two = self.0[end..].starts_with("\r\n");
                (end, end + if is_two { 2 } else { 1 })
            }
        }
    }

    /// Returns the end of the blanks at an offset.
    pub(super) fn spaces(self, at: usize, end: usize) -> usize {
        let blank = self.0[at..end].trim_start_matches([' ', '\t']);
        count(end - blank.len() - at);
        end - blank.len()
    }

    /// Returns the end of the word at an offset.
    pub(super) fn word_end(self, at: usize, end: usize) -> usize {
        let word = self.0[at..end].find([' ', '\t']);
        count(word.unwrap_or(end - at));
        word.map_or(end, |it| at + it)
    }

    pub(super) fn is_blank(self, at: usize, end: usize) -> bool {
        at >= end || matches!(self.byte(at), Some(b' ' | b'\t'))
    }

    pub(super) fn is_blank_before(self, at: usize) -> bool {
        let before = at.checked_sub(1).and_then(|it| self.byte(it));
        before.is_none_or(|it| it.is_ascii_whitespace())
    }

    /// Returns the end of an unquoted scalar in a flow collection.
    pub(super) fn flow_plain(self, at: usize) -> usize {
        let mut previous = ' ';
        for (offset, character) in self.0[at..].char_indices() {
            let next = self.byte(at + offset + character.len_utf8());
            let ends = match character {
                ',' | '[' | ']' | '{' | '}' | '\n' | '\r' => true,
                ':' => next.is_none_or(|it| it.is_ascii_whitespace() || b",[]{}".contains(&it)),
                '#' => previous == ' ',
                _ => false,
            };
            if ends {
                let scalar = self.slice(at..at + offset).trim_end();
                return at + scalar.len();
            }
            previous = character;
        }
        count(self.len() - at);
        self.len()
    }

    /// Returns the end of a quoted scalar, which may have several lines; `None` if it is not closed.
    pub(super) fn quoted(self, at: usize, quote: u8) -> Option<usize> {
        self.quoted_before(at, quote, self.len())
    }

    /// Returns the end of a quoted scalar that is closed before `limit`.
    pub(super) fn quoted_before(self, at: usize, quote: u8, limit: usize) -> Option<usize> {
        let bytes = &self.0.as_bytes()[..limit];
        let mut index = at + 1;
        let mut end = None;
        while let Some(byte) = bytes.get(index) {
            match byte {
                b'\\' if quote == b'"' => index += 1,
                _ if *byte == quote => {
                    if quote == b'\'' && bytes.get(index + 1) == Some(&b'\'') {
                        index += 1;
                    } else {
                        end = Some(index + 1);
                        break;
                    }
                }
                _ => {}
            }
            index += 1;
        }
        count(index - at);
        end
    }
}
