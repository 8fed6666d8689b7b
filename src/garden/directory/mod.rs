//! A garden read from a directory of manifests: files → [`Snapshot`].

mod dump;
mod error;
mod file_content;
mod file_index;
mod file_metadata;
mod identity;
pub(crate) mod kind_hints;
mod loaded;
mod missing_kinds;
mod removals;
mod scan;
mod stored_objects;
mod watched;

pub use crate::files::Problem;
pub use dump::{DumpRecord, Incomplete};
pub use error::{DirectoryError, Listed};
pub use loaded::{LoadedGarden, Reading, Wanted};
pub use stored_objects::{files, objects};
pub use watched::{GardenDirectory, Vanished};

use std::path::Path;

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
    loaded::check(dir)?;
    watched::load(dir, &reading)
}
