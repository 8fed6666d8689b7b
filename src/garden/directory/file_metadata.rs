// SPDX-License-Identifier: Apache-2.0
//! Metadata of files, by which changes are found without reading them.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::Path;
use std::time::{Duration, SystemTime};

use crate::platform::{changed, file_identity};
use garden_gate_core::garden::texts::FileMetadata;

/// Worst-case timestamp granularity of file systems.
///
/// Two changes within it may leave the same metadata.
const TICK: Duration = Duration::from_secs(2);

/// Reads the metadata of a file at `now` or slightly later.
/// Also returns the length in bytes.
pub(super) fn metadata(path: &Path, now: SystemTime) -> (FileMetadata, u64) {
    let Ok(metadata) = path.metadata() else {
        let nothing = FileMetadata { outside: 0, is_doubtful: true };
        return (nothing, 0);
    };
    let mut hasher = DefaultHasher::new();
    let changed = changed(&metadata);
    (metadata.len(), metadata.modified().ok(), changed).hash(&mut hasher);
    let identity = file_identity(path, &metadata);
    identity.unwrap_or_default().hash(&mut hasher);
    // The clocks of network file systems may be ahead.
    let is_doubtful = now.duration_since(changed).is_ok_and(|age| age < TICK) || changed > now;
    let stamp = FileMetadata { outside: hasher.finish(), is_doubtful };
    (stamp, metadata.len())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::time::{Duration, SystemTime};

    use tempfile::TempDir;

    use super::{TICK, metadata};

    #[test]
    fn a_file_is_certainly_the_same_once_its_last_change_is_some_time_ago() {
        let dir = TempDir::new().unwrap();
        let path = dir.path().join("a");
        fs::write(&path, "text").unwrap();
        let now = SystemTime::now();
        let at = |now| metadata(&path, now).0;
        let later = now + TICK + Duration::from_secs(1);
        for doubtful in [now, now - Duration::from_hours(1)] {
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
