// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::error::DirectoryError;
use super::scan::{Difference, UnverifiedFile, difference, read, read_some};
use crate::files::{Problem, Trees};
use garden_gate_core::garden::texts::{
    Changes, FileContent, FileIndex, FileState, LoadedGarden, Reading, Wanted,
};
use garden_gate_model::api::Kind;

/// Maximum scans per reload.
///
/// If the directory changes faster, the result may be inconsistent until the next scan.
const ATTEMPTS: usize = 3;

/// A garden directory that is polled for changes.
///
/// Unchanged files are not read again, and a changed file only replaces its own content.
#[derive(Debug)]
pub struct GardenDirectory {
    dir: PathBuf,
    is_whole: bool,
    /// The state of the last scan.
    seen: FileIndex,
    /// The last state without broken files, if the latest one has any.
    /// Both share unchanged data.
    good: Option<FileIndex>,
    /// The reason why the last scan of the directory failed.
    why_closed: Option<String>,
}

impl GardenDirectory {
    /// Reads a directory like [`load_with`](super::load_with); blocks while reading.
    ///
    /// `is_whole` is as in [`Reading`], `now` as in [`Self::look`].
    ///
    /// Objects that vanish later exist until their file has been unchanged for `removal_delay`. A file that is empty now, and was written
    /// within that time, may hold anything until then.
    ///
    /// # Errors
    /// Same as [`load`](super::load).
    pub fn open(
        dir: PathBuf,
        is_whole: bool,
        removal_delay: Duration,
        now: SystemTime,
    ) -> Result<(Self, LoadedGarden), DirectoryError> {
        check(&dir)?;
        let mut seen = FileIndex::with_delay(removal_delay);
        catch_up(&dir, &mut seen, now);
        hold_empty(&mut seen, now);
        let garden = conclude(&dir, is_whole, &mut seen)?;
        let directory = Self { dir, is_whole, seen, good: None, why_closed: None };
        Ok((directory, garden))
    }

    /// Returns the path of the directory as configured.
    pub fn path(&self) -> &Path {
        &self.dir
    }

    /// Rescans the directory and returns the garden if it has changed since the last call. Blocks.
    ///
    /// Checks the metadata of every file, and reads files that changed since, or shortly before, the last call.
    ///
    /// `now` must not be later than the clock of the file system.
    /// It determines which files may change again without a visible difference.
    ///
    /// # Errors
    /// Fails like [`load`](super::load), and if a file that was valid is broken. Each error is returned once until it
    /// changes.
    pub fn look(&mut self, now: SystemTime) -> Option<Result<LoadedGarden, DirectoryError>> {
        if let Err(error) = check(&self.dir) {
            self.seen.wait_again(now);
            let why = Some(error.to_string());
            let is_news = self.why_closed != why;
            self.why_closed = why;
            return is_news.then_some(Err(error));
        }
        let was_closed = self.why_closed.take().is_some();
        let was_broken = self.good.is_some();
        let good = self.good.take().unwrap_or_else(|| self.seen.clone());
        let mut has_changed = catch_up(&self.dir, &mut self.seen, now);
        // A broken directory may be under repair.
        if was_broken || was_closed {
            self.seen.wait_again(now);
        } else {
            has_changed |= settle(&mut self.seen, now);
        }
        if !has_changed && !was_closed {
            self.good = was_broken.then_some(good);
            return None;
        }
        let garden = self.better_than(&good);
        self.good = garden.is_err().then_some(good);
        Some(garden)
    }

    /// Returns the number of objects, by kind, that vanished from the files and still exist.
    pub fn vanished(&self) -> BTreeMap<Kind, Vanished> {
        let mut vanished = BTreeMap::new();
        for (key, removal) in self.seen.vanished() {
            let since = removal.since;
            let of_kind = vanished.entry(key.kind).or_insert(Vanished { count: 0, since });
            of_kind.count += 1;
            of_kind.since = of_kind.since.min(since);
        }
        vanished
    }

    /// Returns the time for which a file must be unchanged before vanished objects are removed.
    pub fn removal_delay(&self) -> Duration {
        self.seen.delay()
    }

    /// Returns the scanned garden, or an error if a file is broken that was valid in `good`.
    fn better_than(&mut self, good: &FileIndex) -> Result<LoadedGarden, DirectoryError> {
        let garden = conclude(&self.dir, self.is_whole, &mut self.seen)?;
        match self.seen.broken_since(good) {
            problems if problems.is_empty() => Ok(garden),
            problems => Err(DirectoryError::Broken { problems }),
        }
    }
}

