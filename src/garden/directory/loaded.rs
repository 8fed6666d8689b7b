use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use serde_json::Value;

use super::{DirectoryError, Problem};
use crate::garden::{ObjectKey, Snapshot};
use crate::model::Kind;

/// What [`load_with`](super::load_with) is to do.
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
    pub(super) fn contains(&self, key: &ObjectKey) -> bool {
        self.kinds.contains(&key.kind) || self.objects.contains(key)
    }
}

/// What [`load`](super::load) found.
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

pub(super) fn check(dir: &Path) -> Result<(), DirectoryError> {
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
