// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use jiff::Timestamp;
use tokio::time::Instant;

use garden_gate_core::garden::{GardenObject, Knowledge, ObjectKey, Snapshot};
use garden_gate_model::api::Kind;

/// The progress of the watch of a kind.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub enum WatchState {
    /// The first list has no response yet.
    #[default]
    Waiting,
    /// The first list failed; the string is the reason.
    /// It is retried.
    Failing(String),
    /// The API server does not serve the kind so far.
    NotServed,
    /// The first list is complete.
    ///
    /// This is the final state: later failures only make the data stale.
    Synced,
}

/// The failure of a list or a watch.
#[derive(Debug)]
pub(super) struct Failure {
    /// The state of a watch that has not completed its first list.
    pub state: WatchState,
    /// For status 401 or 403: the refused request and the remedy.
    pub refused: Option<String>,
}

/// The status of the watch of one kind.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct WatchStatus {
    /// The progress.
    pub state: WatchState,
    /// The number of completed lists.
    pub lists: u64,
    /// The number of received events.
    pub events: u64,
    /// The number of failed requests and connections.
    pub failures: u64,
    /// The number of received objects that did not match the schema of their kind.
    pub unreadable: u64,
    /// The time of the last list, event or bookmark.
    pub last_success: Option<Timestamp>,
    /// Whether the last request failed, so that the data may be stale.
    pub failing: bool,
    /// The reason why the kind is marked as unavailable: its watch has been refused for too long.
    pub withheld: Option<String>,
}

impl WatchStatus {
    fn succeeded(&mut self) {
        self.last_success = Some(Timestamp::now());
        self.failing = false;
    }
}

/// The snapshot that all watches update, and their status.
pub(super) struct State {
    inner: Mutex<GardenState>,
    publish: Box<dyn Fn(Snapshot) + Send + Sync>,
    /// The time for which data of a refused watch is used.
    grace_period: Duration,
}

struct GardenState {
    snapshot: Snapshot,
    watches: BTreeMap<Kind, WatchStatus>,
    /// Kinds whose watch is refused, with the start time.
    refused: BTreeMap<Kind, Instant>,
    /// Kinds whose synced watch is failing, with the start time.
    failing: BTreeMap<Kind, Instant>,
}

impl GardenState {
    /// Records a successful response.
    /// The first one after failures is logged.
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
    pub(super) fn new(
        publish: Box<dyn Fn(Snapshot) + Send + Sync>,
        grace_period: Duration,
    ) -> Self {
        let snapshot = Snapshot::new(Knowledge::Watched);
        let watches = Kind::watched().map(|kind| (kind, WatchStatus::default())).collect();
        Self {
            inner: Mutex::new(GardenState {
                snapshot,
                watches,
                refused: BTreeMap::new(),
                failing: BTreeMap::new(),
            }),
            publish,
            grace_period,
        }
    }

    /// Adds a kind to those that are watched.
    pub(super) fn add(&self, kind: Kind) {
        let mut inner = self.lock();
        let GardenState { snapshot, watches, .. } = &mut *inner;
        watches.entry(kind).or_default();
        snapshot.watch_kind(kind);
        (self.publish)(snapshot.clone());
    }

    /// Returns whether the snapshot has an equal object; always false for small objects of most kinds.
    pub(super) fn has(&self, object: &GardenObject) -> bool {
        self.lock().snapshot.has(object)
    }

    /// Replaces all objects of a kind by a complete list, atomically.
    /// The `unchanged` objects are already in the snapshot.
    pub(super) fn reset(&self, kind: Kind, objects: Vec<GardenObject>, unchanged: &[ObjectKey]) {
        let count = objects.len() + unchanged.len();
        self.change(kind, |snapshot, watch| {
            watch.unreadable += complain(&objects);
            snapshot.reset_but(kind, unchanged, objects);
            watch.lists += 1;
            let begins = watch.state != WatchState::Synced || watch.withheld.take().is_some();
            watch.state = WatchState::Synced;
            if begins {
                tracing::info!(kind = kind.as_str(), objects = count, "the watch is in sync");
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

    /// Records that the watch of a kind is alive, for example because of a bookmark.
    pub(super) fn heard(&self, kind: Kind) {
        self.lock().succeeded(kind);
    }

    /// Records that a list or a watch failed.
    ///
    /// Before the first list, the failure determines the state.
    /// Afterwards the data becomes stale, or unavailable if the API server refuses for too long.
    pub(super) fn failed(&self, kind: Kind, failure: Failure) {
        let mut inner = self.lock();
        let GardenState { snapshot, watches, refused, failing } = &mut *inner;
        let watch = watches.entry(kind).or_default();
        watch.failures += 1;
        watch.failing = true;
        if watch.state == WatchState::Synced {
            failing.entry(kind).or_insert_with(Instant::now);
        }
        if watch.state != WatchState::Synced {
            if failure.state == WatchState::NotServed && watch.state != failure.state {
                snapshot.withhold(kind, format!("the API server does not serve the kind {kind}"));
                (self.publish)(snapshot.clone());
            }
            watch.state = failure.state;
        } else if let Some(why) = failure.refused {
            let since = *refused.entry(kind).or_insert_with(Instant::now);
            if since.elapsed() >= self.grace_period && watch.withheld.is_none() {
                let why = too_old(kind, self.grace_period, &why);
                tracing::error!("{why}");
                snapshot.withhold(kind, why.clone());
                (self.publish)(snapshot.clone());
                watch.withheld = Some(why);
            }
        }
    }

    /// Reports whether the kind is unavailable, so that only a new list makes it known again.
    pub(super) fn is_withheld(&self, kind: Kind) -> bool {
        let inner = self.lock();
        let watch = inner.watches.get(&kind);
        watch.is_some_and(|watch| watch.withheld.is_some())
    }

    pub(super) fn watches(&self) -> BTreeMap<Kind, WatchStatus> {
        self.lock().watches.clone()
    }

    /// Applies a change.
    ///
    /// Publishes under the lock, so that an older snapshot never replaces a newer one.
    fn change(&self, kind: Kind, change: impl FnOnce(&mut Snapshot, &mut WatchStatus)) {
        let mut inner = self.lock();
        let GardenState { snapshot, watches, .. } = &mut *inner;
        change(snapshot, watches.entry(kind).or_default());
        let snapshot = snapshot.clone();
        inner.succeeded(kind);
        (self.publish)(snapshot);
    }

    fn lock(&self) -> MutexGuard<'_, GardenState> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn too_old(kind: Kind, grace_period: Duration, why: &str) -> String {
    let (resource, minutes) = (kind.full_resource(), grace_period.as_secs() / 60);
    format!(
        "what is known of {resource} is too old to judge by, as watching it has been refused for {minutes} minutes: {why}"
    )
}

/// Logs the unreadable objects and returns their number.
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
