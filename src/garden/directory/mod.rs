// SPDX-License-Identifier: Apache-2.0
//! Loads a garden from a directory of manifests: files → [`Snapshot`](garden_gate_core::garden::Snapshot).

mod dump;
mod error;
mod file_metadata;
mod raw_objects;
mod scan;
mod stored_objects;
mod watched;

pub use crate::files::Problem;
pub use dump::dump_record;
pub use error::{DirectoryError, Listed};
pub use garden_gate_core::garden::texts::{
    DumpRecord, Incomplete, LoadedGarden, RawObjects, Reading, Wanted,
};
pub use raw_objects::raw_objects;
pub use stored_objects::{files, objects};
pub use watched::{GardenDirectory, Vanished};

use std::path::Path;

/// Reads all `*.yaml`, `*.yml` and `*.json` files below `dir`, recursively and through symbolic links.
///
/// Skips hidden files and those that `.gitignore` or `.garden-gate-ignore` exclude. Applies the API server's defaults.
/// Unreadable parts that may belong to a garden make the affected objects or kinds unknown.
/// Without a single Seed, Project or CloudProfile, the directory counts as partial: all kinds without objects are
/// unknown.
/// The memory limit is about 2 GiB; the content of further files is unknown. Uses all cores and blocks.
///
/// # Errors
/// Fails if `dir` is not a readable directory, or if it has problems and no objects of a garden.
pub fn load(dir: &Path) -> Result<LoadedGarden, DirectoryError> {
    load_with(dir, Reading::default())
}

/// Loads a directory like [`load`], with options.
///
/// # Errors
/// Same as [`load`].
pub fn load_with(dir: &Path, reading: Reading) -> Result<LoadedGarden, DirectoryError> {
    watched::check(dir)?;
    watched::load(dir, &reading)
}
