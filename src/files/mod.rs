//! Finds, reads and writes files. Reading is bounded and never waits; a file is written whole or not at all.

mod open;
mod patterns;
mod read;
mod walk;
mod write;

pub(crate) use open::open_regular;
pub use open::{Limit, check_within, is_passed_descriptor, read_text_within, read_within};
pub use patterns::PathPatterns;
pub(crate) use read::{MAX_FILE, too_large};
pub use read::{bytes, read, text};
pub(crate) use walk::has_manifest_name;
pub use walk::{Found, Ignoring, below};
pub(crate) use write::{Destination, cannot_write, replace};

use std::fmt;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::source::{Position, SourceError};

/// One thing that is wrong with a file.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[error("{}: {message}", Place { file, position: *.position })]
pub struct Problem {
    /// The file, as found from the directory that was named.
    pub file: PathBuf,
    /// Where in the file; `None` when it is about the file as such.
    pub position: Option<Position>,
    /// What is wrong and what to do about it, in one sentence without the place.
    pub message: String,
}

impl Problem {
    pub(crate) fn of_file(file: &Path, message: impl Into<String>) -> Self {
        Self {
            file: file.to_owned(),
            position: None,
            message: message.into(),
        }
    }

    pub(crate) fn at(file: &Path, error: SourceError) -> Self {
        Self {
            file: file.to_owned(),
            position: Some(error.position),
            message: error.message,
        }
    }
}

/// Writes `file` or `file:line:column`.
pub(crate) struct Place<'a> {
    pub(crate) file: &'a Path,
    pub(crate) position: Option<Position>,
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file.display())?;
        match self.position {
            Some(position) => write!(f, ":{position}"),
            None => Ok(()),
        }
    }
}
