//! Finds, reads and writes files.
//! Reads are bounded and never block; writes are atomic.

mod contained;
mod open;
mod patterns;
mod read;
mod trees;
mod walk;
mod write;

pub use contained::contained;
pub(crate) use open::open_regular;
pub use open::{
    Limit, check_within, is_passed_descriptor, read_text_in, read_text_within, read_within,
};
pub(crate) use patterns::ignores;
pub(crate) use read::{MAX_FILE, too_large};
pub use read::{bytes, read, text};
pub use trees::{EscapingLink, Trees};
pub(crate) use trees::{Resolved, leaves_work_tree, resolve};
pub use walk::{Found, Ignoring, below};
pub(crate) use walk::{IGNORE_FILE, KUSTOMIZATION, has_manifest_name};
pub(crate) use write::{
    Destination, cannot_write, create_directory, create_private_directory, replace,
};

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
    pub(crate) fn of_file(file: &Path, message: impl Into<String>) -> Self {
        Self { file: file.to_owned(), position: None, message: message.into() }
    }

    pub(crate) fn at(file: &Path, error: SourceError) -> Self {
        Self { file: file.to_owned(), position: Some(error.position), message: error.message }
    }
}

/// Displays `file` or `file:line:column`.
pub(crate) struct FilePosition<'a> {
    pub(crate) file: &'a Path,
    pub(crate) position: Option<Position>,
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
