use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::kinds::{KINDS, WatchedKind};
use crate::garden::{GardenObject, Knowledge, ObjectKey, Snapshot};

/// How far the watch of a kind has come.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub enum WatchState {
    /// The first list has not been answered yet.
    #[default]
    Waiting,
    /// The first list failed; the text says why. It is tried again all the time.
    Failing(String),
    /// The API server does not know the kind, so far.
    NotServed,
    /// Every object has been seen at least once. This is the last state: later failures only make the view older.
    Synced,
}

/// What there is to know about the watch of one kind.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct WatchStatus {
    /// How far it has come.
    pub state: WatchState,
    /// Lists that were read to their end.
    pub lists: u64,
    /// Single changes that arrived.
    pub events: u64,
    /// Requests and connections that failed.
    pub failures: u64,
    /// Objects that arrived and were not of their kind's shape.
    pub unreadable: u64,
}

/// The one snapshot that all watches write to, and what is told about them.
pub(super) struct State {
    inner: Mutex<Inner>,
    publish: Box<dyn Fn(Snapshot) + Send + Sync>,
}

struct Inner {
    snapshot: Snapshot,
    watches: BTreeMap<&'static str, WatchStatus>,
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("State").finish_non_exhaustive()
    }
}

impl State {
    pub(super) fn new(publish: Box<dyn Fn(Snapshot) + Send + Sync>) -> Self {
        let snapshot = Snapshot::new(Knowledge::Watched);
        let watches = KINDS.iter().map(|kind| (kind.kind, WatchStatus::default()));
        let watches = watches.collect();
        Self {
            inner: Mutex::new(Inner { snapshot, watches }),
            publish,
        }
    }

    /// Takes a complete list of a kind: at once, so that nobody ever sees half of it.
    pub(super) fn reset(&self, kind: &WatchedKind, objects: Vec<GardenObject>) {
        let count = objects.len();
        self.change(kind, |snapshot, watch| {
            watch.unreadable += complain(&objects);
            snapshot.reset(kind.kind, objects);
            watch.lists += 1;
            if watch.state != WatchState::Synced {
                watch.state = WatchState::Synced;
                tracing::info!(kind = kind.kind, objects = count, "the watch is in sync");
            }
        });
    }

    pub(super) fn apply(&self, kind: &WatchedKind, object: GardenObject) {
        self.change(kind, |snapshot, watch| {
            watch.unreadable += complain(std::slice::from_ref(&object));
            watch.events += 1;
            snapshot.apply(object);
        });
    }

    pub(super) fn remove(&self, kind: &WatchedKind, key: &ObjectKey) {
        self.change(kind, |snapshot, watch| {
            watch.events += 1;
            snapshot.remove(key);
        });
    }

    /// Notes that a list or a watch failed; `state` counts only until the first list has been read.
    pub(super) fn failed(&self, kind: &WatchedKind, state: WatchState) {
        let mut inner = self.lock();
        let Inner { snapshot, watches } = &mut *inner;
        let watch = watches.entry(kind.kind).or_default();
        watch.failures += 1;
        if watch.state == WatchState::Synced {
            return;
        }
        if state == WatchState::NotServed && watch.state != state {
            snapshot.withhold(kind.kind);
            (self.publish)(snapshot.clone());
        }
        watch.state = state;
    }

    pub(super) fn watches(&self) -> BTreeMap<&'static str, WatchStatus> {
        self.lock().watches.clone()
    }

    /// Published under the lock, so that a newer snapshot is never replaced by an older one.
    fn change(&self, kind: &WatchedKind, change: impl FnOnce(&mut Snapshot, &mut WatchStatus)) {
        let mut inner = self.lock();
        let Inner { snapshot, watches } = &mut *inner;
        change(snapshot, watches.entry(kind.kind).or_default());
        (self.publish)(snapshot.clone());
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Logs which objects could not be read, and counts them.
fn complain(objects: &[GardenObject]) -> u64 {
    let mut count = 0;
    for object in objects {
        if let GardenObject::Unreadable((kind, namespace, name), why) = object {
            count += 1;
            tracing::error!(
                kind,
                namespace,
                name,
                "an object cannot be read and counts as unknown: {why}"
            );
        }
    }
    count
}
