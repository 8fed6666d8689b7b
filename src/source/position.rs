use std::fmt;

/// A place in a text. Both numbers count from 1; columns count characters.
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

    /// The place that follows this one after reading `text`.
    #[must_use]
    pub fn after(self, text: &str) -> Self {
        text.chars().fold(self, |at, char| match char {
            '\n' => Self {
                line: at.line + 1,
                column: 1,
            },
            _ => Self {
                column: at.column + 1,
                ..at
            },
        })
    }
}

/// Writes `line:column`.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}
