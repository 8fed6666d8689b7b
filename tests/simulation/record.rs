// SPDX-License-Identifier: Apache-2.0
//! The answers that one replica got from the API server: the data that it can know.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use super::store::Version;
use garden_gate_core::garden::Collection;
use garden_gate_model::api::{Kind, ObjectKey};

/// The time after which a request without an answer has failed: the longest timeout of the client.
pub(super) const LONGEST_REQUEST: Duration = Duration::from_secs(31);

/// An answer of the API server to a lookup.
#[derive(Clone)]
pub(super) enum Answer {
    /// One object, or its absence.
    Object(Option<(ObjectKey, Arc<Version>)>),
    /// All labelled objects of a kind.
    Labelled(Vec<(ObjectKey, Arc<Version>)>),
    /// The objects of a namespace.
    Collection(Collection),
    Access(bool),
    /// No usable answer.
    Failure,
}

/// An answer with the period in which the replica got it, which is one moment unless the request fails by a timeout.
pub(super) struct Lookup {
    pub(super) question: String,
    pub(super) from: Instant,
    pub(super) until: Instant,
    pub(super) answer: Answer,
}

/// The data of a kind that a replica has.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Known {
    /// The objects at a revision.
    At(u64),
    /// None, because the watch has been refused for too long.
    Withheld,
    /// None, because the API server did not serve the kind.
    NotServed,
}

/// The deliveries of a kind by lists and watches.
#[derive(Default)]
struct Deliveries {
    /// The revisions with their times, both increasing.
    revisions: Vec<(Instant, u64)>,
    /// The changes of `Known::Withheld` and `Known::NotServed`.
    withheld: Vec<(Instant, Option<Known>)>,
    refused: Option<Instant>,
}

pub(super) struct Record {
    /// The time after which a refused kind becomes unknown.
    grace_period: Duration,
    kinds: BTreeMap<Kind, Deliveries>,
    pub(super) lookups: Vec<Lookup>,
}

impl Record {
    pub(super) fn new(grace_period: Duration) -> Self {
        Self { grace_period, kinds: BTreeMap::new(), lookups: Vec::new() }
    }

    /// Records that a complete list of a kind was delivered.
    pub(super) fn listed(&mut self, kind: Kind, revision: u64) {
        let deliveries = self.kinds.entry(kind).or_default();
        deliveries.refused = None;
        if deliveries.state().is_some() {
            deliveries.withheld.push((Instant::now(), None));
        }
        deliveries.revisions.push((Instant::now(), revision));
    }

    /// Records that an event or a bookmark with this revision was delivered.
    pub(super) fn heard(&mut self, kind: Kind, revision: Option<u64>) {
        let deliveries = self.kinds.entry(kind).or_default();
        deliveries.refused = None;
        if let Some(revision) = revision {
            deliveries.revisions.push((Instant::now(), revision));
        }
    }

    /// Records that a list or a watch was answered with 401, 403 or 404.
    pub(super) fn refused(&mut self, kind: Kind, code: u16) {
        let (now, grace_period) = (Instant::now(), self.grace_period);
        let deliveries = self.kinds.entry(kind).or_default();
        let known = match (code, deliveries.revisions.is_empty()) {
            (404, true) => Known::NotServed,
            (404, false) | (_, true) => return,
            (_, false) => {
                let since = *deliveries.refused.get_or_insert(now);
                if now - since < grace_period {
                    return;
                }
                Known::Withheld
            }
        };
        if deliveries.state().is_none() {
            deliveries.withheld.push((now, Some(known)));
        }
    }

    /// Records an answer to a lookup.
    pub(super) fn answered(&mut self, question: String, answer: Answer) {
        let now = Instant::now();
        self.add(question, now, now, answer);
    }

    /// Records a lookup that is never answered, so that it fails at some time from now on.
    pub(super) fn unanswered(&mut self, question: String) {
        let now = Instant::now();
        self.add(question, now, now + LONGEST_REQUEST, Answer::Failure);
    }

    fn add(&mut self, question: String, from: Instant, until: Instant, answer: Answer) {
        self.lookups.push(Lookup { question, from, until, answer });
    }

    /// Returns whether the replica has listed a kind, or knows that it is not served, before `time`.
    pub(super) fn has_listed(&self, kind: Kind, time: Instant) -> bool {
        let deliveries = self.kinds.get(&kind);
        deliveries.is_some_and(|it| it.revisions.iter().any(|(at, _)| *at <= time))
    }

    /// Returns the last delivered revision of a kind.
    pub(super) fn last(&self, kind: Kind) -> u64 {
        let last = self.kinds.get(&kind).and_then(|it| it.revisions.last());
        last.map_or(0, |(_, revision)| *revision)
    }

    /// Returns the first and the last possible revision at `time`, or the reasons why there is none.
    ///
    /// Everything that was delivered earlier has been processed, because simulated time only passes while all tasks wait.
    /// A delivery at the same time may have been processed or not.
    pub(super) fn known(&self, kind: Kind, time: Instant) -> (Option<(u64, u64)>, Vec<Known>) {
        let Some(deliveries) = self.kinds.get(&kind) else {
            return (None, Vec::new());
        };
        let revisions = &deliveries.revisions;
        let earlier = revisions.iter().rev().find(|(at, _)| *at < time);
        let last = revisions.iter().rev().find(|(at, _)| *at <= time);
        let range = last.map(|(_, last)| (earlier.map_or(*last, |(_, first)| *first), *last));
        let changes = &deliveries.withheld;
        let before = changes.iter().rev().find(|(at, _)| *at < time).and_then(|(_, known)| *known);
        let now: Vec<_> = changes.iter().filter(|(at, _)| *at == time).collect();
        let mut all = vec![before];
        all.extend(now.into_iter().map(|(_, known)| *known));
        let has_objects = all.contains(&None);
        let withheld = all.into_iter().flatten().collect();
        (range.filter(|_| has_objects), withheld)
    }

    /// Drops entries that no answer from `time` on can depend on.
    pub(super) fn forget(&mut self, time: Instant) {
        self.lookups.retain(|lookup| lookup.until >= time);
        for deliveries in self.kinds.values_mut() {
            let old = deliveries.revisions.partition_point(|(at, _)| *at < time);
            deliveries.revisions.drain(..old.saturating_sub(1));
        }
    }
}

impl Deliveries {
    fn state(&self) -> Option<Known> {
        self.withheld.last().and_then(|(_, known)| *known)
    }
}
