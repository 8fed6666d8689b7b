use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use ignore::{DirEntry, WalkBuilder};

use super::Problem;
use super::read::{NO_FILE, explain};

/// Files of any name below one directory, so that a walk through a whole machine ends.
const MAX_ENTRIES: usize = 1_000_000;
/// Names, like those of `.gitignore`, that are left out of a walk; for us alone.
const IGNORE_FILE: &str = ".garden-gate-ignore";

/// Whose `.gitignore` and `.garden-gate-ignore` count in a walk.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Ignoring {
    /// Those in the directory and above it, as for Git.
    Above,
    /// Those in the directory: it was named because it counts, perhaps a dump that Git is to leave alone.
    Within,
}

/// What a walk through a directory comes across.
#[derive(Debug)]
pub enum Found {
    /// A file that should hold manifests.
    File(PathBuf),
    /// A link back to where the walk came from, so that nothing is missed without it.
    Loop(Problem),
    /// Something that may hold manifests, and cannot be looked into.
    Closed(Problem),
}

/// Everything below a directory that is called like a manifest, is not hidden and not left out by its owner, in the order of the
/// names and through symbolic links.
///
/// Hidden are also the links and directories that a mounted volume consists of (`..data`): its files lead there.
pub fn below(directory: &Path, ignoring: Ignoring) -> impl Iterator<Item = Found> + use<> {
    let entries = WalkBuilder::new(directory)
        .follow_links(true)
        .parents(ignoring == Ignoring::Above)
        .ignore(false)
        .require_git(false)
        .git_global(false)
        .add_custom_ignore_filename(IGNORE_FILE)
        .sort_by_file_name(Ord::cmp)
        .build();
    let root = directory.to_owned();
    let too_many = move |index| {
        let message =
            format!("more than {MAX_ENTRIES} files; name a directory that holds only manifests");
        (index == MAX_ENTRIES).then(|| Found::Closed(Problem::of_file(&root, message)))
    };
    entries
        .take(MAX_ENTRIES + 1)
        .enumerate()
        .filter_map(move |(index, entry)| too_many(index).or_else(|| found(entry)))
}

fn found(entry: Result<DirEntry, ignore::Error>) -> Option<Found> {
    let entry = match entry {
        Ok(entry) => entry,
        Err(error) => return closed(Path::new(""), &error),
    };
    let kind = entry.file_type()?;
    if kind.is_dir() || !has_manifest_name(entry.path()) {
        return None;
    }
    let path = entry.into_path();
    Some(match kind.is_file() {
        true => Found::File(path),
        false => Found::Closed(Problem::of_file(&path, NO_FILE)),
    })
}

/// What is the matter with something at `path`; `None` where that cannot hold manifests.
fn closed(path: &Path, error: &ignore::Error) -> Option<Found> {
    match error {
        ignore::Error::WithPath { path, err } => closed(path, err),
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => {
            closed(path, err)
        }
        ignore::Error::Loop { child, .. } if is_hidden(child) => None,
        ignore::Error::Loop { ancestor, child } => {
            let ancestor = ancestor.display();
            let message = format!("a symbolic link leads back to `{ancestor}`; remove it");
            Some(Found::Loop(Problem::of_file(child, message)))
        }
        _ if is_hidden(path) => None,
        ignore::Error::Io(error) if error.kind() == ErrorKind::NotFound => {
            // Without an extension it may have been a directory.
            let may_matter = has_manifest_name(path) || path.extension().is_none();
            let message = "a symbolic link leads nowhere; remove it";
            may_matter.then(|| Found::Closed(Problem::of_file(path, message)))
        }
        ignore::Error::Io(error) => Some(Found::Closed(Problem::of_file(path, explain(error)))),
        other => Some(Found::Closed(Problem::of_file(path, other.to_string()))),
    }
}

fn is_hidden(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default();
    name.as_encoded_bytes().starts_with(b".")
}

/// Whether a file of this name may hold manifests.
pub(crate) fn has_manifest_name(path: &Path) -> bool {
    path.extension().is_some_and(|extension| {
        ["yaml", "yml", "json"]
            .iter()
            .any(|known| extension == *known)
    })
}