/// Objects of a kind that vanished from the files of a directory.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Vanished {
    /// The number of objects.
    pub count: usize,
    /// The time when the first of them vanished.
    pub since: SystemTime,
}

/// Removes objects whose delay has passed.
///
/// Returns whether anything changed.
fn settle(ledger: &mut FileIndex, now: SystemTime) -> bool {
    let (accepted, has_changed) = ledger.settle(now);
    let stamps: BTreeMap<_, _> =
        ledger.files().map(|(path, seen)| (Arc::clone(path), seen)).collect();
    let changes: Changes = accepted
        .into_iter()
        .filter_map(|path| {
            let stamp = stamps.get(&path)?.stamp;
            let (hash, content) = read(&path);
            Some((path, Some((FileState { stamp, hash }, content))))
        })
        .collect();
    if !changes.is_empty() {
        ledger.replace(changes, read, now);
    }
    has_changed
}

/// Marks recently written empty files as possibly incomplete.
fn hold_empty(ledger: &mut FileIndex, now: SystemTime) {
    let delay = ledger.delay();
    let is_new = |path: &Path| {
        let metadata = fs::metadata(path).ok().filter(|it| it.len() == 0)?;
        let age = now.duration_since(metadata.modified().ok()?);
        Some(age.is_ok_and(|age| age < delay))
    };
    let files = ledger.files();
    let new = files.filter(|(path, _)| is_new(path).unwrap_or_default());
    let changes: Changes = new
        .map(|(path, seen)| {
            let message = format!(
                "the file is empty and was written less than {}s ago, so it may be incomplete",
                delay.as_secs()
            );
            let content = FileContent::closed(Problem::of_file(path, message));
            (Arc::clone(path), Some((seen, content)))
        })
        .collect();
    if changes.is_empty() {
        return;
    }
    let held: Vec<_> = changes.keys().cloned().collect();
    ledger.replace(changes, read, now);
    for path in &held {
        ledger.hold(path, now);
    }
}

/// Implements [`load_with`](super::load_with) for a directory that exists.
pub(super) fn load(dir: &Path, reading: &Reading) -> Result<LoadedGarden, DirectoryError> {
    let mut ledger = FileIndex::default();
    // There is no later scan, so that the time does not matter.
    refresh(dir, &mut ledger, &reading.wanted, UNIX_EPOCH);
    conclude(dir, reading.is_whole, &mut ledger)
}

/// Applies all changes of a directory, including those made in the meantime.
///
/// Returns whether there were any.
fn catch_up(dir: &Path, ledger: &mut FileIndex, now: SystemTime) -> bool {
    let nothing = Wanted::default();
    let changes = (0..ATTEMPTS).take_while(|_| refresh(dir, ledger, &nothing, now));
    changes.count() > 0
}

/// Applies the current changes of a directory.
///
/// Returns whether there were any.
fn refresh(dir: &Path, ledger: &mut FileIndex, wanted: &Wanted, now: SystemTime) -> bool {
    let Difference { suspects, gone, asides } = difference(dir, ledger, now);
    let has_other_asides = ledger.note(asides);
    if suspects.is_empty() && gone.is_empty() {
        return has_other_asides;
    }
    if ledger.is_empty() {
        fill(ledger, suspects, wanted);
        return true;
    }
    // If files were skipped, a full reload determines which of them fit now.
    let changes = if ledger.is_full() { None } else { changes(ledger, suspects, gone, now) };
    let Some(changes) = changes else {
        let lost = ledger.clear();
        refresh(dir, ledger, wanted, now);
        ledger.lose(lost, now);
        return true;
    };
    let has_changed = !changes.is_empty();
    ledger.replace(changes, read, now);
    has_changed || has_other_asides
}

/// Reads all files in batches.
fn fill(ledger: &mut FileIndex, suspects: Vec<UnverifiedFile>, wanted: &Wanted) {
    let mut suspects = suspects.into_iter().peekable();
    while !ledger.is_full() {
        let read = read_some(&mut suspects, |_| None, wanted);
        if read.is_empty() {
            return;
        }
        for (path, seen, content) in read {
            ledger.add(path, seen, content.unwrap_or_default());
        }
    }
    for UnverifiedFile { path, stamp, .. } in suspects {
        let seen = FileState { stamp, hash: 0 };
        ledger.add(path, seen, FileContent::default());
    }
}

