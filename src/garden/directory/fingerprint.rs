use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::files::{self, Found, Ignoring};

/// What shows whether the files of a garden directory changed, without reading them.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Fingerprint(Vec<(PathBuf, Option<Stamp>)>);

/// A file that is replaced gets another inode even where the clock is too coarse to show it.
#[derive(Clone, Debug, Eq, PartialEq)]
struct Stamp {
    modified: Option<SystemTime>,
    length: u64,
    inode: u64,
}

/// The fingerprint of the files that [`load`](super::load) would read.
///
/// Take it before loading: then a change while loading shows as a difference afterwards. What cannot be looked at is part
/// of it, so that this too is noticed when it changes.
#[must_use]
pub fn fingerprint(dir: &Path) -> Fingerprint {
    let stamps = files::below(dir, Ignoring::Within).map(|found| match found {
        Found::File(path) => {
            let stamp = path.metadata().ok().map(|metadata| stamp(&metadata));
            (path, stamp)
        }
        Found::Loop(problem) | Found::Closed(problem) => (problem.file, None),
    });
    Fingerprint(stamps.collect())
}

fn stamp(metadata: &Metadata) -> Stamp {
    Stamp {
        modified: metadata.modified().ok(),
        length: metadata.len(),
        inode: inode(metadata),
    }
}

#[cfg(unix)]
fn inode(metadata: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(metadata)
}

#[cfg(not(unix))]
fn inode(_: &Metadata) -> u64 {
    0
}
