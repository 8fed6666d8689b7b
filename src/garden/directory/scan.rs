// SPDX-License-Identifier: Apache-2.0
//! Detection and parallel reading of changed files in a directory.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::iter::Peekable;
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;
use std::vec::IntoIter;

use rayon::prelude::*;

use super::file_metadata::metadata;
use crate::files::{self, Found, Ignoring, Problem};
use garden_gate_core::garden::texts::{
    FileContent, FileIndex, FileMetadata, FileState, NonRegularEntry, Wanted,
};

/// Maximum number of files that are read in one batch.
const AT_ONCE: usize = 256;
/// Maximum total length of a batch.
///
/// The parsed content takes several times as many bytes of memory.
const LENGTH_AT_ONCE: u64 = 4 << 20;

/// The difference between a directory and its [`FileIndex`].
#[derive(Default)]
pub(super) struct Difference {
    /// New and possibly changed files, in order.
    pub(super) suspects: Vec<UnverifiedFile>,
    /// Deleted files.
    pub(super) gone: Vec<Arc<Path>>,
    /// Relevant entries that are not regular files.
    pub(super) asides: Vec<NonRegularEntry>,
}

/// A file that must be read to detect whether it changed.
pub(super) struct UnverifiedFile {
    pub(super) path: Arc<Path>,
    pub(super) stamp: FileMetadata,
    length: u64,
}

/// Compares all entries below `dir` with the index, as of `now`.
///
/// Does not read files that are certainly unchanged.
pub(super) fn difference(dir: &Path, ledger: &FileIndex, now: SystemTime) -> Difference {
    let mut difference = Difference::default();
    // With files skipped, any change requires a full reload, so that doubtful metadata is not sufficient.
    let is_settled =
        if ledger.is_full() { FileMetadata::is_perhaps } else { FileMetadata::is_certainly };
    // Both iterators are sorted by path.
    let mut known = ledger.files().peekable();
    for found in files::below(dir, Ignoring::Within) {
        let path = match found {
            Found::File(path) => path,
            Found::Loop(problem) => {
                difference.aside(problem, false);
                continue;
            }
            Found::Outside(problem) | Found::Closed(problem) => {
                difference.aside(problem, true);
                continue;
            }
        };
        let is_before = |it: &(&Arc<Path>, FileState)| **it.0 < *path;
        while let Some((gone, _)) = known.next_if(is_before) {
            difference.gone.push(Arc::clone(gone));
        }
        let (stamp, length) = metadata(&path, now);
        let path = match known.next_if(|it| **it.0 == *path) {
            Some((_, seen)) if is_settled(seen.stamp, stamp) => continue,
            Some((known, _)) => Arc::clone(known),
            None => path.into(),
        };
        difference.suspects.push(UnverifiedFile { path, stamp, length });
    }
    let gone = known.map(|(path, _)| Arc::clone(path));
    difference.gone.extend(gone);
    difference
}

impl Difference {
    fn aside(&mut self, problem: Problem, is_closed: bool) {
        self.asides.push(NonRegularEntry { problem, is_closed });
    }
}

/// A file that was read; the content is `None` if the hash is unchanged.
pub(super) type Read = (Arc<Path>, FileState, Option<FileContent>);

/// Reads the next batch of files on all cores, in order.
///
/// Returns an empty list at the end.
pub(super) fn read_some(
    suspects: &mut Peekable<IntoIter<UnverifiedFile>>,
    known: impl Fn(&Path) -> Option<u64> + Sync,
    wanted: &Wanted,
) -> Vec<Read> {
    let (mut some, mut length) = (Vec::new(), 0);
    while let Some(next) = suspects.next_if(|next| {
        length += next.length;
        some.is_empty() || (length <= LENGTH_AT_ONCE && some.len() < AT_ONCE)
    }) {
        some.push(next);
    }
    let read = some.into_par_iter().map(|suspect| {
        let (hash, bytes) = bytes(&suspect.path);
        let stamp = match bytes {
            Ok(_) => suspect.stamp,
            Err(_) => suspect.stamp.doubtful(),
        };
        let is_known = known(&suspect.path) == Some(hash);
        let content = (!is_known).then(|| content(&suspect.path, bytes, wanted));
        (suspect.path, FileState { stamp, hash }, content)
    });
    read.collect()
}

/// Reads a file and returns its hash and content.
pub(super) fn read(path: &Path) -> (u64, FileContent) {
    let (hash, bytes) = bytes(path);
    (hash, content(path, bytes, &Wanted::default()))
}

fn bytes(path: &Path) -> (u64, Result<Vec<u8>, Problem>) {
    let bytes = files::read(path);
    let mut hasher = DefaultHasher::new();
    match &bytes {
        Ok(bytes) => bytes.hash(&mut hasher),
        Err(problem) => problem.message.hash(&mut hasher),
    }
    (hasher.finish(), bytes)
}

fn content(path: &Path, bytes: Result<Vec<u8>, Problem>, wanted: &Wanted) -> FileContent {
    match bytes {
        Ok(bytes) => content_of(path, bytes, wanted),
        Err(problem) => FileContent::closed(problem),
    }
}

/// Parses the content of a file.
pub(super) fn content_of(path: &Path, bytes: Vec<u8>, wanted: &Wanted) -> FileContent {
    match files::text(path, bytes) {
        Ok(text) => FileContent::of(path, &text, wanted),
        Err((problem, legible)) => FileContent::of_no_text(problem, &legible),
    }
}
