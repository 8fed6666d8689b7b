//! A garden read from a directory of manifests: files → [`Snapshot`].

mod dump;
mod error;
mod file_content;
mod file_index;
mod file_metadata;
mod identity;
pub(crate) mod kind_hints;
mod missing_kinds;
mod removals;
mod scan;
mod stored_objects;
mod watched;

pub use crate::files::Problem;
pub use dump::{DumpRecord, Incomplete};
pub use error::{DirectoryError, Listed};
pub use stored_objects::{files, objects};
pub use watched::{GardenDirectory, Vanished};

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use serde_json::Value;

use super::{ObjectKey, Snapshot};
use crate::model::Kind;

/// What [`load_with`] is to do.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// Objects that are kept whole, as they are in the files.
    pub wanted: Wanted,
    /// Whether the directory has all objects of every kind, whatever it looks like.
    pub is_whole: bool,
}

/// Objects that are kept whole.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// These.
    pub objects: HashSet<ObjectKey>,
    /// All of these kinds.
    pub kinds: Vec<Kind>,
}

impl Wanted {
    fn contains(&self, key: &ObjectKey) -> bool {
        self.kinds.contains(&key.kind) || self.objects.contains(key)
    }
}

/// What [`load`] found.
#[derive(Debug)]
pub struct LoadedGarden {
    /// The garden; what it does not have does not exist, unless it says that it cannot know.
    pub snapshot: Snapshot,
    /// How many objects of which other kinds were left out.
    pub skipped: BTreeMap<String, usize>,
    /// How many documents were left out that are no objects.
    pub others: usize,
    /// Files that were left out as they are no YAML and cannot hold an object of a garden, such as templates of workload.
    pub no_manifests: Vec<Problem>,
    /// What may be part of the garden and could not be read, in the order of the files.
    pub problems: Vec<Problem>,
    /// Kinds of which nothing is known, since the directory was evidently written down without them.
    pub lacking: Vec<Kind>,
    /// How many files were read; none may mean that the wrong directory was named.
    pub files: usize,
    /// What was to be kept, whole.
    pub kept: HashMap<ObjectKey, Value>,
}

/// Reads every `*.yaml`, `*.yml` and `*.json` file below `dir`, of whatever depth and through symbolic links, but for hidden ones
/// and those that `.gitignore` and `.garden-gate-ignore` leave out.
///
/// What the API server would fill in is filled in. What cannot be read and may be part of a garden makes unknown what it may hold. A
/// directory without a single Seed, Project or CloudProfile is no whole garden: of what it holds nothing of, nothing is known.
/// What is kept takes two gibibytes at most, about: of what follows then, nothing is known. Reads on all cores, and blocks.
///
/// # Errors
/// When `dir` is no readable directory, or there are problems and nothing of a garden besides.
pub fn load(dir: &Path) -> Result<LoadedGarden, DirectoryError> {
    load_with(dir, Reading::default())
}

/// As [`load`], but as it is told to.
///
/// # Errors
/// As [`load`].
pub fn load_with(dir: &Path, reading: Reading) -> Result<LoadedGarden, DirectoryError> {
    check(dir)?;
    watched::load(dir, &reading)
}

fn check(dir: &Path) -> Result<(), DirectoryError> {
    let unreadable = |source| DirectoryError::Unreadable {
        dir: dir.to_owned(),
        source,
    };
    match fs::metadata(dir) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            return Err(DirectoryError::Missing(dir.to_owned()));
        }
        Err(error) => return Err(unreadable(error)),
        Ok(metadata) if !metadata.is_dir() => {
            return Err(DirectoryError::NotADirectory(dir.to_owned()));
        }
        Ok(_) => {}
    }
    fs::read_dir(dir).map(drop).map_err(unreadable)
}
