use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::source::{Position, SourceError};

/// How many problems the text of a [`DirectoryError`] lists; more is no help to a person.
const LISTED: usize = 50;

/// Why a directory was not read as a garden.
#[derive(Debug, Error)]
pub enum DirectoryError {
    /// There is no such directory.
    #[error("the garden directory `{}` does not exist; --garden takes a directory of manifests", .0.display())]
    Missing(PathBuf),
    /// It is something else, perhaps one of the manifests.
    #[error("`{}` is not a directory; --garden takes a directory of manifests, not a single file", .0.display())]
    NotADirectory(PathBuf),
    /// The operating system does not let us look.
    #[error("failed to read the garden directory `{}`; make it readable for this user", .dir.display())]
    Unreadable {
        /// The directory.
        dir: PathBuf,
        /// What the operating system says.
        source: io::Error,
    },
    /// Something is wrong with the files; never empty.
    #[error("the garden directory `{}` has {}", .dir.display(), Listed(.problems))]
    Problems {
        /// The directory.
        dir: PathBuf,
        /// Everything that is wrong, in the order of the files.
        problems: Vec<Problem>,
    },
}

/// One thing that is wrong with a file.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[error("{}: {message}", Place { file, position: *.position })]
pub struct Problem {
    /// The file, as found from the directory that was named.
    pub file: PathBuf,
    /// Where in the file; `None` when it is about the file as such.
    pub position: Option<Position>,
    /// What is wrong, in one sentence without the place.
    pub message: String,
}

impl Problem {
    pub(super) fn of_file(file: &Path, message: impl Into<String>) -> Self {
        Self {
            file: file.to_owned(),
            position: None,
            message: message.into(),
        }
    }

    pub(super) fn at(file: &Path, error: SourceError) -> Self {
        Self {
            file: file.to_owned(),
            position: Some(error.position),
            message: error.message,
        }
    }
}

/// Writes `file` or `file:line:column`.
pub(super) struct Place<'a> {
    pub file: &'a Path,
    pub position: Option<Position>,
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

struct Listed<'a>(&'a [Problem]);

impl fmt::Display for Listed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            [only] => return write!(f, "a problem: {only}"),
            all => write!(f, "{} problems:", all.len())?,
        }
        for problem in self.0.iter().take(LISTED) {
            write!(f, "\n  {problem}")?;
        }
        match self.0.len().saturating_sub(LISTED) {
            0 => Ok(()),
            more => write!(f, "\n  and {more} more"),
        }
    }
}
