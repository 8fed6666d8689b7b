//! What of a directory is not as it was, and what those files hold.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::iter::Peekable;
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;
use std::vec::IntoIter;

use rayon::prelude::*;

use super::Wanted;
use super::file_content::FileContent;
use super::file_index::{FileIndex, NonRegularEntry};
use super::file_metadata::{FileMetadata, FileState};
use crate::files::{self, Found, Ignoring, Problem};

/// How many files are read at a time, on all cores.
const AT_ONCE: usize = 256;
/// How long files may be together to be read at a time; what becomes of them takes several times as much memory. Bytes.
const LENGTH_AT_ONCE: u64 = 4 << 20;

/// How a directory differs from what was seen of it.
#[derive(Default)]
pub(super) struct Difference {
    /// Files that are new, or perhaps not what they were, in order.
    pub(super) suspects: Vec<Suspect>,
    /// Files that are gone.
    pub(super) gone: Vec<Arc<Path>>,
    /// All that is no file and may matter.
    pub(super) asides: Vec<NonRegularEntry>,
}

/// A file that has to be read to know whether it is what it was.
pub(super) struct Suspect {
    pub(super) path: Arc<Path>,
    pub(super) stamp: FileMetadata,
    length: u64,
}

/// Goes through all that is below `dir`, from `now` on. Files that are certainly what they were are not read.
pub(super) fn difference(dir: &Path, ledger: &FileIndex, now: SystemTime) -> Difference {
    let mut difference = Difference::default();
    // Of a directory that is too large everything is read again, which is not done for a doubt.
    let is_settled = match ledger.is_full() {
        true => FileMetadata::is_perhaps,
        false => FileMetadata::is_certainly,
    };
    // Both are in the order of the paths.
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
        let (stamp, length) = FileMetadata::of(&path, now);
        let path = match known.next_if(|it| **it.0 == *path) {
            Some((_, seen)) if is_settled(seen.stamp, stamp) => continue,
            Some((known, _)) => Arc::clone(known),
            None => path.into(),
        };
        difference.suspects.push(Suspect {
            path,
            stamp,
            length,
        });
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

/// A file that was read; without content if it still has the hash that was known.
pub(super) type Read = (Arc<Path>, FileState, Option<FileContent>);

/// Reads the next files on all cores, some at a time, in order; nothing is left of them if it returns nothing.
pub(super) fn read_some(
    suspects: &mut Peekable<IntoIter<Suspect>>,
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

/// What a file holds now, and what stands for that.
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
        Ok(bytes) => FileContent::of(path, bytes, wanted),
        Err(problem) => FileContent::closed(problem),
    }
}
