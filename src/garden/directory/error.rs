use std::fmt;
use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::files::Problem;

/// How many problems a text lists; more is no help to a person.
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
    /// Nothing of a garden could be read; something is wrong with the files.
    #[error("the garden directory `{}` has {}, and nothing else of a garden", .dir.display(), Listed(.problems))]
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

/// Problems as a text: how many, and what they are.
#[derive(Debug)]
pub struct Listed<'a>(
    /// Never empty.
    pub &'a [Problem],
);

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
