use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::escape;
use crate::files::Problem;

/// How many problems a text lists; more is no help to a person.
const LISTED: usize = 50;

/// Why a directory was not read as a garden.
#[derive(Debug, Error)]
pub enum DirectoryError {
    /// There is no such directory.
    #[error("the garden directory `{}` does not exist; --garden takes a directory of manifests", escaped(.0))]
    Missing(PathBuf),
    /// It is something else, perhaps one of the manifests.
    #[error("`{}` is not a directory; --garden takes a directory of manifests, not a single file", escaped(.0))]
    NotADirectory(PathBuf),
    /// The operating system does not let us look.
    #[error("failed to read the garden directory `{}`; make it readable for this user", escaped(.dir))]
    Unreadable {
        /// The directory.
        dir: PathBuf,
        /// What the operating system says.
        source: io::Error,
    },
    /// Nothing of a garden could be read; something is wrong with the files.
    #[error("the garden directory `{}` has {}, and nothing else of a garden", escaped(.dir), Listed(.problems))]
    Nothing {
        /// The directory.
        dir: PathBuf,
        /// Everything that is wrong, in the order of the files; never empty.
        problems: Vec<Problem>,
    },
    /// Something that was good when it was last looked at is not any more.
    #[error("{}", Listed(.problems))]
    Broken {
        /// What is wrong with it; never empty.
        problems: Vec<Problem>,
    },
}

impl DirectoryError {
    /// Whether it is a list of problems, which has several lines.
    #[must_use]
    pub fn is_list(&self) -> bool {
        matches!(self, Self::Nothing { .. } | Self::Broken { .. })
    }
}

fn escaped(path: &Path) -> String {
    escape::value(&path.display().to_string()).into_owned()
}

/// Problems as a text: how many, and what they are.
#[derive(Debug)]
pub struct Listed<'a>(
    /// Never empty.
    pub &'a [Problem],
);

impl fmt::Display for Listed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            [only] => return write!(f, "a problem: {}", escape::value(&only.to_string())),
            all => write!(f, "{} problems:", all.len())?,
        }
        for problem in self.0.iter().take(LISTED) {
            write!(f, "\n  {}", escape::value(&problem.to_string()))?;
        }
        match self.0.len().saturating_sub(LISTED) {
            0 => Ok(()),
            more => write!(f, "\n  and {more} more"),
        }
    }
}
