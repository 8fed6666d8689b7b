// SPDX-License-Identifier: Apache-2.0
use std::collections::{HashSet, VecDeque};
use std::io::ErrorKind;
use std::iter;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use ignore::{DirEntry, WalkBuilder};

use super::Problem;
use super::confinement::{OUTSIDE, may_be_read};
use super::open::{Limit, check_within};
use super::read::{NO_FILE, explain};
use super::trees::Trees;

/// Maximum number of files of any type below one directory, which bounds the walk.
const MAX_ENTRIES: usize = 1_000_000;
/// Maximum number of files below a directory that a workspace names, in which the user of an editor waits.
const MAX_CONTAINED: usize = 100_000;
/// Name of the ignore file that only garden-gate reads, in the syntax of `.gitignore`.
pub(crate) const IGNORE_FILE: &str = ".garden-gate-ignore";

/// The name of a kustomization that is no name of a manifest.
pub(crate) const KUSTOMIZATION: &str = "Kustomization";
/// The entry of a Git repository, which is not part of the work tree.
const GIT: &str = ".git";
/// The link of a mounted volume to the directory of its current files.
const VOLUME: &str = "..data";

/// Files that the walk reads in each directory.
/// They may be untrusted.
const READ_FILES: [&str; 4] = [".gitignore", IGNORE_FILE, ".git/info/exclude", ".git"];

/// The ignore files that apply to a walk, and its boundary.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Ignoring {
    /// Ignore files in the directory and above it, as in Git.
    ///
    /// The content may be untrusted: links to the outside are not followed, and hidden files are found, since
    /// `kubectl apply` reads them.
    Above,
    /// Ignore files in the directory.
    ///
    /// Links are followed, unless they lead out of a Git work tree or the working directory. Hidden files are skipped.
    /// Used for garden directories, such as dumps that Git ignores.
    Within,
    /// Ignore files in the directory, as with `Within`.
    ///
    /// The content may be untrusted: links to the outside are not followed, and few files are found.
    Contained,
}

impl Ignoring {
    /// Returns the maximum number of files of any type.
    fn most_entries(self) -> usize {
        match self {
            Self::Above | Self::Within => MAX_ENTRIES,
            Self::Contained => MAX_CONTAINED,
        }
    }
}

/// An entry that a walk finds.
#[derive(Debug)]
pub enum Found {
    /// A file with the name of a manifest or a kustomization.
    File(PathBuf),
    /// A link to a parent of the link, which is safe to skip.
    Loop(Problem),
    /// A link to a directory outside of the walk, which is not followed.
    Outside(Problem),
    /// An entry that may contain manifests but cannot be read.
    Closed(Problem),
}

impl Found {
    /// Returns the path of the file or directory.
    pub fn path(&self) -> &Path {
        match self {
            Found::File(path) => path,
            Found::Loop(problem) | Found::Outside(problem) | Found::Closed(problem) => {
                &problem.file
            }
        }
    }
}

/// Returns all files with manifest names below a directory, sorted by name, following symbolic links.
///
/// Skips ignored files, the content of `.git`, and files of mounted volumes (`..data`) to which visible files link.
pub fn below(directory: &Path, ignoring: Ignoring) -> impl Iterator<Item = Found> + use<> {
    let guard = Arc::new(Guard::new(directory, ignoring));
    let admitting = Arc::clone(&guard);
    let is_admitted = guard.admits_root(directory, ignoring);
    let entries = WalkBuilder::new(directory)
        .follow_links(true)
        .hidden(ignoring == Ignoring::Within)
        .parents(ignoring == Ignoring::Above)
        .ignore(false)
        .require_git(false)
        .git_global(false)
        .add_custom_ignore_filename(IGNORE_FILE)
        .sort_by_file_name(Ord::cmp)
        .filter_entry(move |entry| admitting.admits(entry))
        .build();
    let root = directory.to_owned();
    let most = ignoring.most_entries();
    let too_many = move |index| {
        let message = format!("more than {most} files; name a directory that holds only manifests");
        (index == most).then(|| Found::Closed(Problem::of_file(&root, message)))
    };
    let mut found = entries
        .take(if is_admitted { most + 1 } else { 0 })
        .enumerate()
        .filter_map(move |(index, entry)| too_many(index).or_else(|| found(entry, ignoring)));
    let mut ready = VecDeque::new();
    iter::from_fn(move || {
        if ready.is_empty() {
            let next = found.next();
            // Skipped directories precede the entry.
            ready.extend(guard.met());
            ready.extend(next);
        }
        ready.pop_front()
    })
}

