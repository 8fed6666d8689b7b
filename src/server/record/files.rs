//! The files of a record, which are bounded in size and age.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use jiff::{SignedDuration, Timestamp};
use tempfile::Builder;

use crate::platform::create_private_directory;
use crate::server::RecordOptions;

/// The number of files into which the size and the age are divided.
const FILES: u32 = 8;
const PREFIX: &str = "requests-";
const SUFFIX: &str = ".jsonl";

/// The directory of a record with its current file.
#[derive(Debug)]
pub(super) struct RecordFiles {
    directory: PathBuf,
    /// Maximum size of all files in bytes.
    size: u64,
    /// Maximum age of a file.
    age: SignedDuration,
    current: Option<Current>,
}

/// The file to which lines are added.
#[derive(Debug)]
struct Current {
    file: File,
    path: PathBuf,
    size: u64,
    since: Timestamp,
}

impl RecordFiles {
    /// Creates the directory if it is missing, and the first file.
    ///
    /// # Errors
    /// Fails if one cannot be created.
    pub(super) fn open(options: &RecordOptions) -> io::Result<Self> {
        create_private_directory(&options.directory)?;
        let mut files = Self {
            directory: options.directory.clone(),
            size: options.size,
            age: SignedDuration::try_from(options.age).unwrap_or(SignedDuration::MAX),
            current: None,
        };
        files.begin(Timestamp::now())?;
        Ok(files)
    }

    /// Returns the directory.
    pub(super) fn directory(&self) -> &Path {
        &self.directory
    }

    /// Adds a line, and begins another file if the current one is full or old.
    ///
    /// # Errors
    /// Fails if the file cannot be written.
    pub(super) fn write(&mut self, line: &str, now: Timestamp) -> io::Result<()> {
        let share = self.size / u64::from(FILES);
        let length = line.len() as u64;
        let age = self.age / i32::try_from(FILES).unwrap_or(1);
        let is_usable = |current: &Current| {
            let has_room = current.size == 0 || current.size + length <= share;
            has_room && now.duration_since(current.since) < age && current.path.exists()
        };
        if !self.current.as_ref().is_some_and(is_usable) {
            self.begin(now)?;
        }
        let Some(current) = &mut self.current else { return Ok(()) };
        let written = current.file.write_all(line.as_bytes());
        current.size += length;
        if written.is_err() {
            // A part of the line may be in the file.
            self.current = None;
        }
        written
    }

    /// Begins another file, which only its owner may read, and removes old ones.
    fn begin(&mut self, now: Timestamp) -> io::Result<()> {
        self.current = None;
        self.prune(now)?;
        let prefix = format!("{PREFIX}{}-", now.strftime("%Y%m%dT%H%M%SZ"));
        let file = Builder::new().prefix(&prefix).suffix(SUFFIX).tempfile_in(&self.directory)?;
        let (file, path) = file.keep()?;
        self.current = Some(Current { file, path, size: 0, since: now });
        Ok(())
    }

    /// Removes expired files, and the oldest ones until another file fits into the maximum size.
    ///
    /// # Errors
    /// Fails if the directory cannot be read, or a file cannot be removed.
    pub(super) fn prune(&mut self, now: Timestamp) -> io::Result<()> {
        let oldest = now.checked_sub(self.age).map_or(SystemTime::UNIX_EPOCH, SystemTime::from);
        let mut files = Vec::new();
        for entry in fs::read_dir(&self.directory)? {
            let entry = entry?;
            let name = entry.file_name();
            let is_record =
                name.to_str().is_some_and(|it| it.starts_with(PREFIX) && it.ends_with(SUFFIX));
            // The metadata is that of a link, not of its target.
            let metadata = entry.metadata()?;
            if is_record && metadata.is_file() {
                files.push((name, entry.path(), metadata.len(), metadata.modified()?));
            }
        }
        files.sort_unstable();
        let mut total: u64 = files.iter().map(|(_, _, size, _)| size).sum();
        let most = self.size - self.size / u64::from(FILES);
        let current = self.current.as_ref().map(|it| it.path.clone());
        for (_, path, size, modified) in files {
            let is_expired = modified < oldest;
            if is_expired || (total > most && current.as_ref() != Some(&path)) {
                fs::remove_file(&path)?;
                total -= size;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;
    use std::time::Duration;

    use jiff::{SignedDuration, Timestamp};
    use tempfile::TempDir;

    use super::RecordFiles;
    use crate::server::RecordOptions;

    fn files(directory: &Path, size: u64) -> RecordFiles {
        let options = RecordOptions {
            directory: directory.join("records"),
            share: 1.0,
            size,
            age: Duration::from_hours(24),
        };
        RecordFiles::open(&options).unwrap()
    }

    fn sizes(directory: &Path) -> Vec<u64> {
        let entries = fs::read_dir(directory.join("records")).unwrap();
        entries.map(|it| it.unwrap().metadata().unwrap().len()).collect()
    }

    #[test]
    fn size_of_all_files_is_bounded() {
        let directory = TempDir::new().unwrap();
        let mut files = files(directory.path(), 8_000);
        let line = format!("{}\n", "x".repeat(99));
        for second in 0..500 {
            let now = Timestamp::now() + SignedDuration::from_secs(second);
            files.write(&line, now).unwrap();
            let sizes = sizes(directory.path());
            assert!(sizes.iter().sum::<u64>() <= 8_000, "{sizes:?}");
        }
        assert!(sizes(directory.path()).len() >= 7);
    }

    #[test]
    fn old_files_are_removed_and_others_stay() {
        let directory = TempDir::new().unwrap();
        let mut files = files(directory.path(), 1 << 20);
        files.write("a\n", Timestamp::now()).unwrap();
        fs::write(directory.path().join("records/notes.txt"), "b").unwrap();
        files.prune(Timestamp::now() + SignedDuration::from_hours(25)).unwrap();
        assert_eq!(sizes(directory.path()), [1]);
        files.write("c\n", Timestamp::now()).unwrap();
        assert_eq!(sizes(directory.path()).len(), 2);
    }

    #[cfg(unix)]
    #[test]
    fn only_the_owner_may_read() {
        use std::os::unix::fs::PermissionsExt;

        let directory = TempDir::new().unwrap();
        let _files = files(directory.path(), 1 << 20);
        let records = directory.path().join("records");
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&records), 0o700);
        for entry in fs::read_dir(&records).unwrap() {
            assert_eq!(mode(&entry.unwrap().path()), 0o600);
        }
    }

    #[test]
    fn removed_file_is_replaced() {
        let directory = TempDir::new().unwrap();
        let mut files = files(directory.path(), 1 << 20);
        for entry in fs::read_dir(directory.path().join("records")).unwrap() {
            fs::remove_file(entry.unwrap().path()).unwrap();
        }
        files.write("a\n", Timestamp::now()).unwrap();
        assert_eq!(sizes(directory.path()), [2]);
    }
}
