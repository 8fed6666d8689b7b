// SPDX-License-Identifier: Apache-2.0
//! The streams of watches.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use futures_util::stream;
use serde_json::json;
use tokio::sync::Notify;
use tokio::time::{Instant, sleep_until};

use super::api_server::{ApiServer, Inner};
use super::faults::Outage;
use super::random::Random;
use super::store::Write;
use garden_gate_model::api::Kind;

/// The interval of bookmarks.
const BOOKMARKS: Duration = Duration::from_secs(31);

/// A watch of one kind by one replica.
pub(super) struct Watch {
    pub(super) server: ApiServer,
    pub(super) replica: u32,
    pub(super) kind: Kind,
    /// The name of the only object that is watched; all objects if it is `None`.
    pub(super) name: Option<String>,
    /// The events of the objects with which the watch begins.
    pub(super) first: Option<String>,
    /// The revision up to which the events were sent.
    pub(super) revision: u64,
    /// The delay of all events.
    pub(super) lag: Duration,
    /// The time at which the API server ends the watch, if it does.
    pub(super) end: Option<Instant>,
    pub(super) bookmark: Instant,
    pub(super) breaks: u64,
    pub(super) random: Random,
    pub(super) changes: Arc<Notify>,
    pub(super) is_over: bool,
}

enum Step {
    Send(String),
    Fail,
    End,
    Wait(Option<Instant>),
}

impl Watch {
    pub(super) fn body(self) -> Body {
        let lines = stream::unfold(self, |mut watch| async move {
            let chunk = watch.next().await?;
            Some((chunk, watch))
        });
        Body::from_stream(lines)
    }

    async fn next(&mut self) -> Option<io::Result<Bytes>> {
        loop {
            let server = self.server.clone();
            let step = self.step(&mut server.lock());
            match step {
                Step::Send(text) => return Some(Ok(text.into())),
                Step::Fail => return Some(Err(io::ErrorKind::ConnectionReset.into())),
                Step::End => return None,
                Step::Wait(until) => {
                    let far = Instant::now() + Duration::from_hours(24);
                    tokio::select! {
                        biased;
                        () = self.changes.notified() => {}
                        () = sleep_until(until.unwrap_or(far)) => {}
                    }
                }
            }
        }
    }

    /// Returns the next chunk, or the time at which there may be one.
    fn step(&mut self, inner: &mut Inner) -> Step {
        let now = Instant::now();
        if self.is_over {
            return Step::End;
        }
        if inner.faults.breaks > self.breaks {
            return self.interrupt();
        }
        match inner.faults.outage() {
            Some((Outage::Silent, end)) => return Step::Wait(Some(end)),
            Some(_) => return self.interrupt(),
            None => {}
        }
        if self.end.is_some_and(|end| now >= end) {
            self.is_over = true;
            return Step::End;
        }
        if let Some(text) = self.first.take() {
            return Step::Send(text);
        }
        if let Some(write) = self.next_write(inner).cloned() {
            let due = write.time + self.lag;
            return if now >= due { self.events(inner, write) } else { self.wait(due) };
        }
        if now >= self.bookmark {
            self.bookmark = now + BOOKMARKS;
            self.revision = inner.store.revision();
            self.deliver(inner);
            return Step::Send(bookmark(self.kind, self.revision));
        }
        self.wait(self.bookmark)
    }

    /// Waits until a time, or the end of the watch.
    fn wait(&self, until: Instant) -> Step {
        Step::Wait(Some(self.end.map_or(until, |end| end.min(until))))
    }

    /// Ends the watch with or without an error.
    fn interrupt(&mut self) -> Step {
        self.is_over = true;
        match self.random.below(2) {
            0 => Step::Fail,
            _ => Step::End,
        }
    }

    /// Returns one or more events that are due, or a fault.
    fn events(&mut self, inner: &mut Inner, first: Write) -> Step {
        let mut text = event(&first);
        if self.random.below(1_000) < inner.faults.watch_faults {
            self.is_over = true;
            let gone = json!({"type": "ERROR", "object": {"kind": "Status", "code": 410, "status": "Failure", "reason": "Expired", "message": "too old resource version"}});
            return Step::Send(match self.random.below(4) {
                // The beginning or the end of a line is lost.
                0 => text.split_off(self.random.below(text.len() - 1) + 1),
                1 => text[..self.random.below(text.len() - 1)].to_owned(),
                2 => format!("{gone}\n"),
                // An event that was sent before is sent again, then the connection ends.
                _ => {
                    self.revision = first.revision;
                    self.deliver(inner);
                    format!("{text}{text}")
                }
            });
        }
        self.revision = first.revision;
        while self.random.below(3) > 0 {
            let next = self.next_write(inner);
            let is_due = |write: &&Write| Instant::now() >= write.time + self.lag;
            let Some(write) = next.filter(is_due) else {
                break;
            };
            text += &event(write);
            self.revision = write.revision;
        }
        self.deliver(inner);
        Step::Send(text)
    }

    fn next_write<'a>(&self, inner: &'a Inner) -> Option<&'a Write> {
        let name = self.name.as_deref();
        inner.store.next_write(self.kind, name, self.revision)
    }

    fn deliver(&self, inner: &mut Inner) {
        let revision = self.revision;
        let (replica, kind) = (self.replica, self.kind);
        inner.record(replica).heard(kind, Some(revision));
        inner.trace.add(&format!("r{replica} watch of {kind} delivers {revision}"));
    }
}

fn event(write: &Write) -> String {
    let Write { revision, before, after, .. } = write;
    match (before, after) {
        (None, Some(after)) => added(&after.json),
        (Some(_), Some(after)) => format!("{{\"type\":\"MODIFIED\",\"object\":{}}}\n", after.json),
        (before, None) => {
            let mut object = before.as_ref().map(|it| it.value.clone()).unwrap_or_default();
            object["metadata"]["resourceVersion"] = json!(revision.to_string());
            format!("{{\"type\":\"DELETED\",\"object\":{object}}}\n")
        }
    }
}

fn bookmark(kind: Kind, revision: u64) -> String {
    let metadata = json!({"resourceVersion": revision.to_string()});
    let object =
        json!({"apiVersion": kind.api_version(), "kind": kind.as_str(), "metadata": metadata});
    format!("{{\"type\":\"BOOKMARK\",\"object\":{object}}}\n")
}

/// Returns the event with which a watch without a revision begins.
pub(super) fn added(object: &str) -> String {
    format!("{{\"type\":\"ADDED\",\"object\":{object}}}\n")
}
