use std::fs::{self, File};
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

use super::{DirectoryError, Problem};
use crate::source::{Position, SourceError};

const MIB: u64 = 1024 * 1024;
/// More than 2,000 Shoots as the API server stores them; reading takes several times as much memory.
const MAX_FILE: u64 = 64 * MIB;
/// All files together: more than 30,000 Shoots. Bounds the time that loading takes.
const MAX_TOTAL: u64 = 1024 * MIB;
/// Files of any name, so that `--garden /` ends with an error and not with a walk through the machine.
const MAX_ENTRIES: usize = 200_000;

/// What the walk through a directory comes across.
pub(super) enum Found {
    /// A file that should hold manifests.
    Manifest(PathBuf),
    /// Something that cannot be looked at.
    Problem(Problem),
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

/// Everything below `dir` that looks like a manifest, in the order of the names.
pub(super) fn below(dir: &Path) -> impl Iterator<Item = Found> {
    let entries = WalkDir::new(dir)
        .follow_links(true)
        .sort_by_file_name()
        .into_iter();
    let root = dir.to_owned();
    let too_many = move |index| {
        let message =
            format!("more than {MAX_ENTRIES} files; name a directory that holds only manifests");
        (index == MAX_ENTRIES).then(|| Found::Problem(Problem::of_file(&root, message)))
    };
    entries
        .filter_entry(|entry| entry.depth() == 0 || !is_left_out(entry.path()))
        .take(MAX_ENTRIES + 1)
        .enumerate()
        .filter_map(move |(index, entry)| too_many(index).or_else(|| found(entry)))
}

fn found(entry: walkdir::Result<DirEntry>) -> Option<Found> {
    match entry {
        Ok(entry) if entry.file_type().is_dir() || !has_manifest_name(entry.path()) => None,
        Ok(entry) if entry.file_type().is_file() => Some(Found::Manifest(entry.into_path())),
        // Reading a pipe could wait for ever.
        Ok(entry) => Some(Found::Problem(Problem::of_file(
            entry.path(),
            "not a regular file; remove or rename it",
        ))),
        Err(error) => {
            let path = error.path().unwrap_or(Path::new(""));
            (!is_left_out(path)).then(|| Found::Problem(Problem::of_file(path, explain(&error))))
        }
    }
}

fn explain(error: &walkdir::Error) -> String {
    if let Some(ancestor) = error.loop_ancestor() {
        return format!(
            "a symbolic link leads back to `{}`; remove it",
            ancestor.display()
        );
    }
    match error.io_error() {
        Some(error) if error.kind() == ErrorKind::NotFound => {
            "a symbolic link leads nowhere; remove it".to_owned()
        }
        Some(error) => format!("failed to look at it: {error}"),
        None => "failed to look at it".to_owned(),
    }
}

/// `..` is how Kubernetes begins the names of a volume's own links and directories, `.#` how Emacs marks locks.
fn is_left_out(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().as_encoded_bytes();
    name.starts_with(b"..") || name.starts_with(b".#")
}

fn has_manifest_name(path: &Path) -> bool {
    path.extension().is_some_and(|extension| {
        ["yaml", "yml", "json"]
            .iter()
            .any(|known| extension == *known)
    })
}

/// The text of a file; `total` counts what all files had so far.
pub(super) fn read(path: &Path, total: &mut u64) -> Result<String, Problem> {
    let failed = |error| Problem::of_file(path, format!("failed to read it: {error}"));
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(failed)?;
    file.take(MAX_FILE + 1)
        .read_to_end(&mut bytes)
        .map_err(failed)?;
    let length = bytes.len() as u64;
    if length > MAX_FILE {
        let message = format!("larger than {} MiB; split it", MAX_FILE / MIB);
        return Err(Problem::of_file(path, message));
    }
    *total += length;
    if *total > MAX_TOTAL {
        let message = format!(
            "with this file the directory has more than {} MiB of manifests",
            MAX_TOTAL / MIB
        );
        return Err(Problem::of_file(path, message));
    }
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let before = String::from_utf8_lossy(&error.as_bytes()[..valid]);
        let position = Position::START.after(&before);
        let message = "not UTF-8 text; save the file as UTF-8".to_owned();
        Problem::at(path, SourceError { position, message })
    })
}
