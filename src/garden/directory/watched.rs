use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use super::ledger::{Changes, Ledger};
use super::scan::{difference, read, read_all};
use super::{DirectoryError, LoadedGarden, Reading, check};
use crate::garden::ObjectKey;
use crate::model::Kind;

/// A directory that changes more often than it can be read is taken half-changed at worst, and again at the next look.
const ATTEMPTS: usize = 3;

/// A garden directory that is looked at again and again. Of a file that is as it was, nothing is read again, and a changed one changes
/// only what it says.
#[derive(Debug)]
pub struct GardenDirectory {
    dir: PathBuf,
    is_whole: bool,
    /// As of the last look.
    seen: Ledger,
    /// As of the last look that found nothing broken; shares with `seen` what is the same.
    good: Ledger,
    /// Why the directory could not be looked into, the last time.
    why_closed: Option<String>,
}

impl GardenDirectory {
    /// Reads a directory as [`load_with`](super::load_with) does; `is_whole` as in [`Reading`], `now` as in [`Self::look`]. Blocks while
    /// it reads.
    ///
    /// # Errors
    /// As [`load`](super::load).
    pub fn open(
        dir: PathBuf,
        is_whole: bool,
        now: SystemTime,
    ) -> Result<(Self, LoadedGarden), DirectoryError> {
        check(&dir)?;
        let mut seen = Ledger::default();
        catch_up(&dir, &mut seen, now);
        let garden = conclude(&dir, is_whole, &mut seen)?;
        let directory = Self {
            dir,
            is_whole,
            good: seen.clone(),
            seen,
            why_closed: None,
        };
        Ok((directory, garden))
    }

    /// The directory, as it was named.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.dir
    }

    /// The garden if it has changed since the last look; `None` if it has not. Costs a look at every file, and the reading of those
    /// that changed, or did so a moment before the last look. Blocks.
    ///
    /// `now` is what the clock of the files says, not later; it tells which of them may change once more without looking otherwise.
    ///
    /// # Errors
    /// As [`load`](super::load), and when a file that was good is broken. What is wrong is told once, until it changes.
    pub fn look(&mut self, now: SystemTime) -> Option<Result<LoadedGarden, DirectoryError>> {
        if let Err(error) = check(&self.dir) {
            let why = Some(error.to_string());
            let is_news = self.why_closed != why;
            self.why_closed = why;
            return is_news.then_some(Err(error));
        }
        let was_closed = self.why_closed.take().is_some();
        let has_changed = catch_up(&self.dir, &mut self.seen, now);
        (has_changed || was_closed).then(|| self.take())
    }

    /// What was seen, if nothing of it is broken that was good.
    fn take(&mut self) -> Result<LoadedGarden, DirectoryError> {
        let garden = conclude(&self.dir, self.is_whole, &mut self.seen)?;
        let problems = self.seen.broken_since(&self.good);
        if !problems.is_empty() {
            return Err(DirectoryError::Broken { problems });
        }
        self.good = self.seen.clone();
        Ok(garden)
    }
}

/// What [`load_with`](super::load_with) does once it is sure that there is a directory.
pub(super) fn load(dir: &Path, reading: &Reading) -> Result<LoadedGarden, DirectoryError> {
    let mut ledger = Ledger::default();
    // It is not looked at again.
    refresh(dir, &mut ledger, &reading.wanted, UNIX_EPOCH);
    conclude(dir, reading.is_whole, &mut ledger)
}

/// Takes in all changes of a directory, those included that are made meanwhile; whether there were any.
fn catch_up(dir: &Path, ledger: &mut Ledger, now: SystemTime) -> bool {
    let nothing = HashSet::new();
    let changes = (0..ATTEMPTS).take_while(|_| refresh(dir, ledger, &nothing, now));
    changes.count() > 0
}

/// Takes in the changes of a directory; whether there were any.
fn refresh(dir: &Path, ledger: &mut Ledger, wanted: &HashSet<ObjectKey>, now: SystemTime) -> bool {
    let mut found = difference(dir, ledger, now);
    if ledger.is_full() {
        if found.suspects.is_empty() && found.gone.is_empty() {
            return ledger.note(found.asides);
        }
        // Nobody knows what was left out and would fit now.
        *ledger = Ledger::default();
        found = difference(dir, ledger, now);
    }
    let mut has_changed = ledger.note(found.asides);
    if ledger.len() == 0 {
        has_changed |= !found.suspects.is_empty();
        // Nothing of what was read waits for the rest.
        read_all(
            found.suspects,
            |_| None,
            wanted,
            |path, seen, content| {
                ledger.add(path, seen, content.unwrap_or_default());
            },
        );
        return has_changed;
    }
    let mut changes: Changes = found.gone.into_iter().map(|path| (path, None)).collect();
    let mut same = Vec::new();
    let known = |path: &Path| ledger.hash_of(path);
    read_all(
        found.suspects,
        known,
        wanted,
        |path, seen, content| match content {
            Some(content) => drop(changes.insert(path, Some((seen, content)))),
            None => same.push((path, seen)),
        },
    );
    for (path, seen) in same {
        ledger.see(&path, seen);
    }
    has_changed |= !changes.is_empty();
    ledger.replace(changes, read);
    has_changed
}

/// The garden of what was read, with what is unknown of it.
fn conclude(
    dir: &Path,
    is_whole: bool,
    ledger: &mut Ledger,
) -> Result<LoadedGarden, DirectoryError> {
    let problems: Vec<_> = ledger.problems().cloned().collect();
    if ledger.has_no_source() && !problems.is_empty() {
        return Err(DirectoryError::Nothing {
            dir: dir.to_owned(),
            problems,
        });
    }
    let lacking: Vec<Kind> = ledger.conclude(dir, is_whole);
    let mut garden = LoadedGarden {
        snapshot: ledger.snapshot().clone(),
        skipped: Default::default(),
        others: 0,
        no_manifests: Vec::new(),
        problems,
        lacking,
        files: ledger.len(),
        kept: ledger.take_kept(),
    };
    for remarks in ledger.remarks() {
        garden.others += remarks.others;
        garden.no_manifests.extend(remarks.no_manifests.clone());
        for (kind, count) in &remarks.skipped {
            *garden.skipped.entry(kind.clone()).or_default() += count;
        }
    }
    Ok(garden)
}
