// SPDX-License-Identifier: Apache-2.0
//! Delayed removal: a vanished object exists until its file has been unchanged for a while.
//!
//! A partly written file holds fewer objects for a moment. Only time distinguishes that from an intended removal.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use imbl::OrdMap;

use super::file_content::{FileContent, FileEnding, Item, Object};
use crate::garden::{Named, ObjectKey};

/// Multiple of the delay after which an object is removed even if its file keeps changing.
const LIMIT: u32 = 10;

/// Objects that no file contains any more and that still exist.
#[derive(Clone, Debug, Default)]
pub(super) struct Removals {
    /// The time for which a file must be unchanged; zero disables delays.
    delay: Duration,
    objects: OrdMap<Arc<ObjectKey>, Removal>,
    files: OrdMap<Arc<Path>, Unsettled>,
}

/// A vanished object.
#[derive(Clone, Debug)]
pub struct Removal {
    /// The file that contained it.
    pub(super) file: Arc<Path>,
    /// When it vanished.
    pub since: SystemTime,
    /// The start of the removal delay.
    waits: SystemTime,
    /// The digest of the object.
    hash: u64,
    /// Set if only the name of the object was kept.
    pub(super) named: Option<Named>,
}

/// A file that contains fewer objects than before.
#[derive(Clone, Debug)]
struct Unsettled {
    /// The time of the last detected change.
    changed: SystemTime,
    /// Its last settled content.
    baseline: Arc<Baseline>,
    /// Whether part of its current content is held back.
    is_held: bool,
}

/// The object keys and the ending of a file, for comparison with later versions.
#[derive(Debug, Default)]
pub(super) struct Baseline {
    /// The keys of its objects, in order.
    pub(super) keys: Box<[Arc<ObjectKey>]>,
    pub(super) ending: FileEnding,
}

/// The removals and files whose delay has passed.
#[derive(Debug, Default)]
pub(super) struct Settled {
    /// Objects that do not exist any more.
    pub(super) removed: Vec<Arc<ObjectKey>>,
    /// Files whose whole content is accepted from now on.
    pub(super) accepted: Vec<Arc<Path>>,
}

impl Removals {
    pub(super) fn after(delay: Duration) -> Self {
        Self { delay, ..Self::default() }
    }

    /// Reports whether removals are delayed at all.
    pub(super) fn are_delayed(&self) -> bool {
        !self.delay.is_zero()
    }

    /// Returns the removal delay.
    pub(super) fn delay(&self) -> Duration {
        self.delay
    }

    /// Returns the last settled content of a file that contains fewer objects now.
    pub(super) fn baseline(&self, file: &Path) -> Option<Arc<Baseline>> {
        self.files.get(file).map(|it| Arc::clone(&it.baseline))
    }

    /// Returns the digest of a vanished object.
    pub(super) fn hash(&self, key: &ObjectKey) -> Option<u64> {
        self.objects.get(key).map(|it| it.hash)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&ObjectKey, &Removal)> {
        self.objects.iter().map(|(key, removal)| (&**key, removal))
    }

    /// Records that an object vanished from its file.
    pub(super) fn vanish(
        &mut self,
        key: Arc<ObjectKey>,
        (file, hash, named): (Arc<Path>, u64, Option<Named>),
        now: SystemTime,
    ) {
        let removal = Removal { file, since: now, waits: now, hash, named };
        self.objects.entry(key).or_insert(removal);
    }

    /// Records that a file contains an object again.
    pub(super) fn appear(&mut self, key: &ObjectKey) {
        self.objects.remove(key);
    }

    /// Records that a file changed.
    pub(super) fn touch(&mut self, file: &Path, now: SystemTime) {
        if let Some(unsettled) = self.files.get_mut(file) {
            unsettled.changed = now;
        }
    }

