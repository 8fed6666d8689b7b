// SPDX-License-Identifier: Apache-2.0
//! Temporary folders of tests.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

/// Creates a folder with these files, each with its relative path.
pub(crate) fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = TempDir::new().unwrap();
    for (name, text) in files {
        write(folder.path(), name, text);
    }
    folder
}

/// Writes a file in a folder, and creates its parents.
pub(crate) fn write(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}