/// Decides which directories a walk enters.
struct Guard {
    ignoring: Ignoring,
    trees: Trees,
    /// The directory that links must not leave; `None` for no limit.
    root: Option<PathBuf>,
    /// Targets of links to directories; each is entered once.
    targets: Mutex<HashSet<PathBuf>>,
    /// Directories that were skipped.
    met: Mutex<Vec<Found>>,
}

impl Guard {
    fn new(directory: &Path, ignoring: Ignoring) -> Self {
        let root = (ignoring != Ignoring::Within).then(|| directory.canonicalize().ok());
        Self {
            ignoring,
            trees: match ignoring {
                Ignoring::Above | Ignoring::Contained => Trees::new([directory]),
                Ignoring::Within => Trees::default(),
            },
            root: root.flatten(),
            targets: Mutex::default(),
            met: Mutex::default(),
        }
    }

    /// Reports whether the ignore files in the root and above it can be read.
    fn admits_root(&self, directory: &Path, ignoring: Ignoring) -> bool {
        if !may_be_read(directory) {
            self.meet(Found::Closed(Problem::of_file(directory, OUTSIDE.to_owned())));
            return false;
        }
        let place = directory.canonicalize().unwrap_or_else(|_| directory.to_owned());
        let mut above = place.ancestors().skip(1);
        self.is_readable(directory)
            && (ignoring != Ignoring::Above || above.all(|it| self.is_readable(it)))
    }

    fn admits(&self, entry: &DirEntry) -> bool {
        if self.ignoring == Ignoring::Above && is_skipped(entry) {
            return false;
        }
        let path = entry.path();
        let is_directory = entry.file_type().is_some_and(|it| it.is_dir());
        let is_link = entry.path_is_symlink() && entry.depth() > 0;
        if !is_directory {
            return !is_link || !self.ignoring.reads(path) || self.is_inside(path, "");
        }
        if let Some(root) = &self.root
            && entry.path_is_symlink()
            && let Ok(target) = path.canonicalize()
        {
            if !target.starts_with(root) {
                let message = format!(
                    "a symbolic link to the directory `{}`, outside of `{}`; name that directory, too, to review it",
                    target.display(),
                    root.display()
                );
                self.meet(Found::Outside(Problem::of_file(path, message)));
                return false;
            }
            let mut targets = self.targets.lock().unwrap_or_else(PoisonError::into_inner);
            if !targets.insert(target) {
                return false;
            }
        }
        (!is_link || self.is_inside(path, "")) && self.is_readable(path)
    }

    /// Reports whether a link stays in its tree.
    fn is_inside(&self, link: &Path, consequence: &str) -> bool {
        let resolved = self.trees.resolve(link);
        if let Err(error) = &resolved {
            let problem = Problem::of_file(link, format!("{error}{consequence}"));
            self.meet(Found::Closed(problem));
        }
        resolved.is_ok()
    }

    /// Reports whether the ignore files in a directory are regular and small.
    fn is_readable(&self, directory: &Path) -> bool {
        for name in READ_FILES {
            let file = directory.join(name);
            // A directory, as `.git` usually is, needs no check.
            if file.metadata().is_ok_and(|it| !it.is_dir())
                && let Err(error) = check_within(&file, Limit::IGNORE_FILES)
                && !matches!(error.kind(), ErrorKind::NotFound | ErrorKind::PermissionDenied)
            {
                let message = format!("{error}; its directory is not read");
                self.meet(Found::Closed(Problem::of_file(&file, message)));
                return false;
            }
            if !file.is_symlink() {
                continue;
            }
            let is_of_git = [".git", ".git/info/exclude"].contains(&name);
            if !is_of_git && !self.is_inside(&file, "; its directory is not read") {
                return false;
            }
            if !may_be_read(&file) {
                self.meet(Found::Closed(Problem::of_file(&file, OUTSIDE.to_owned())));
                return false;
            }
        }
        true
    }

