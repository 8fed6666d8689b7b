// SPDX-License-Identifier: Apache-2.0
use std::fmt;
use std::path::{Path, PathBuf};

use thiserror::Error;

use garden_gate_text::yaml::{Position, SourceError};

/// A problem with a file.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[error("{}: {message}", FilePosition { file, position: *.position })]
pub struct Problem {
    /// The path, starting with the directory as given.
    pub file: PathBuf,
    /// The position in the file; `None` if the problem concerns the whole file.
    pub position: Option<Position>,
    /// The problem and its remedy in one sentence, without the position.
    pub message: String,
}

impl Problem {
    /// Returns a problem with a whole file.
    pub fn of_file(file: &Path, message: impl Into<String>) -> Self {
        Self { file: file.to_owned(), position: None, message: message.into() }
    }

    /// Returns the problem of a text that cannot be parsed.
    pub fn at(file: &Path, error: SourceError) -> Self {
        Self { file: file.to_owned(), position: Some(error.position), message: error.message }
    }
}

/// Displays `file` or `file:line:column`.
#[derive(Debug)]
pub struct FilePosition<'a> {
    /// The path.
    pub file: &'a Path,
    /// The position in the file; `None` for the whole file.
    pub position: Option<Position>,
}

impl fmt::Display for FilePosition<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file.display())?;
        match self.position {
            Some(position) => write!(f, ":{position}"),
            None => Ok(()),
        }
    }
}