    /// Records whether part of the content of a file is held back; `baseline` is its former content.
    pub(super) fn hold(
        &mut self,
        file: &Arc<Path>,
        baseline: Arc<Baseline>,
        is_held: bool,
        now: SystemTime,
    ) {
        let unsettled = Unsettled { changed: now, baseline, is_held };
        self.files.insert(Arc::clone(file), unsettled);
    }

    /// Drops files without held-back content or pending removals.
    pub(super) fn drop_settled(&mut self) {
        let waiting: imbl::OrdSet<Arc<Path>> =
            self.objects.values().map(|it| Arc::clone(&it.file)).collect();
        let is_settled =
            |(file, it): &(&Arc<Path>, &Unsettled)| !it.is_held && !waiting.contains(*file);
        let settled: Vec<Arc<Path>> =
            self.files.iter().filter(is_settled).map(|(file, _)| Arc::clone(file)).collect();
        for file in settled {
            self.files.remove(&file);
        }
    }

    /// Restarts all removal delays.
    pub(super) fn restart(&mut self, now: SystemTime) {
        let restarted = self.files.iter().map(|(file, it)| {
            let unsettled = Unsettled { changed: now, ..it.clone() };
            (Arc::clone(file), unsettled)
        });
        self.files = restarted.collect();
        let restarted = self.objects.iter().map(|(key, it)| {
            let removal = Removal { waits: now, ..it.clone() };
            (Arc::clone(key), removal)
        });
        self.objects = restarted.collect();
    }

    /// Removes and returns all removals whose delay has passed.
    pub(super) fn settle(&mut self, now: SystemTime) -> Settled {
        let mut settled = Settled::default();
        // If the clock was set back, restarting limits the wait to the delay.
        let is_ahead = |it: &Unsettled| it.changed > now;
        if self.files.values().any(is_ahead) {
            self.restart(now);
        }
        let waited = |since, limit| now.duration_since(since).is_ok_and(|age| age >= limit);
        let rested = |file: &Arc<Path>| {
            let changed = self.files.get(file).map(|it| it.changed);
            changed.is_none_or(|changed| waited(changed, self.delay))
        };
        let is_held = |file: &Arc<Path>| self.files.get(file).is_some_and(|it| it.is_held);
        let held = self.files.keys().filter(|file| is_held(file) && rested(file));
        let mut accepted: imbl::OrdSet<Arc<Path>> = held.cloned().collect();
        for (key, it) in &self.objects {
            if !rested(&it.file) && !waited(it.waits, self.delay.saturating_mul(LIMIT)) {
                continue;
            }
            if is_held(&it.file) {
                drop(accepted.insert(Arc::clone(&it.file)));
            } else {
                settled.removed.push(Arc::clone(key));
            }
        }
        for key in &settled.removed {
            self.objects.remove(key);
        }
        for file in &accepted {
            self.files.remove(file);
        }
        self.drop_settled();
        settled.accepted = accepted.into_iter().collect();
        settled
    }
}

impl Baseline {
    /// Reports whether a changed file is truncated within its last object, compared with this baseline.
    ///
    /// That is the case if the baseline had more after the object, or if the object itself was longer.
    /// `hash` returns an object's former digest.
    pub(super) fn is_cut(
        &self,
        content: &FileContent,
        hash: impl Fn(&ObjectKey) -> Option<u64>,
    ) -> bool {
        let Some(Item::Object(last)) = content.items.last() else {
            return false;
        };
        let Object { key, hash: own, .. } = &**last;
        let Some(index) = self.keys.iter().rposition(|it| **it == *key) else {
            return false;
        };
        if hash(key) == Some(*own) {
            return false;
        }
        let ending = &content.ending;
        let is_last = index + 1 == self.keys.len();
        let ends_in_line = self.ending.has_newline && !ending.has_newline;
        if is_last {
            ends_in_line || ending.last.is_before(&self.ending.last)
        } else {
            let mut later = self.keys.iter().skip(index + 1);
            let holds = |key: &ObjectKey| content.keys().any(|it| it == *key);
            !later.any(|key| holds(key))
        }
    }
}
