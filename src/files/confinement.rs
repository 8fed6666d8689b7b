// SPDX-License-Identifier: Apache-2.0
//! Confinement of a process that reads files for a client, such as an agent.

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use super::contained;
use crate::platform::file_identity;

/// The message about a path that may not be read.
pub(super) const OUTSIDE: &str = "outside of the directories that may be read";

/// The files and directories that may be read; unset without a confinement.
static ROOTS: OnceLock<Vec<PathBuf>> = OnceLock::new();

/// Refuses manifests, gardens, policies and configurations elsewhere than at or below these paths, until the process ends.
///
/// The paths must be canonical. They are not resolved again, since a link could replace one of them. Only the first call
/// counts.
pub(crate) fn confine(paths: impl IntoIterator<Item = PathBuf>) {
    let _ = ROOTS.set(paths.into_iter().collect());
}

/// Reports whether a path is within the confinement, if there is one, before anything there is accessed.
pub(crate) fn may_be_read(path: &Path) -> bool {
    let is_below =
        |root: &PathBuf| root.canonicalize().is_ok_and(|it| it == *root) && contained(path, root);
    ROOTS.get().is_none_or(|roots| roots.iter().any(is_below))
}

/// Checks that an opened file is within the confinement, if there is one.
///
/// # Errors
/// Fails for a file elsewhere, also if a symbolic link leads there or the path was replaced after the file was opened.
pub(super) fn check(path: &Path, file: &File) -> io::Result<()> {
    match ROOTS.get() {
        Some(roots) => check_below(roots, path, file),
        None => Ok(()),
    }
}

fn check_below(roots: &[PathBuf], path: &Path, file: &File) -> io::Result<()> {
    let place = path.canonicalize()?;
    let is_below = roots.iter().any(|root| place.starts_with(root));
    // The path may have been another file when it was opened.
    let opened = file_identity(&place, &file.metadata()?)?;
    if is_below && opened == file_identity(&place, &fs::metadata(&place)?)? {
        return Ok(());
    }
    Err(io::Error::new(ErrorKind::PermissionDenied, OUTSIDE))
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};
    use std::os::unix::fs::symlink;

    use tempfile::TempDir;

    use super::check_below;

    #[test]
    fn only_files_below_a_root_are_within() {
        let dir = TempDir::new().unwrap();
        let dir = dir.path().canonicalize().unwrap();
        let (root, outside) = (dir.join("root"), dir.join("root-outside"));
        fs::create_dir_all(&root).unwrap();
        for path in [root.join("file"), outside.clone()] {
            fs::write(path, "").unwrap();
        }
        symlink("file", root.join("inner")).unwrap();
        symlink(&outside, root.join("link")).unwrap();
        let is_within = |roots: &[_], path: &std::path::Path| {
            check_below(roots, path, &File::open(path).unwrap()).is_ok()
        };
        let roots = [root.clone()];
        assert!(is_within(&roots, &root.join("file")));
        assert!(is_within(&roots, &root.join("inner")));
        assert!(is_within(std::slice::from_ref(&outside), &outside), "a root may be a file");
        assert!(!is_within(&roots, &outside), "a root is not a prefix of names");
        assert!(!is_within(&roots, &root.join("link")));
        assert!(!is_within(&roots, &root.join("../root-outside")));
        assert!(!is_within(&[], &root.join("file")));
    }

    #[test]
    fn file_that_was_replaced_after_opening_is_refused() {
        let dir = TempDir::new().unwrap();
        let root = dir.path().canonicalize().unwrap();
        let path = root.join("file");
        fs::write(&path, "").unwrap();
        let opened = File::open(&path).unwrap();
        fs::rename(&path, root.join("old")).unwrap();
        fs::write(&path, "").unwrap();
        assert!(check_below(&[root], &path, &opened).is_err());
    }
}
