use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::Path;
use std::time::{Duration, SystemTime};

use crate::platform::{changed, file_identity};

/// Worst-case timestamp granularity of file systems.
///
/// Two changes within it may leave the same metadata.
const TICK: Duration = Duration::from_secs(2);

/// The metadata and content hash of a file.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct FileState {
    /// The metadata before the file was read.
    pub(super) stamp: FileMetadata,
    /// The hash of the content.
    pub(super) hash: u64,
}

/// File metadata that shows, without reading the file, whether it changed.
///
/// Replacing a file changes its inode. Tools can reset the modification time (mtime), but not the change time (ctime).
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct FileMetadata {
    outside: u64,
    /// Whether the file may have changed again: it changed recently, or its metadata is unreadable.
    is_doubtful: bool,
}

impl FileMetadata {
    /// Reads the metadata of a file at `now` or slightly later.
    /// Also returns the length in bytes.
    pub(super) fn of(path: &Path, now: SystemTime) -> (Self, u64) {
        let Ok(metadata) = path.metadata() else {
            let nothing = Self { outside: 0, is_doubtful: true };
            return (nothing, 0);
        };
        let mut hasher = DefaultHasher::new();
        let changed = changed(&metadata);
        (metadata.len(), metadata.modified().ok(), changed).hash(&mut hasher);
        let identity = file_identity(path, &metadata);
        identity.unwrap_or_default().hash(&mut hasher);
        // The clocks of network file systems may be ahead.
        let is_doubtful = now.duration_since(changed).is_ok_and(|age| age < TICK) || changed > now;
        let stamp = Self { outside: hasher.finish(), is_doubtful };
        (stamp, metadata.len())
    }

    /// Returns the same metadata, marked as doubtful.
    pub(super) fn doubtful(self) -> Self {
        Self { is_doubtful: true, ..self }
    }

    /// Reports whether a file with this former metadata and the `other` current one may be unchanged.
    pub(super) fn is_perhaps(self, other: Self) -> bool {
        self.outside == other.outside
    }

    /// Reports whether a file with this former metadata and the `other` current one is certainly unchanged.
    pub(super) fn is_certainly(self, other: Self) -> bool {
        self.is_perhaps(other) && !self.is_doubtful
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::time::{Duration, SystemTime};

    use tempfile::TempDir;

    use super::{FileMetadata, TICK};

    #[test]
    fn a_file_is_certainly_the_same_once_its_last_change_is_some_time_ago() {
        let dir = TempDir::new().unwrap();
        let path = dir.path().join("a");
        fs::write(&path, "text").unwrap();
        let now = SystemTime::now();
        let at = |now| FileMetadata::of(&path, now).0;
        let later = now + TICK + Duration::from_secs(1);
        for doubtful in [now, now - Duration::from_secs(3600)] {
            assert!(!at(doubtful).is_certainly(at(later)));
            assert!(at(doubtful).is_perhaps(at(later)));
        }
        let settled = at(later);
        assert!(settled.is_certainly(settled) && !settled.doubtful().is_certainly(settled));
        fs::write(&path, "longer text").unwrap();
        assert!(!settled.is_perhaps(at(later)));
        fs::remove_file(&path).unwrap();
        assert!(!at(later).is_certainly(at(later)));
    }
}