/// Returns the changed and deleted files; `None` if the changes exceed the memory limit.
fn changes(
    ledger: &mut FileIndex,
    suspects: Vec<UnverifiedFile>,
    gone: Vec<Arc<Path>>,
    now: SystemTime,
) -> Option<Changes> {
    let mut changes: Changes = gone.into_iter().map(|path| (path, None)).collect();
    let (mut suspects, mut weight) = (suspects.into_iter().peekable(), 0);
    loop {
        let known = |path: &Path| ledger.hash_of(path);
        let read = read_some(&mut suspects, known, &Wanted::default());
        if read.is_empty() {
            return Some(changes);
        }
        for (path, seen, content) in read {
            let Some(content) = content else {
                ledger.see(&path, seen, now);
                continue;
            };
            weight += content.weight;
            changes.insert(path, Some((seen, content)));
        }
        if ledger.is_too_much(weight) {
            return None;
        }
    }
}

/// Returns the garden of a scan, with incomplete kinds marked.
fn conclude(
    dir: &Path,
    is_whole: bool,
    ledger: &mut FileIndex,
) -> Result<LoadedGarden, DirectoryError> {
    let problems: Vec<_> = ledger.problems().cloned().collect();
    if ledger.has_no_source() && !problems.is_empty() {
        return Err(DirectoryError::Nothing { dir: dir.to_owned(), problems });
    }
    Ok(LoadedGarden::of(dir, is_whole, ledger))
}

pub(super) fn check(dir: &Path) -> Result<(), DirectoryError> {
    let unreadable = |source| DirectoryError::Unreadable { dir: dir.to_owned(), source };
    match fs::metadata(dir) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            return Err(DirectoryError::Missing(dir.to_owned()));
        }
        Err(error) => return Err(unreadable(error)),
        Ok(metadata) if !metadata.is_dir() => {
            return Err(DirectoryError::NotADirectory(dir.to_owned()));
        }
        Ok(_) => {}
    }
    Trees::default().resolve(dir).map_err(unreadable)?;
    fs::read_dir(dir).map(drop).map_err(unreadable)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::time::{Duration, SystemTime};

    use tempfile::TempDir;

    use super::{FileIndex, catch_up, conclude};
    use crate::garden::directory::LoadedGarden;
    use garden_gate_model::api::Kind;

    /// Writes one file with a Namespace for each name.
    fn write(dir: &TempDir, names: &[&str]) {
        for name in names {
            let text = format!("apiVersion: v1\nkind: Namespace\nmetadata: {{name: {name}}}\n");
            fs::write(dir.path().join(name).with_extension("yaml"), text).unwrap();
        }
    }

    /// Returns the directory after all changes, and whether there were any.
    fn look(dir: &TempDir, ledger: &mut FileIndex) -> (LoadedGarden, bool) {
        let later = SystemTime::now() + Duration::from_hours(1);
        let has_changed = catch_up(dir.path(), ledger, later);
        (conclude(dir.path(), false, ledger).unwrap(), has_changed)
    }

    fn namespaces(garden: &LoadedGarden) -> usize {
        garden.snapshot.counts()[&Kind::Namespace]
    }

    #[test]
    fn what_there_is_no_room_for_is_unknown_until_there_is() {
        let dir = TempDir::new().unwrap();
        write(&dir, &["a", "b", "c", "d", "e"]);
        let mut ledger = FileIndex::of_at_most(2_000);
        let (garden, _) = look(&dir, &mut ledger);
        assert!(ledger.is_full());
        assert_eq!((namespaces(&garden), garden.files), (3, 5));
        let [problem] = &garden.problems[..] else { unreachable!("{:?}", garden.problems) };
        assert!(problem.to_string().ends_with(
            "d.yaml: with this file there is more to keep of the directory than about 0 MiB; it and all that follow are left out"
        ));
        assert!(garden.snapshot.shoots().is_err(), "there may be some");
        assert!(!look(&dir, &mut ledger).1);
        fs::remove_file(dir.path().join("a.yaml")).unwrap();
        fs::remove_file(dir.path().join("b.yaml")).unwrap();
        let (garden, has_changed) = look(&dir, &mut ledger);
        assert!(has_changed && garden.problems.is_empty());
        assert_eq!((namespaces(&garden), garden.files), (3, 3));
    }

    #[test]
    fn too_many_changes_at_once_cause_a_full_read() {
        let dir = TempDir::new().unwrap();
        write(&dir, &["a"]);
        let mut ledger = FileIndex::of_at_most(2_000);
        look(&dir, &mut ledger);
        write(&dir, &["b", "c", "d", "e"]);
        let (garden, _) = look(&dir, &mut ledger);
        assert_eq!((namespaces(&garden), garden.problems.len()), (3, 1));
    }
}
