//! A garden read from a directory of manifests: files → [`Snapshot`].

mod error;
mod files;
mod fingerprint;
mod manifests;

pub use error::{DirectoryError, Problem};
pub use fingerprint::{Fingerprint, fingerprint};

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;

use serde_json::Value;

use super::{ObjectKey, Snapshot};
use files::Found;
use manifests::Manifests;

/// What [`load`] found.
#[derive(Debug)]
pub struct LoadedGarden {
    /// The garden; it knows everything there is.
    pub snapshot: Snapshot,
    /// How many objects of which other kinds were left out.
    pub skipped: BTreeMap<String, usize>,
    /// How many files were read; none may mean that the wrong directory was named.
    pub files: usize,
    /// What [`load_keeping`] was to keep, whole.
    pub kept: HashMap<ObjectKey, Value>,
}

/// Reads every `*.yaml`, `*.yml` and `*.json` file below `dir`, of whatever depth and through symbolic links.
///
/// Names that begin with `..` are left out: in a mounted ConfigMap they lead to the same files once more. What the API
/// server would fill in is filled in. Blocks while it reads.
///
/// # Errors
/// When `dir` is no readable directory; else every problem of every file, since half a garden gives wrong verdicts.
pub fn load(dir: &Path) -> Result<LoadedGarden, DirectoryError> {
    load_keeping(dir, HashSet::new())
}

/// As [`load`]; keeps also the `wanted` objects, as they are in the files.
///
/// # Errors
/// As [`load`].
pub fn load_keeping(
    dir: &Path,
    wanted: HashSet<ObjectKey>,
) -> Result<LoadedGarden, DirectoryError> {
    files::check(dir)?;
    let mut manifests = Manifests::keeping(wanted);
    let mut files = 0;
    let mut bytes = 0;
    for found in files::below(dir) {
        match found {
            Found::Manifest(path) => {
                files += 1;
                manifests.file(&path, files::read(&path, &mut bytes));
            }
            Found::Problem(problem) => manifests.problem(problem),
        }
    }
    let garden = manifests.finish(dir)?;
    Ok(LoadedGarden { files, ..garden })
}
