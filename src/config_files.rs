// SPDX-License-Identifier: Apache-2.0
//! Reads the files of a configuration.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::files::{Limit, Trees, contained, leaves_work_tree, may_be_read, read_text_within};
use crate::policy_files;
use garden_gate_core::config::{
    self, Checked, ConfigError, ConfigFiles, FileAccess, KnownIds, ReviewDefaults,
};
use garden_gate_core::policies::OwnPolicy;

/// Reads and checks the files. The configuration may name the extensions that its folder defines.
///
/// # Errors
/// Fails with the first file that cannot be read, or with all errors in all files.
pub fn load(files: &ConfigFiles, known: &KnownIds) -> Result<Checked, ConfigError> {
    let Some(file) = &files.config else { return config::load(files, known, &FileSystem) };
    let defined =
        definitions(file).and_then(|it| policy_files::load(&it).map_err(io::Error::other));
    let defined = defined.map_err(|source| {
        let path = folder_of_definitions(file).display().to_string();
        ConfigError::ReadFile { path, source }
    })?;
    let mut known = known.clone();
    known.extensions.extend(defined.iter().filter_map(OwnPolicy::known_extension));
    config::load(files, &known, &FileSystem)
}

fn folder_of_definitions(config: &Path) -> PathBuf {
    config.parent().unwrap_or(Path::new("")).join("extensions")
}

/// Returns the definitions of extensions in the folder of a configuration, `extensions/*/extension.yaml`, in order.
///
/// # Errors
/// Fails if the folder cannot be read.
pub fn definitions(config: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = match fs::read_dir(folder_of_definitions(config)) {
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(Vec::new());
        }
        entries => entries?,
    };
    let mut files = Vec::new();
    for entry in entries {
        files.push(entry?.path().join("extension.yaml"));
    }
    files.retain(|it| it.is_file());
    files.sort_unstable();
    Ok(files)
}

struct FileSystem;

impl FileAccess for FileSystem {
    fn read(&self, file: &Path) -> io::Result<String> {
        read_text_within(file, Limit::CONFIGURATIONS)
    }

    fn escaping_link(&self, file: &Path) -> Option<String> {
        Trees::default().resolve(file).err().map(|error| error.to_string())
    }

    fn keeps_work_tree(&self, file: &Path, named: &Path) -> bool {
        leaves_work_tree(file, named).is_ok_and(|leaves| !leaves)
    }
}

/// A path of a configuration that was found, outside of the tree with the configuration.
#[derive(Debug, Error)]
#[error(
    "`review.{field}` is `{path}`, outside of {tree}, which a configuration that was found must not name; name it with --{field}, or the configuration with --config"
)]
pub struct OutsidePath {
    field: &'static str,
    path: String,
    tree: String,
}

/// Returns the garden directory of a configuration.
///
/// # Errors
/// Fails if it is outside of the tree.
pub fn garden(defaults: &ReviewDefaults) -> Result<Option<&PathBuf>, OutsidePath> {
    inside("garden", defaults.garden.as_ref(), defaults)
}

/// Returns the baseline of a configuration.
///
/// # Errors
/// Fails if it is outside of the tree.
pub fn baseline(defaults: &ReviewDefaults) -> Result<Option<&PathBuf>, OutsidePath> {
    inside("baseline", defaults.baseline.as_ref(), defaults)
}

fn inside<'p>(
    field: &'static str,
    path: Option<&'p PathBuf>,
    defaults: &ReviewDefaults,
) -> Result<Option<&'p PathBuf>, OutsidePath> {
    let Some(named) = path else { return Ok(None) };
    let tree = match &defaults.tree {
        Some(tree) if !contained(named, tree) => format!("`{}`", tree.display()),
        _ if !may_be_read(named) => "the directories that may be read".to_owned(),
        _ => return Ok(path),
    };
    Err(OutsidePath { field, path: named.display().to_string(), tree })
}
