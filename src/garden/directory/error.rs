// SPDX-License-Identifier: Apache-2.0
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::files::Problem;
use garden_gate_text::escape;

/// Maximum number of problems in a list.
const LISTED: usize = 50;

/// An error that prevents loading a garden directory.
#[derive(Debug, Error)]
pub enum DirectoryError {
    /// The directory does not exist.
    #[error("the garden directory `{}` does not exist; --garden takes a directory of manifests", escaped(.0))]
    Missing(PathBuf),
    /// The path is not a directory but, for example, a manifest.
    #[error("`{}` is not a directory; --garden takes a directory of manifests, not a single file", escaped(.0))]
    NotADirectory(PathBuf),
    /// The operating system denies access, or a symbolic link leads out of its tree; the source says which.
    #[error("failed to read the garden directory `{}`", escaped(.dir))]
    Unreadable {
        /// The directory.
        dir: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// The directory has problems and contains no object of a garden.
    #[error("the garden directory `{}` has {}, and nothing else of a garden", escaped(.dir), Listed(.problems))]
    Nothing {
        /// The directory.
        dir: PathBuf,
        /// All problems in the order of the files; never empty.
        problems: Vec<Problem>,
    },
    /// A file that was valid at the last scan is invalid.
    #[error("{}", Listed(.problems))]
    Broken {
        /// The problems of the file; never empty.
        problems: Vec<Problem>,
    },
}

impl DirectoryError {
    /// Reports whether the error is a list of problems, which is printed on several lines.
    pub fn is_list(&self) -> bool {
        matches!(self, Self::Nothing { .. } | Self::Broken { .. })
    }
}

fn escaped(path: &Path) -> String {
    escape::value(&path.display().to_string()).into_owned()
}

/// Displays problems as their number and a list.
#[derive(Debug)]
pub struct Listed<'a>(
    /// The problems; never empty.
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
