//! Periodic audit of the garden, in the background while requests are reviewed.
//! Its results are exported as metrics.

mod numbers;

use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use serde_json::value::RawValue;
use tokio::sync::mpsc;
use tokio::time::sleep;

pub(super) use self::numbers::AuditNumbers;

use super::background::{self, Objects, paced};
use super::state::State;
use crate::api::{Kind, Retrieval};
use crate::audit::{Audited, Auditor, Tally, audited_kinds};
use crate::config::Config;
use crate::forecast::Owner;
use crate::garden::{ObjectKey, Snapshot};

/// Number of objects that are reviewed in one batch.
const AT_ONCE: usize = 8;

/// Audits the garden once it is ready, then at the interval `every`, measured between starts.
/// Never returns.
pub(super) async fn follow(every: Duration, objects: Objects, state: Arc<State>) {
    background::wait_until_ready(&state).await;
    loop {
        let begin = Instant::now();
        match audit(&objects, &state).await {
            Ok(tally) => {
                let took = begin.elapsed();
                tracing::info!(
                    objects = tally.all.objects,
                    denied = tally.all.denied,
                    warned = tally.all.warned,
                    undetermined = tally.all.undetermined,
                    seconds = took.as_secs(),
                    "audited the garden"
                );
                state.metrics.audit.record(&tally, took);
            }
            Err(why) => {
                tracing::warn!("failed to audit the garden, keeping the previous results: {why}");
                state.metrics.audit.failed();
            }
        }
        sleep(every.saturating_sub(begin.elapsed())).await;
    }
}

/// One audit, with the garden and the configuration at its start.
struct Run {
    garden: Arc<Snapshot>,
    config: Arc<Config>,
    now: Timestamp,
    seen: HashSet<ObjectKey>,
    tally: Tally,
}

async fn audit(objects: &Objects, state: &State) -> Result<Tally, String> {
    let garden = state.garden.load_full();
    let mut run = Run {
        garden: match objects {
            Objects::Directory(_) => garden,
            Objects::Live(_) => Arc::new(garden.as_whole()),
        },
        config: state.config.load_full(),
        now: Timestamp::now(),
        seen: HashSet::new(),
        tally: Tally::default(),
    };
    let is_wanted = |kind: &Kind| match objects {
        Objects::Directory(_) => true,
        // Listing other kinds requires permissions that garden-gate does not need otherwise.
        Objects::Live(_) => kind.known() == Retrieval::Watched,
    };
    let kinds: Arc<[Kind]> = audited_kinds().filter(is_wanted).collect();
    let (pages, mut next) = mpsc::channel(1);
    let taking = async {
        while let Some(page) = next.recv().await {
            run.add(page).await;
        }
    };
    let (missing, ()) = tokio::join!(objects.send(kinds, pages), taking);
    match missing?.first() {
        Some(why) if run.seen.is_empty() => return Err(why.clone()),
        Some(why) => tracing::warn!("left out of the audit: {why}"),
        None => {}
    }
    Ok(run.tally)
}

impl Run {
    /// Reviews objects in small batches, so that requests are not delayed, and counts the results.
    async fn add(&mut self, objects: Vec<(ObjectKey, Box<RawValue>)>) {
        let mut objects = objects.into_iter().peekable();
        while objects.peek().is_some() {
            let next = objects.by_ref().take(AT_ONCE);
            let next: Vec<_> = next
                .filter(|(key, _)| self.seen.insert(key.clone()))
                .collect();
            let (garden, config, now) =
                (Arc::clone(&self.garden), Arc::clone(&self.config), self.now);
            let judged = paced(move || {
                let auditor = Auditor::new(&garden, &config, now).of_server();
                let judged = next.into_iter().map(|(key, stored)| {
                    let audited = auditor.object(&key, &stored);
                    (key, audited)
                });
                judged.collect::<Vec<_>>()
            });
            // A panic is a defect and is logged. The objects of other batches still count.
            for (key, Audited { review, occasions }) in judged.await.unwrap_or_default() {
                self.tally
                    .add(&key, &Owner::default(), (&review, &occasions));
            }
        }
    }
}
