// SPDX-License-Identifier: Apache-2.0
//! Manifests in a directory for `gardenadm`.

use std::collections::HashMap;
use std::fs::{self, DirEntry};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};

use super::input;
use super::manifests::ChangedObjects;
use super::notes::note_some;
use super::repository;
use crate::files::{Trees, explain, has_manifest_name};
use garden_gate_core::garden::Snapshot;
use garden_gate_products::report::SkippedInput;
use garden_gate_products::review::{GardenadmDirectory, OtherObjects};

/// Hidden files with the names of manifests that are known to be none.
const OF_TOOLS: [&str; 3] = [".garden-gate.yaml", ".gitlab-ci.yml", ".pre-commit-config.yaml"];

/// Maximum number of files of any type, which bounds the walk.
const MAX_ENTRIES: usize = 100_000;

/// The entries of a directory, in the order in which `gardenadm` reads them.
#[derive(Default)]
struct Walk {
    /// Files that `gardenadm` reads, or the reason why they cannot be read.
    files: Vec<(PathBuf, Option<String>)>,
    /// Entries that it does not read.
    unread: Vec<PathBuf>,
}

/// Reads a directory as `gardenadm` does, and returns its objects with the garden that they are.
///
/// Prints notes about files and objects that `gardenadm` does not use.
///
/// # Errors
/// Fails if the path is not a readable directory.
pub(crate) fn read(
    directory: &Path,
    left_out: &mut SkippedInput,
) -> anyhow::Result<(ChangedObjects, Snapshot)> {
    let name = directory.display().to_string();
    Trees::new([directory]).resolve(directory)?;
    match fs::metadata(directory) {
        Ok(it) if it.is_dir() => {}
        Ok(_) => bail!("`{name}` is not a directory; name the one of `gardenadm init`"),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            bail!("there is no directory `{name}`; name the one of `gardenadm init`")
        }
        Err(error) => return Err(error).with_context(|| format!("cannot read `{name}`")),
    }
    let Walk { files, unread } = Walk::of(directory);
    note_some("note: gardenadm does not read", unread.iter().map(|it| it.display().to_string()));
    let paths = files.iter().filter(|(_, why)| why.is_none());
    let paths = paths.filter_map(|(it, _)| repository::absolute(it).ok()).collect();
    let texts = input::read_files(files).map(|input| {
        let text = input.text.map_err(input::Unread::why);
        (input.name, text)
    });
    let read = GardenadmDirectory::of(&name, texts.collect());
    let ignored = read.ignored.iter().map(|(kind, count)| format!("{count} {kind}"));
    note_some("note: gardenadm ignores objects of these kinds", ignored);
    left_out.others += read.others;
    let changed = ChangedObjects {
        subjects: read.subjects,
        unchanged: Vec::new(),
        others: OtherObjects::default(),
        files: paths,
        unclear: HashMap::new(),
    };
    Ok((changed, read.garden))
}

impl Walk {
    /// Walks through a directory, without following links to directories.
    fn of(directory: &Path) -> Self {
        let (mut walk, trees) = (Self::default(), Trees::new([directory]));
        let mut entries = walk.entries(directory);
        let mut count = 0;
        while let Some(entry) = entries.pop() {
            count += 1;
            if count > MAX_ENTRIES {
                let why =
                    format!("more than {MAX_ENTRIES} files; remove those that are no manifests");
                walk.files.push((directory.to_owned(), Some(why)));
                break;
            }
            let path = entry.path();
            let is_hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
            let is_manifest = has_manifest_name(&path);
            match entry.file_type() {
                Ok(kind) if kind.is_dir() && !is_hidden => entries.extend(walk.entries(&path)),
                Ok(kind) if kind.is_dir() => {}
                _ if is_hidden => {
                    let is_of_tool = OF_TOOLS.iter().any(|it| entry.file_name() == *it);
                    walk.unread.extend(Some(path).filter(|_| is_manifest && !is_of_tool));
                }
                _ if !is_manifest => walk.unread.push(path),
                Ok(kind) if kind.is_symlink() => {
                    let why = link_problem(&path, &trees);
                    walk.files.push((path, why));
                }
                Ok(_) => walk.files.push((path, None)),
                Err(error) => walk.files.push((path, Some(explain(&error)))),
            }
        }
        walk
    }

    /// Returns the entries of a directory, the last one by name first.
    fn entries(&mut self, directory: &Path) -> Vec<DirEntry> {
        let entries = fs::read_dir(directory);
        let entries =
            entries.and_then(|it| it.take(MAX_ENTRIES + 1).collect::<io::Result<Vec<_>>>());
        let mut entries = entries.unwrap_or_else(|error| {
            self.files.push((directory.to_owned(), Some(explain(&error))));
            Vec::new()
        });
        entries.sort_by_key(|it| std::cmp::Reverse(it.file_name()));
        entries
    }
}

/// Returns why the target of a link cannot be read.
fn link_problem(link: &Path, trees: &Trees) -> Option<String> {
    match fs::metadata(link) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            Some("a symbolic link leads nowhere; remove it".to_owned())
        }
        Err(error) => Some(explain(&error)),
        Ok(target) if target.is_dir() => {
            let why =
                "a symbolic link to a directory, on which gardenadm fails; rename or remove it";
            Some(why.to_owned())
        }
        Ok(_) => trees.resolve(link).err().map(|error| error.to_string()),
    }
}
