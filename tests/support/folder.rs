//! Folders that are gone after a test.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

/// A folder with these files, each by its path in there.
pub(crate) fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = TempDir::new().unwrap();
    for (name, text) in files {
        write(folder.path(), name, text);
    }
    folder
}

/// Writes a file in a folder, and the folders on the way to it.
pub(crate) fn write(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}
