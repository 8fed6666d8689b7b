use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::Value;

use super::{DirectoryError, Problem};
use crate::files::Trees;
use crate::garden::ShootFilter;
use garden_gate_core::garden::{GardenObject, ObjectKey, Snapshot};
use garden_gate_model::api::Kind;
use garden_gate_text::yaml::Position;

/// What [`load_with`](super::load_with) is to do.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// Objects that are kept as a whole, as in the files.
    pub wanted: Wanted,
    /// Whether the directory is declared to contain all objects of every kind.
    pub is_whole: bool,
}

/// The objects that are kept as a whole.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// Individual objects.
    pub objects: HashSet<ObjectKey>,
    /// Kinds of which all objects are kept.
    pub kinds: Vec<Kind>,
    /// Shoots that are kept; `None` for none.
    pub shoots: Option<Arc<ShootFilter>>,
    /// Whether the values of ConfigMaps are kept that may configure API servers of Shoots.
    pub config_map_data: bool,
}

impl Wanted {
    pub(super) fn contains(&self, key: &ObjectKey, object: Option<&GardenObject>) -> bool {
        let is_meant = |object| self.shoots.as_ref().is_some_and(|shoots| shoots.takes(object));
        self.kinds.contains(&key.kind) || self.objects.contains(key) || object.is_some_and(is_meant)
    }
}

/// What [`load`](super::load) found.
#[derive(Debug)]
pub struct LoadedGarden {
    /// The garden.
    ///
    /// Missing objects are treated as nonexistent unless their kind is marked as incomplete.
    pub snapshot: Snapshot,
    /// The number of skipped objects of other kinds, by kind.
    pub skipped: BTreeMap<String, usize>,
    /// The number of skipped documents that are not objects.
    pub others: usize,
    /// Skipped files that are not YAML and cannot contain an object of a garden, such as templates.
    pub no_manifests: Vec<Problem>,
    /// Unreadable parts that may belong to the garden, in the order of the files.
    pub problems: Vec<Problem>,
    /// Kinds that are evidently missing from the directory, so that nothing is known about their objects.
    pub lacking: Vec<Kind>,
    /// The number of files that were read.
    /// Zero may mean a wrong path.
    pub files: usize,
    /// The objects that were requested as a whole.
    pub kept: HashMap<ObjectKey, Value>,
    /// The file with the ConfigMap `gardener-info`, and its position.
    pub gardener_info: Option<(PathBuf, Position)>,
}

impl LoadedGarden {
    /// Returns the location of the ConfigMap `gardener-info`, for messages.
    pub fn place_of_gardener_info(&self) -> String {
        match &self.gardener_info {
            Some((file, position)) => format!("{}:{position}", file.display()),
            None => ObjectKey::gardener_info().to_string(),
        }
    }
}

pub(super) fn check(dir: &Path) -> Result<(), DirectoryError> {
    let unreadable = |source| DirectoryError::Unreadable { dir: dir.to_owned(), source };
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
    Trees::default().resolve(dir).map_err(unreadable)?;
    fs::read_dir(dir).map(drop).map_err(unreadable)
}
