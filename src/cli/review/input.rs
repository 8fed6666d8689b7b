//! Where manifests come from: files, directories, standard input.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

use ignore::{DirEntry, WalkBuilder};

const MIB: u64 = 1024 * 1024;
/// The largest file that is read; more than any API server accepts in one object, many times over.
const MAX_FILE: u64 = 64 * MIB;
/// Files of any name below one directory, so that a walk through a whole machine ends.
const MAX_ENTRIES: usize = 1_000_000;
/// Names, like those of `.gitignore`, that are left out of a walk; for this command alone.
const IGNORE_FILE: &str = ".garden-gate-ignore";

/// A text that may hold manifests.
#[derive(Debug)]
pub(super) struct Input {
    /// The file, as the user would name it.
    pub(super) name: String,
    /// What it holds, or why that is not known.
    pub(super) text: Result<String, String>,
    /// Whether the user named the file itself; else it was found in a directory, where not every file is for us.
    pub(super) is_named: bool,
}

/// Every file that `paths` stand for: files themselves, standard input for `-`, and what is below directories, in the order of the
/// names. Each is read only when it is its turn.
pub(super) fn read(paths: &[PathBuf]) -> impl Iterator<Item = Input> {
    paths
        .iter()
        .flat_map(|path| -> Box<dyn Iterator<Item = Input>> {
            if path == Path::new("-") {
                let text = text(io::stdin().lock());
                return Box::new([named(path, text)].into_iter());
            }
            match fs::metadata(path) {
                Ok(metadata) if metadata.is_dir() => Box::new(below(path).map(found)),
                Ok(_) => Box::new([named(path, open(path))].into_iter()),
                Err(error) => Box::new([named(path, Err(explain(&error)))].into_iter()),
            }
        })
}

/// Everything below a directory that is called like a manifest and not left out, in the order of the names.
pub(super) fn below(directory: &Path) -> impl Iterator<Item = Result<PathBuf, (PathBuf, String)>> {
    let entries = WalkBuilder::new(directory)
        .follow_links(true)
        .require_git(false)
        .git_global(false)
        .add_custom_ignore_filename(IGNORE_FILE)
        .sort_by_file_name(Ord::cmp)
        .build();
    let root = directory.to_owned();
    entries
        .take(MAX_ENTRIES + 1)
        .enumerate()
        .filter_map(move |(index, entry)| {
            if index == MAX_ENTRIES {
                let message =
                    format!("more than {MAX_ENTRIES} files below it; name a smaller directory");
                return Some(Err((root.clone(), message)));
            }
            manifest(entry)
        })
}

fn manifest(entry: Result<DirEntry, ignore::Error>) -> Option<Result<PathBuf, (PathBuf, String)>> {
    match entry {
        Ok(entry) => {
            let is_file = entry.file_type().is_some_and(|it| it.is_file());
            let path = entry.into_path();
            (is_file && has_manifest_name(&path)).then_some(Ok(path))
        }
        Err(error) => {
            let (path, why) = explain_walk(&error);
            Some(Err((path, why)))
        }
    }
}

/// The file, and what is wrong with it, without the file.
fn explain_walk(error: &ignore::Error) -> (PathBuf, String) {
    match error {
        ignore::Error::WithPath { path, err } => {
            let inner = explain_walk(err);
            (path.clone(), inner.1)
        }
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => {
            explain_walk(err)
        }
        ignore::Error::Loop { ancestor, child } => {
            let ancestor = ancestor.display();
            (
                child.clone(),
                format!("a symbolic link leads back to `{ancestor}`"),
            )
        }
        ignore::Error::Io(error) => (PathBuf::new(), explain(error)),
        other => (PathBuf::new(), other.to_string()),
    }
}

/// Whether a file of this name may hold manifests.
pub(super) fn has_manifest_name(path: &Path) -> bool {
    let known = ["yaml", "yml", "json"];
    path.extension()
        .is_some_and(|extension| known.iter().any(|known| extension == *known))
}

fn named(path: &Path, text: Result<String, String>) -> Input {
    Input {
        name: path.display().to_string(),
        text,
        is_named: true,
    }
}

fn found(entry: Result<PathBuf, (PathBuf, String)>) -> Input {
    let (path, text) = match entry {
        Ok(path) => {
            let text = open(&path);
            (path, text)
        }
        Err((path, why)) => (path, Err(why)),
    };
    Input {
        is_named: false,
        ..named(path.strip_prefix("./").unwrap_or(&path), text)
    }
}

fn open(path: &Path) -> Result<String, String> {
    let file = File::open(path).map_err(|error| explain(&error))?;
    text(file)
}

fn text(source: impl Read) -> Result<String, String> {
    let mut bytes = Vec::new();
    let read = source.take(MAX_FILE + 1).read_to_end(&mut bytes);
    read.map_err(|error| explain(&error))?;
    if bytes.len() as u64 > MAX_FILE {
        return Err(format!("larger than {} MiB; split it", MAX_FILE / MIB));
    }
    String::from_utf8(bytes).map_err(|_| "not UTF-8 text; save the file as UTF-8".to_owned())
}

fn explain(error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => "there is no such file".to_owned(),
        ErrorKind::PermissionDenied => "it may not be read by this user".to_owned(),
        _ => format!("it cannot be read: {error}"),
    }
}
