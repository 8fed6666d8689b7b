// SPDX-License-Identifier: Apache-2.0
//! The files of a record, which are bounded in size and age.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use tempfile::Builder;

use crate::platform::create_private_directory;
use crate::server::RecordOptions;

/// The number of files into which the size and the age are divided.
const FILES: u32 = 8;
/// Maximum size of a file in bytes, which `replay` reads.
const LARGEST: u64 = 128 << 20;
/// Time for which nothing is written after a failure.
const PAUSE: SignedDuration = SignedDuration::from_secs(10);
const PREFIX: &str = "requests-";
const SUFFIX: &str = ".jsonl";
/// The form of the time at which a file begins, in its name.
const BEGIN: &str = "%Y%m%dT%H%M%SZ";
/// Number of random letters in a name.
const RANDOM: usize = 6;

/// The directory of a record with its current file.
#[derive(Debug)]
pub(super) struct RecordFiles {
    directory: PathBuf,
    /// Maximum size of all files in bytes.
    size: u64,
    /// Maximum age of a file.
    age: SignedDuration,
    current: Option<Current>,
    /// The time until which nothing is written.
    paused: Option<Timestamp>,
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
            paused: None,
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
    /// Fails if the file cannot be written, and then for a while.
    pub(super) fn write(&mut self, line: &str, now: Timestamp) -> io::Result<()> {
        if self.paused.is_some_and(|until| now < until) {
            return Err(io::Error::other("it failed before, and is tried again after 10 s"));
        }
        let written = self.try_write(line, now);
        self.paused = written.as_ref().err().and_then(|_| now.checked_add(PAUSE).ok());
        written
    }

    fn try_write(&mut self, line: &str, now: Timestamp) -> io::Result<()> {
        let length = line.len() as u64;
        let age = self.age / i32::try_from(FILES).unwrap_or(1);
        let share = self.share();
        let is_usable = |current: &Current| {
            let has_room = current.size + length <= share;
            has_room && now.duration_since(current.since) < age && current.path.exists()
        };
        if !self.current.as_ref().is_some_and(is_usable) {
            self.begin(now)?;
        }
        let Some(mut current) = self.current.take() else { return Ok(()) };
        if let Err(error) = current.file.write_all(line.as_bytes()) {
            // A part of the line may be in the file; without a line, the file is useless.
            let _best_effort = current.file.set_len(current.size);
            if current.size == 0 {
                let _best_effort = fs::remove_file(&current.path);
            }
            return Err(error);
        }
        current.size += length;
        self.current = Some(current);
        Ok(())
    }

    /// Returns the maximum size of a file in bytes.
    fn share(&self) -> u64 {
        (self.size / u64::from(FILES)).min(LARGEST)
    }

    /// Begins another file, which only its owner may read, and removes old ones.
    fn begin(&mut self, now: Timestamp) -> io::Result<()> {
        self.current = None;
        self.prune(now)?;
        let prefix = format!("{PREFIX}{}-", now.strftime(BEGIN));
        let mut builder = Builder::new();
        let builder = builder.prefix(&prefix).suffix(SUFFIX).rand_bytes(RANDOM);
        let (file, path) = builder.tempfile_in(&self.directory)?.keep()?;
        self.current = Some(Current { file, path, size: 0, since: now });
        Ok(())
    }

    /// Removes expired files, and the oldest ones until another file fits into the maximum size.
    ///
    /// Files that cannot be removed are left, with a warning.
    ///
    /// # Errors
    /// Fails if the directory cannot be read.
    pub(super) fn prune(&mut self, now: Timestamp) -> io::Result<()> {
        let mut files = Vec::new();
        for entry in fs::read_dir(&self.directory)? {
            let Ok(entry) = entry else { continue };
            let name = entry.file_name();
            // The metadata is that of a link, not of its target.
            if let Some(begin) = name.to_str().and_then(begin_of)
                && let Ok(metadata) = entry.metadata()
                && metadata.is_file()
            {
                files.push((begin, entry.path(), metadata.len()));
            }
        }
        files.sort_unstable();
        let mut total: u64 = files.iter().map(|(_, _, size)| size).sum();
        let most = self.size.saturating_sub(self.share());
        for (begin, path, size) in files {
            let is_current = self.current.as_ref().is_some_and(|it| it.path == path);
            let is_expired = now.duration_since(begin) >= self.age;
            if is_expired || (total > most && !is_current) {
                total -= size;
                match fs::remove_file(&path) {
                    Err(error) if error.kind() != ErrorKind::NotFound => {
                        tracing::warn!("failed to remove the record `{}`: {error}", path.display());
                    }
                    _ => {}
                }
            }
        }
        Ok(())
    }
}

/// Returns the time at which a file of a record begins, from its name; `None` for other files.
fn begin_of(name: &str) -> Option<Timestamp> {
    let name = name.strip_prefix(PREFIX)?.strip_suffix(SUFFIX)?;
    let (begin, random) = name.split_once('-')?;
    let is_random = random.len() == RANDOM && random.bytes().all(|it| it.is_ascii_alphanumeric());
    let begin = DateTime::strptime(BEGIN, begin).ok().filter(|_| is_random)?;
    Some(begin.to_zoned(TimeZone::UTC).ok()?.timestamp())
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
        for name in ["notes.txt", "requests-.jsonl", "requests-2019-summary.jsonl"] {
            fs::write(directory.path().join("records").join(name), "b").unwrap();
        }
        files.prune(Timestamp::now() + SignedDuration::from_hours(23)).unwrap();
        assert_eq!(sizes(directory.path()).len(), 4);
        files.prune(Timestamp::now() + SignedDuration::from_hours(25)).unwrap();
        assert_eq!(sizes(directory.path()), [1, 1, 1]);
        files.write("c\n", Timestamp::now()).unwrap();
        assert_eq!(sizes(directory.path()).len(), 4);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn failed_writes_leave_no_files_and_pause() {
        let directory = TempDir::new().unwrap();
        let mut files = files(directory.path(), 1 << 20);
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        files.current.as_mut().unwrap().file = full;
        let now = Timestamp::now();
        assert!(files.write("a\n", now).is_err());
        assert_eq!(sizes(directory.path()), [0_u64; 0]);
        assert!(files.write("a\n", now + SignedDuration::from_secs(9)).is_err());
        files.write("a\n", now + SignedDuration::from_secs(11)).unwrap();
        assert_eq!(sizes(directory.path()), [2]);
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
