use std::collections::BTreeMap;
use std::num::NonZero;
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::Duration;

use arc_swap::ArcSwap;
use tokio::sync::Semaphore;

use super::Answerer;
use super::heartbeat::Heartbeat;
use super::log::Rarely;
use super::memory::{Budget, Memory};
use super::metrics::Metrics;
use super::ready::Readiness;
use crate::config::Config;
use crate::garden::Snapshot;
use crate::garden::directory::Vanished;
use crate::garden::live::LiveGarden;
use crate::model::Kind;

/// Strangers must not be able to fill the log.
pub(super) const WARNING_INTERVAL: Duration = Duration::from_secs(60);
/// A second.
const REFUSAL_LINES: u32 = 10;

/// What every request may look at.
#[derive(Debug)]
pub(super) struct State {
    pub(super) garden: Arc<ArcSwap<Snapshot>>,
    /// Objects of the garden that no file of its directory holds any more.
    pub(super) vanished: ArcSwap<BTreeMap<Kind, Vanished>>,
    pub(super) config: ArcSwap<Config>,
    pub(super) answerer: Option<Arc<dyn Answerer>>,
    /// The watches of the garden, if there are any, for what is told about them.
    pub(super) live: Option<Arc<LiveGarden>>,
    pub(super) ready: Readiness,
    pub(super) metrics: Metrics,
    /// What requests may hold of the memory together.
    pub(super) budget: Arc<Budget>,
    /// Whether the garden is audited.
    pub(super) is_audited: bool,
    /// A permit for each processor, for what takes long to judge.
    pub(super) processors: Arc<Semaphore>,
    /// Whether the threads that answer reviews make progress.
    pub(super) heartbeat: Heartbeat,
    /// How often a failed handshake is warned of.
    pub(super) handshake_warnings: Rarely,
    /// How often it is told that a request got no verdict.
    pub(super) refusal_lines: Rarely,
}

/// Number of processors that this process may use.
pub(super) fn processors() -> usize {
    available_parallelism().map_or(1, NonZero::get)
}

impl State {
    pub(super) fn new(garden: Snapshot, config: Config, memory: Memory) -> Self {
        Self {
            garden: Arc::new(ArcSwap::from_pointee(garden)),
            vanished: ArcSwap::default(),
            config: ArcSwap::from_pointee(config),
            answerer: None,
            live: None,
            ready: Readiness::default(),
            metrics: Metrics::default(),
            budget: Budget::new(memory.for_requests()),
            is_audited: false,
            processors: Arc::new(Semaphore::new(processors())),
            heartbeat: Heartbeat::default(),
            handshake_warnings: Rarely::new(1, WARNING_INTERVAL),
            refusal_lines: Rarely::new(REFUSAL_LINES, Duration::from_secs(1)),
        }
    }

    /// Notes that another certificate is in use, which expires `not_after`, in seconds since 1970.
    pub(super) fn certificate_loaded(&self, not_after: i64) {
        self.metrics.certificate_not_after.set(not_after);
        self.ready.set_certificate(not_after);
    }

    /// Why nobody should send requests here; `None` when they should.
    ///
    /// Requests that come all the same are judged if they can be: a watch that is refused keeps only what depends on it from that.
    pub(super) fn complaint(&self) -> Option<String> {
        let withheld = || self.live.as_ref().and_then(|live| live.withheld());
        let complaint = self.ready.complaint();
        complaint
            .or_else(|| self.heartbeat.complaint())
            .or_else(withheld)
    }
}
