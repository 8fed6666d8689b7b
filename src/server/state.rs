use std::sync::Arc;
use std::sync::atomic::AtomicI64;

use arc_swap::ArcSwap;
use tokio::sync::Semaphore;

use super::Answerer;
use super::metrics::Metrics;
use super::ready::Readiness;
use crate::config::Config;
use crate::engine::Rule;
use crate::garden::Snapshot;
use crate::garden::live::LiveGarden;
use crate::rules;

/// All bodies that are being read or judged together; about a hundred times the biggest object seen in practice, and the
/// bound on what clients can make us hold.
pub(super) const BODIES_LIMIT: usize = 128 << 20;

/// What every request may look at.
#[derive(Debug)]
pub(super) struct State {
    pub(super) garden: Arc<ArcSwap<Snapshot>>,
    pub(super) config: ArcSwap<Config>,
    pub(super) rules: &'static [&'static Rule],
    pub(super) answerer: Option<Arc<dyn Answerer>>,
    /// The watches of the garden, if there are any, for what is told about them.
    pub(super) live: Option<Arc<LiveGarden>>,
    pub(super) ready: Readiness,
    pub(super) metrics: Metrics,
    /// One permit for each byte of a body that is held.
    pub(super) bodies: Arc<Semaphore>,
    /// When a failed handshake was last warned of, in seconds since 1970.
    pub(super) handshake_warning: AtomicI64,
}

impl State {
    pub(super) fn new(garden: Snapshot, config: Config) -> Self {
        Self {
            garden: Arc::new(ArcSwap::from_pointee(garden)),
            config: ArcSwap::from_pointee(config),
            rules: rules::ALL,
            answerer: None,
            live: None,
            ready: Readiness::default(),
            metrics: Metrics::default(),
            bodies: Arc::new(Semaphore::new(BODIES_LIMIT)),
            handshake_warning: AtomicI64::new(0),
        }
    }

    /// Notes that another certificate is in use, which expires `not_after`, in seconds since 1970.
    pub(super) fn certificate_loaded(&self, not_after: i64) {
        self.metrics.certificate_not_after.set(not_after);
        self.ready.set_certificate(not_after);
    }
}
