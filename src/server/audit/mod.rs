//! Periodic audit of the garden, in the background while requests are reviewed.
//! Its results are exported as metrics.

mod numbers;

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use serde_json::value::RawValue;
use tokio::sync::mpsc;
use tokio::task::spawn_blocking;
use tokio::time::sleep;

pub(super) use self::numbers::AuditNumbers;

use super::state::State;
use crate::api::{Kind, Retrieval};
use crate::audit::{Audited, Auditor, Tally, audited_kinds};
use crate::config::Config;
use crate::forecast::Owner;
use crate::garden::live::LiveGarden;
use crate::garden::{ObjectKey, Snapshot, directory};

/// Number of objects that are reviewed in one batch.
const AT_ONCE: usize = 8;
/// Ratio of pause to work: an audit uses a tenth of a processor.
const PATIENCE: u32 = 9;
/// Polling interval while the garden is not ready.
const WAIT: Duration = Duration::from_secs(1);

/// The source of all whole objects.
pub(super) enum Objects {
    Directory(PathBuf),
    Live(Arc<LiveGarden>),
}

/// Audits the garden once it is ready, then at the interval `every`, measured between starts.
/// Never returns.
pub(super) async fn follow(every: Duration, objects: Objects, state: Arc<State>) {
    while state.ready.complaint().is_some() {
        sleep(WAIT).await;
    }
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
    match objects {
        Objects::Directory(directory) => {
            for file in directory::files(directory) {
                let begin = Instant::now();
                let kinds = Arc::clone(&kinds);
                let read = spawn_blocking(move || directory::objects(&file, &kinds));
                let objects = read.await.map_err(|error| error.to_string())?;
                sleep(begin.elapsed() * PATIENCE).await;
                run.add(objects).await;
            }
        }
        Objects::Live(live) => {
            let mut refused = Vec::new();
            for kind in kinds.iter().copied() {
                let (pages, mut next) = mpsc::channel(1);
                let listing = async {
                    let listed = live.each(kind, &pages).await;
                    drop(pages);
                    listed
                };
                let taking = async {
                    while let Some(page) = next.recv().await {
                        run.add(page).await;
                    }
                };
                let (listed, ()) = tokio::join!(listing, taking);
                refused.extend(listed.err());
            }
            match refused.first() {
                Some(why) if run.seen.is_empty() => return Err(why.clone()),
                Some(why) => tracing::warn!("left out of the audit: {why}"),
                None => {}
            }
        }
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
            let begin = Instant::now();
            let (garden, config, now) =
                (Arc::clone(&self.garden), Arc::clone(&self.config), self.now);
            let judged = spawn_blocking(move || {
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
            sleep(begin.elapsed() * PATIENCE).await;
        }
    }
}