    fn meet(&self, found: Found) {
        let mut met = self.met.lock().unwrap_or_else(PoisonError::into_inner);
        met.push(found);
    }

    fn met(&self) -> Vec<Found> {
        let mut met = self.met.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *met)
    }
}

fn found(entry: Result<DirEntry, ignore::Error>, ignoring: Ignoring) -> Option<Found> {
    let entry = match entry {
        Ok(entry) => entry,
        Err(error) => return closed(Path::new(""), &error),
    };
    let kind = entry.file_type()?;
    if kind.is_dir() || !ignoring.reads(entry.path()) {
        return None;
    }
    let path = entry.into_path();
    Some(if kind.is_file() {
        Found::File(path)
    } else {
        Found::Closed(Problem::of_file(&path, NO_FILE))
    })
}

/// Converts a walk error to an entry; returns `None` if the path cannot contain manifests.
fn closed(path: &Path, error: &ignore::Error) -> Option<Found> {
    match error {
        ignore::Error::WithPath { path, err } => closed(path, err),
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => {
            closed(path, err)
        }
        ignore::Error::Loop { child, .. } if is_hidden(child) => None,
        ignore::Error::Loop { ancestor, child } => {
            let shown = ancestor.display();
            let message = format!("a symbolic link leads back to `{shown}`; remove it");
            Some(Found::Loop(Problem::of_file(child, message)))
        }
        _ if is_hidden(path) => None,
        ignore::Error::Io(error) if error.kind() == ErrorKind::NotFound => {
            // Other links, for example into a submodule that is not checked out, lead to no manifest.
            let message = "a symbolic link leads nowhere; remove it";
            has_manifest_name(path).then(|| Found::Closed(Problem::of_file(path, message)))
        }
        ignore::Error::Io(error) => Some(Found::Closed(Problem::of_file(path, explain(error)))),
        other => Some(Found::Closed(Problem::of_file(path, other.to_string()))),
    }
}

fn is_hidden(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default();
    name.as_encoded_bytes().starts_with(b".")
}

/// Reports whether `kubectl apply` does not read an entry, or reads it under another name.
fn is_skipped(entry: &DirEntry) -> bool {
    let (path, name) = (entry.path(), entry.file_name());
    if entry.depth() > 0 && (name == GIT || name == VOLUME && entry.path_is_symlink()) {
        return true;
    }
    // kubelet mounts files of volumes as links into `..data`, which links to `..2026_01_01`.
    let Some(folder) = path.parent().filter(|_| entry.depth() > 1) else {
        return false;
    };
    let is_volume = folder.file_name().is_some_and(|it| it.as_encoded_bytes().starts_with(b".."));
    let visible = folder.parent().map(|it| it.join(name).canonicalize());
    is_volume
        && matches!((visible, path.canonicalize()), (Some(Ok(visible)), Ok(own)) if visible == own)
}

impl Ignoring {
    /// Reports whether a file with this name is found.
    fn reads(self, path: &Path) -> bool {
        has_manifest_name(path) || self == Ignoring::Above && path.ends_with(KUSTOMIZATION)
    }
}

/// Reports whether `kubectl apply` reads a file with this name in a directory.
pub(crate) fn has_manifest_name(path: &Path) -> bool {
    // The name `.yaml` is only an extension for Go.
    let name = path.file_name().unwrap_or_default().as_encoded_bytes();
    let extensions: [&[u8]; 3] = [b".yaml", b".yml", b".json"];
    extensions.iter().any(|extension| name.ends_with(extension))
}
