// SPDX-License-Identifier: Apache-2.0
//! Background work on all whole objects of the garden, limited to a tenth of a processor.

pub(super) mod audit;
pub(super) mod forecast;
pub(super) mod notify;

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::mpsc::{Sender, channel};
use tokio::task::{JoinError, spawn_blocking};
use tokio::time::sleep;

use super::state::State;
use crate::garden::directory;
use crate::garden::live::{LiveGarden, Page};
use garden_gate_core::garden::Snapshot;
use garden_gate_model::api::{Kind, Retrieval};
use garden_gate_products::audit::audited_kinds;

/// Ratio of pause to work: background work uses a tenth of a processor.
const PAUSE_FACTOR: u32 = 9;
/// Polling interval while the garden is not ready.
const WAIT: Duration = Duration::from_secs(1);

/// The source of all whole objects.
#[derive(Clone, Debug)]
pub(super) enum Objects {
    Directory(PathBuf),
    Live(Arc<LiveGarden>),
}

impl Objects {
    /// Returns the garden in which rules look up objects.
    pub(super) fn garden(&self, state: &State) -> Arc<Snapshot> {
        let garden = state.garden.load_full();
        match self {
            Self::Directory(_) => garden,
            Self::Live(_) => Arc::new(garden.as_whole()),
        }
    }

    /// Judges all whole objects of some kinds, and returns the reasons why others are missing.
    ///
    /// `judge` gets at most `batch` objects at a time, so that requests are not delayed, and each object once. `take` gets
    /// its results.
    ///
    /// # Errors
    /// Fails if a thread panics while it reads.
    pub(super) async fn judge<T: Send + 'static>(
        &self,
        kinds: Arc<[Kind]>,
        batch: usize,
        judge: impl Fn(Page) -> Vec<T> + Send + Sync + 'static,
        mut take: impl FnMut(T),
    ) -> Result<Vec<String>, String> {
        let judge = Arc::new(judge);
        let mut seen = HashSet::new();
        let (pages, mut next) = channel::<Page>(1);
        let judging = async {
            while let Some(mut page) = next.recv().await {
                page.retain(|(key, _)| seen.insert(key.clone()));
                let mut objects = page.into_iter();
                while objects.len() > 0 {
                    let objects: Page = objects.by_ref().take(batch).collect();
                    let judge = Arc::clone(&judge);
                    // A panic is a defect and is logged. The objects of other batches still count.
                    let results = paced(move || judge(objects)).await.unwrap_or_default();
                    results.into_iter().for_each(&mut take);
                }
            }
        };
        let (missing, ()) = tokio::join!(self.send(kinds, pages), judging);
        missing
    }

    /// Sends all whole objects of some kinds, some of them perhaps more than once.
    async fn send(&self, kinds: Arc<[Kind]>, pages: Sender<Page>) -> Result<Vec<String>, String> {
        let mut missing = Vec::new();
        match self {
            Self::Directory(directory) => {
                for file in directory::files(directory) {
                    let kinds = Arc::clone(&kinds);
                    let read = paced(move || directory::objects(&file, &kinds)).await;
                    let page = read.map_err(|error| error.to_string())?;
                    // The receiver lives as long as this future.
                    let _ = pages.send(page).await;
                }
            }
            Self::Live(live) => {
                for kind in kinds.iter().copied() {
                    missing.extend(live.each(kind, &pages).await.err());
                }
            }
        }
        Ok(missing)
    }
}

/// Returns the kinds that are audited.
fn audited(objects: &Objects) -> impl Iterator<Item = Kind> + use<'_> {
    audited_kinds().filter(move |kind| match objects {
        Objects::Directory(_) => true,
        // Listing other kinds requires permissions that garden-gate does not need otherwise.
        Objects::Live(_) => kind.known() == Retrieval::Watched,
    })
}

/// Returns once the garden is ready.
pub(super) async fn wait_until_ready(state: &State) {
    while state.ready.complaint(&state.clock).is_some() {
        sleep(WAIT).await;
    }
}

/// Returns once no API server disagrees with the clock, so that results are those of the right time.
pub(super) async fn wait_for_clock(state: &State) {
    while state.clock.complaint().is_some() {
        sleep(WAIT).await;
    }
}

/// Runs `work` on a blocking thread, and then pauses for nine times its duration.
async fn paced<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, JoinError> {
    let begin = Instant::now();
    let result = spawn_blocking(work).await;
    sleep(begin.elapsed() * PAUSE_FACTOR).await;
    result
}
