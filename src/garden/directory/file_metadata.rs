use std::fs::Metadata;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Clocks of file systems are this coarse at worst: within it, a file can change twice and look the same.
const TICK: Duration = Duration::from_secs(2);

/// What was seen of a file.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct FileState {
    /// How it looked from outside, before it was read.
    pub(super) stamp: FileMetadata,
    /// Stands for what it holds.
    pub(super) hash: u64,
}

/// What shows without reading a file whether it is as it was.
///
/// A file that is replaced gets another inode, and whoever sets its time back cannot set back when that was done.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct FileMetadata {
    outside: u64,
    /// Whether the file changed so short a time ago that it may have changed again since, or could not be read, which may be over.
    is_doubtful: bool,
}

impl FileMetadata {
    /// The stamp of a file that is looked at `now` or a little later, and how many bytes long it is.
    pub(super) fn of(path: &Path, now: SystemTime) -> (Self, u64) {
        let Ok(metadata) = path.metadata() else {
            let nothing = Self {
                outside: 0,
                is_doubtful: true,
            };
            return (nothing, 0);
        };
        let mut hasher = DefaultHasher::new();
        let changed = changed(&metadata);
        (metadata.len(), metadata.modified().ok(), changed).hash(&mut hasher);
        identity(&metadata).hash(&mut hasher);
        // Clocks of other machines run ahead.
        let is_doubtful = now.duration_since(changed).is_ok_and(|age| age < TICK) || changed > now;
        let stamp = Self {
            outside: hasher.finish(),
            is_doubtful,
        };
        (stamp, metadata.len())
    }

    /// The same, but to be doubted.
    pub(super) fn doubtful(self) -> Self {
        Self {
            is_doubtful: true,
            ..self
        }
    }

    /// Whether a file that had this stamp and has the `other` one now may hold what it held.
    pub(super) fn is_perhaps(self, other: Self) -> bool {
        self.outside == other.outside
    }

    /// Whether a file that had this stamp and has the `other` one now certainly holds what it held.
    pub(super) fn is_certainly(self, other: Self) -> bool {
        self.is_perhaps(other) && !self.is_doubtful
    }
}

/// When anything about the file last changed.
#[cfg(unix)]
fn changed(metadata: &Metadata) -> SystemTime {
    use std::os::unix::fs::MetadataExt;
    let seconds = u64::try_from(metadata.ctime()).unwrap_or_default();
    let nanos = u32::try_from(metadata.ctime_nsec()).unwrap_or_default();
    UNIX_EPOCH + Duration::new(seconds, nanos)
}

#[cfg(not(unix))]
fn changed(metadata: &Metadata) -> SystemTime {
    metadata.modified().unwrap_or(UNIX_EPOCH)
}

#[cfg(unix)]
fn identity(metadata: &Metadata) -> (u64, u64) {
    use std::os::unix::fs::MetadataExt;
    (metadata.dev(), metadata.ino())
}

#[cfg(not(unix))]
fn identity(_: &Metadata) -> (u64, u64) {
    (0, 0)
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
