use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use jiff::Timestamp;
use tokio::time::Instant;

use crate::garden::{GardenObject, Knowledge, ObjectKey, Snapshot};
use crate::model::Kind;

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

/// What a list or a watch failed with.
#[derive(Debug)]
pub(super) struct Failure {
    /// What it means as long as no list has been read.
    pub state: WatchState,
    /// If the API server said 401 or 403, what it refused, and what to do.
    pub refused: Option<String>,
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
    /// When a list, an event or a sign of life last arrived.
    pub last_success: Option<Timestamp>,
    /// Whether the last request failed, so that the view may be old.
    pub failing: bool,
    /// Why nothing is said any more about the objects of the kind: its watch has been refused for too long.
    pub withheld: Option<String>,
}

impl WatchStatus {
    fn succeeded(&mut self) {
        self.last_success = Some(Timestamp::now());
        self.failing = false;
    }
}

/// The one snapshot that all watches write to, and what is told about them.
pub(super) struct State {
    inner: Mutex<Inner>,
    publish: Box<dyn Fn(Snapshot) + Send + Sync>,
    /// How long a view counts whose watch is refused.
    patience: Duration,
}

struct Inner {
    snapshot: Snapshot,
    watches: BTreeMap<Kind, WatchStatus>,
    /// Since when watches have been refused, without a success in between.
    refused: BTreeMap<Kind, Instant>,
    /// Since when watches that were in sync have failed, without a success in between.
    failing: BTreeMap<Kind, Instant>,
}

impl Inner {
    /// Notes a sign of life; one that comes after failures is told of, as they were.
    fn succeeded(&mut self, kind: Kind) {
        self.refused.remove(&kind);
        self.watches.entry(kind).or_default().succeeded();
        if let Some(since) = self.failing.remove(&kind) {
            let seconds = since.elapsed().as_secs();
            tracing::info!(
                kind = kind.as_str(),
                "the watch goes on, after {seconds} seconds in which it failed"
            );
        }
    }
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("State").finish_non_exhaustive()
    }
}

impl State {
    pub(super) fn new(publish: Box<dyn Fn(Snapshot) + Send + Sync>, patience: Duration) -> Self {
        let snapshot = Snapshot::new(Knowledge::Watched);
        let watches = Kind::watched().map(|kind| (kind, WatchStatus::default()));
        let watches = watches.collect();
        Self {
            inner: Mutex::new(Inner {
                snapshot,
                watches,
                refused: BTreeMap::new(),
                failing: BTreeMap::new(),
            }),
            publish,
            patience,
        }
    }

    /// Returns whether the snapshot has an equal object; always false for small objects of most kinds.
    pub(super) fn has(&self, object: &GardenObject) -> bool {
        self.lock().snapshot.has(object)
    }

    /// Replaces all objects of a kind by a complete list, in one step. The `unchanged` objects are in the snapshot already.
    pub(super) fn reset(&self, kind: Kind, objects: Vec<GardenObject>, unchanged: &[ObjectKey]) {
        let count = objects.len() + unchanged.len();
        self.change(kind, |snapshot, watch| {
            watch.unreadable += complain(&objects);
            snapshot.reset_but(kind, unchanged, objects);
            watch.lists += 1;
            let begins = watch.state != WatchState::Synced || watch.withheld.take().is_some();
            watch.state = WatchState::Synced;
            if begins {
                tracing::info!(
                    kind = kind.as_str(),
                    objects = count,
                    "the watch is in sync"
                );
            }
        });
    }

    pub(super) fn apply(&self, kind: Kind, object: GardenObject) {
        self.change(kind, |snapshot, watch| {
            watch.unreadable += complain(std::slice::from_ref(&object));
            watch.events += 1;
            snapshot.apply(object);
        });
    }

    pub(super) fn remove(&self, kind: Kind, key: &ObjectKey) {
        self.change(kind, |snapshot, watch| {
            watch.events += 1;
            snapshot.remove(key);
        });
    }

    /// Notes that the API server goes on telling about a kind, even if only that nothing happens.
    pub(super) fn heard(&self, kind: Kind) {
        self.lock().succeeded(kind);
    }

    /// Notes that a list or a watch failed. Before the first list the failure is the state; afterwards the view is only older,
    /// unless the API server has refused to go on for too long.
    pub(super) fn failed(&self, kind: Kind, failure: Failure) {
        let mut inner = self.lock();
        let Inner {
            snapshot,
            watches,
            refused,
            failing,
        } = &mut *inner;
        let watch = watches.entry(kind).or_default();
        watch.failures += 1;
        watch.failing = true;
        if watch.state == WatchState::Synced {
            failing.entry(kind).or_insert_with(Instant::now);
        }
        if watch.state != WatchState::Synced {
            if failure.state == WatchState::NotServed && watch.state != failure.state {
                snapshot.withhold(
                    kind,
                    format!("the API server does not serve the kind {}", kind),
                );
                (self.publish)(snapshot.clone());
            }
            watch.state = failure.state;
        } else if let Some(why) = failure.refused {
            let since = *refused.entry(kind).or_insert_with(Instant::now);
            if since.elapsed() >= self.patience && watch.withheld.is_none() {
                let why = too_old(kind, self.patience, &why);
                tracing::error!("{why}");
                snapshot.withhold(kind, why.clone());
                (self.publish)(snapshot.clone());
                watch.withheld = Some(why);
            }
        }
    }

    /// Whether only a list can bring back what is known of a kind.
    pub(super) fn is_withheld(&self, kind: Kind) -> bool {
        let inner = self.lock();
        let watch = inner.watches.get(&kind);
        watch.is_some_and(|watch| watch.withheld.is_some())
    }

    pub(super) fn watches(&self) -> BTreeMap<Kind, WatchStatus> {
        self.lock().watches.clone()
    }

    /// Published under the lock, so that a newer snapshot is never replaced by an older one.
    fn change(&self, kind: Kind, change: impl FnOnce(&mut Snapshot, &mut WatchStatus)) {
        let mut inner = self.lock();
        let Inner {
            snapshot, watches, ..
        } = &mut *inner;
        change(snapshot, watches.entry(kind).or_default());
        let snapshot = snapshot.clone();
        inner.succeeded(kind);
        (self.publish)(snapshot);
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn too_old(kind: Kind, patience: Duration, why: &str) -> String {
    let (resource, minutes) = (kind.full_resource(), patience.as_secs() / 60);
    format!(
        "what is known of {resource} is too old to judge by, as watching it has been refused for {minutes} minutes: {why}"
    )
}

/// Logs which objects could not be read, and counts them.
fn complain(objects: &[GardenObject]) -> u64 {
    let mut count = 0;
    for object in objects {
        if let GardenObject::Unreadable(key, why) = object {
            count += 1;
            tracing::error!(
                kind = key.kind.as_str(),
                namespace = key.namespace,
                name = key.name,
                "an object cannot be read and counts as unknown: {why}"
            );
        }
    }
    count
}
