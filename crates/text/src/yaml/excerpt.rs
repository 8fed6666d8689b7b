// SPDX-License-Identifier: Apache-2.0
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use super::Position;
use super::position::lines;

/// Maximum length of lines that are shown, in bytes. Longer lines are usually generated.
const LONGEST: usize = 500;

/// Number of lines that are found without an index of all lines.
///
/// Most lookups are for the first lines.
const FIRST: usize = 8;
/// Maximum length of texts without an index of all lines, in bytes.
///
/// Finding the first lines takes long if they are long, and many objects may be in one line.
const SHORT: usize = 16 << 10;

/// A text, or a part of one, with access to its lines.
#[derive(Debug)]
pub struct Text {
    /// The whole text, of which this is a part.
    whole: Arc<String>,
    place: Range<usize>,
    /// The number of lines before the part.
    before: usize,
    /// The offset of each line; computed on first use.
    starts: OnceLock<Vec<usize>>,
    /// Lines that are not shown, by their numbers in this part.
    hidden: OnceLock<Vec<Range<usize>>>,
}

/// A position in a text, with its line.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Excerpt {
    /// The position.
    pub position: Position,
    /// The line; empty if it is not shown.
    pub line: String,
    /// The byte range of the value or key in the line.
    pub span: Range<usize>,
}

impl From<Position> for Excerpt {
    fn from(position: Position) -> Self {
        Self { position, line: String::new(), span: 0..0 }
    }
}

impl Text {
    /// Returns a text as a whole.
    pub fn new(text: impl Into<Arc<String>>) -> Self {
        let whole = text.into();
        let place = 0..whole.len();
        Self::part(whole, place, 0)
    }

    /// Returns a part of a text with the number of lines before it. The text is shared.
    pub fn part(whole: Arc<String>, place: Range<usize>, lines: usize) -> Self {
        Self { whole, place, before: lines, starts: OnceLock::new(), hidden: OnceLock::new() }
    }

    /// Sets the lines that excerpts do not show; the first line of this part has number 1.
    ///
    /// Only the first call has an effect.
    pub fn hide(&self, lines: Vec<Range<usize>>) {
        self.hidden.get_or_init(|| lines);
    }

    /// Reports whether excerpts do not show a line.
    pub fn is_hidden(&self, line: usize) -> bool {
        let mut hidden = self.hidden.get().into_iter().flatten();
        hidden.any(|lines| lines.contains(&line))
    }

    /// Returns the text.
    pub fn as_str(&self) -> &str {
        self.whole.get(self.place.clone()).unwrap_or_default()
    }

    /// Returns the byte range of the part in the whole text.
    pub fn range(&self) -> Range<usize> {
        self.place.clone()
    }

    /// Returns the whole text, of which this is a part.
    pub fn whole(&self) -> &str {
        &self.whole
    }

    /// Returns the number of lines before this part.
    pub fn before(&self) -> usize {
        self.before
    }

    /// Returns the excerpt at a position of this part, with the position in the whole text.
    pub fn excerpt(&self, position: Position) -> Excerpt {
        let line = self
            .line(position.line)
            .filter(|line| line.len() <= LONGEST && !self.is_hidden(position.line));
        let position = Position { line: position.line + self.before, ..position };
        let Some(line) = line else {
            return position.into();
        };
        let before = line.char_indices().nth(position.column.saturating_sub(1));
        let begin = before.map_or(line.len(), |(begin, _)| begin);
        Excerpt { position, line: line.to_owned(), span: begin..begin + token(&line[begin..]) }
    }

    /// Returns a line without its line break and byte order mark; the first line has number 1.
    fn line(&self, number: usize) -> Option<&str> {
        let (text, index) = (self.as_str(), number.checked_sub(1)?);
        let line = if number <= FIRST && text.len() <= SHORT {
            lines(text).nth(index)?
        } else {
            let starts = self.starts.get_or_init(|| {
                let ends = lines(text).scan(0, |end, line| {
                    *end += line.len();
                    Some(*end)
                });
                [0].into_iter().chain(ends).collect()
            });
            text.get(*starts.get(index)?..*starts.get(number)?)?
        };
        Some(line.trim_end_matches(['\n', '\r']).trim_start_matches('\u{feff}'))
    }
}

/// Returns the length of the scalar or key at the beginning of `text`, within its line.
fn token(text: &str) -> usize {
    let Some(quote @ ('"' | '\'')) = text.chars().next() else {
        return plain(text);
    };
    let mut escaped = false;
    for (at, char) in text.char_indices().skip(1) {
        match char {
            _ if escaped => escaped = false,
            '\\' if quote == '"' => escaped = true,
            _ if char == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// Returns the length of an unquoted scalar: up to the end of a key, a comment, or the line.
fn plain(text: &str) -> usize {
    let ends = [": ", " #", ", "].into_iter().filter_map(|end| text.find(end));
    let end = ends.min().unwrap_or(text.len());
    text[..end].trim_end_matches([':', ',', '}', ']', ' ']).len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked(text: &str, line: usize, column: usize) -> (String, String) {
        let excerpt = Text::new(text.to_owned()).excerpt(Position { line, column });
        let marked = excerpt.line[excerpt.span].to_owned();
        (excerpt.line, marked)
    }

    #[test]
    fn a_scalar_or_a_key_is_marked() {
        for (text, line, column, want) in [
            ("a: 1\nb: some words # why\n", 2, 4, "some words"),
            ("workers:\n- name: x", 1, 1, "workers"),
            ("workers:\n- name: x", 2, 3, "name"),
            ("{\"a\": \"b \\\" c\", \"d\": 1}", 1, 7, "\"b \\\" c\""),
            ("{\"a\": 12}\r\n", 1, 7, "12"),
            ("a: [b, c]", 1, 5, "b"),
            ("ä: ö", 1, 4, "ö"),
            ("a: 'never closed", 1, 4, "'never closed"),
            ("a: 1\rb: 2\r", 2, 4, "2"),
            ("\u{feff}a: 1", 1, 4, "1"),
            ("a: 1\u{85}b: 2", 1, 4, "1\u{85}b"),
        ] {
            assert_eq!(marked(text, line, column).1, want, "{text}");
        }
    }

    #[test]
    fn line_is_found_among_many() {
        for end in ["\n", "\r", "\r\n"] {
            let text: String = (1..=20).map(|it| format!("key{it}: {it}{end}")).collect();
            for line in 1..=20 {
                assert_eq!(marked(&text, line, 1).1, format!("key{line}"));
            }
            assert_eq!(marked(&text, 21, 1).0, "");
        }
    }

    #[test]
    fn part_has_its_position() {
        let part = Text::part(Arc::new("x: 0\na: 1\nb: 2".to_owned()), 5..14, 7);
        let excerpt = part.excerpt(Position { line: 2, column: 4 });
        assert_eq!((excerpt.position.line, excerpt.line.as_str()), (9, "b: 2"));
    }

    #[test]
    fn what_is_not_there_is_not_shown() {
        assert_eq!(marked("a: 1", 7, 1), (String::new(), String::new()));
        assert_eq!(marked("a: 1", 1, 99), ("a: 1".to_owned(), String::new()));
        assert_eq!(marked(&"x".repeat(501), 1, 1).0, "");
        assert_eq!(marked("", 1, 1), (String::new(), String::new()));
    }
}
