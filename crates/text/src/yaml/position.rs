// SPDX-License-Identifier: Apache-2.0
use std::fmt;

/// A position in a text, counted from 1.
///
/// Columns are characters, without a byte order mark at the beginning of the line.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Position {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

impl Position {
    /// The beginning of a text.
    pub const START: Position = Position { line: 1, column: 1 };

    /// Returns the position after `text`.
    ///
    /// As in YAML 1.2, a line ends with a line feed, a carriage return, or both. No other character ends a line.
    #[must_use]
    pub fn after(self, text: &str) -> Self {
        lines(text).fold(self, |at, line| {
            if line.ends_with(['\n', '\r']) {
                Self { line: at.line + 1, column: 1 }
            } else {
                Self { column: at.column + line.chars().count(), ..at }
            }
        })
    }
}

/// Splits a text into its lines, each with its line break.
pub(super) fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let end = match rest.find(['\n', '\r']) {
            Some(at) if rest[at..].starts_with("\r\n") => at + 2,
            Some(at) => at + 1,
            None => rest.len(),
        };
        let (line, after) = rest.split_at(end);
        rest = after;
        (!line.is_empty()).then_some(line)
    })
}

/// Formats the position as `line:column`.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::line_feed("a\nb", 2, 2)]
    #[case::carriage_return("a\rb", 2, 2)]
    #[case::both("a\r\nb", 2, 2)]
    #[case::empty_lines("\n\r\r\n\n\r", 6, 1)]
    #[case::no_breaks_in_yaml("a\u{85}b\u{2028}c\u{2029}d\u{b}e\u{c}", 1, 11)]
    #[case::tab("\ta", 1, 3)]
    #[case::nothing("", 1, 1)]
    fn position_after_text_counts_lines_of_yaml(
        #[case] text: &str,
        #[case] line: usize,
        #[case] column: usize,
    ) {
        assert_eq!(Position::START.after(text), Position { line, column });
        assert_eq!(lines(text).collect::<String>(), text);
    }
}
