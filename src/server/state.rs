// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeMap;
use std::num::NonZero;
use std::ops::Deref;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::available_parallelism;
use std::time::Duration;

use arc_swap::{ArcSwap, ArcSwapOption};
use tokio::sync::{Notify, SetOnce};

use super::Answerer;
use super::clock::Clock;
use super::heartbeat::Heartbeat;
use super::log::{RateLimiter, WARNING_INTERVAL};
use super::memory::{Budget, Memory};
use super::metrics::Metrics;
use super::published::Published;
use super::ready::Readiness;
use super::record::Recorder;
use crate::garden::directory::Vanished;
use crate::garden::live::{LiveGarden, Share};
use crate::notify::Notifier;
use garden_gate_core::admission::{RuleLists, Rules};
use garden_gate_core::config::Config;
use garden_gate_core::garden::{PublishedVersion, Snapshot};
use garden_gate_core::policies::OwnPolicy;
use garden_gate_core::rules;
use garden_gate_model::api::{GardenerVersion, Kind};
use garden_gate_products::report::Playground;

/// The number of long evaluations beyond one per processor, which is the limit of one client.
///
/// They share the processors with the others, so that a client cannot keep other clients from getting verdicts.
const OTHER_CLIENTS: usize = 8;
/// Maximum number of refusal lines per second.
const REFUSAL_LINES: u32 = 10;

/// The state that all requests share.
#[derive(Debug)]
pub(super) struct State {
    pub(super) garden: Arc<ArcSwap<Snapshot>>,
    /// Objects of the garden that vanished from the files of its directory.
    pub(super) vanished: ArcSwap<BTreeMap<Kind, Vanished>>,
    pub(super) config: ArcSwap<Configured>,
    /// The time at which requests are reviewed.
    pub(super) clock: Clock,
    /// The policies of operators.
    pub(super) policies: ArcSwap<Arc<[OwnPolicy]>>,
    /// Notified when the configuration or the policies have changed.
    pub(super) needs_changed: Notify,
    /// The version that the garden publishes, which applies unless the configuration has one.
    garden_version: Mutex<Option<GardenerVersion>>,
    is_version_logged: AtomicBool,
    pub(super) answerer: Option<Arc<dyn Answerer>>,
    /// The watches of the garden, if any, for metrics.
    pub(super) live: Option<Arc<LiveGarden>>,
    pub(super) ready: Readiness,
    pub(super) metrics: Metrics,
    /// The memory budget of all requests.
    pub(super) budget: Arc<Budget>,
    /// Whether the garden is audited.
    pub(super) is_audited: bool,
    /// The published forecast; `None` before the first one.
    pub(super) published: ArcSwapOption<Published>,
    /// Set when the first forecast has ended, successfully or not.
    pub(super) first_forecast: SetOnce<()>,
    /// The memory limit of a published forecast in bytes; `None` if forecasts are not published.
    pub(super) publishes: Option<u64>,
    /// The playground next to the published site.
    pub(super) playground: Option<Playground>,
    /// Sends the news of forecasts, if that is enabled.
    pub(super) notifier: OnceLock<Notifier>,
    /// Records requests, if that is enabled.
    pub(super) recorder: Option<Recorder>,
    /// Whether the maintenance of Shoots is forecast.
    pub(super) is_forecast: bool,
    /// Whether long evaluations run on the blocking thread pool.
    ///
    /// Otherwise they run on the runtime's thread, in an order that the simulation can repeat.
    pub(super) has_threads: bool,
    /// Slots for long evaluations, shared fairly between the addresses of clients.
    pub(super) processors: Share,
    /// The liveness of the threads that process reviews.
    pub(super) heartbeat: Heartbeat,
    /// The rate limit of warnings about failed handshakes.
    pub(super) handshake_warnings: RateLimiter,
    /// The rate limit of log lines about refused requests.
    pub(super) refusal_lines: RateLimiter,
}

/// The configuration, and the rules that apply with it.
#[derive(Debug)]
pub(super) struct Configured {
    config: Config,
    lists: RuleLists,
}

impl Configured {
    /// Returns the rules of this server.
    pub(super) fn rules(&self) -> Rules<'_> {
        Rules::of_server(rules::ALL, &self.lists)
    }
}

impl From<Config> for Configured {
    fn from(config: Config) -> Self {
        Self { lists: RuleLists::of(rules::ALL, &config), config }
    }
}

impl Deref for Configured {
    type Target = Config;

    fn deref(&self) -> &Config {
        &self.config
    }
}

/// Returns the number of processors available to this process.
pub(super) fn processors() -> usize {
    available_parallelism().map_or(1, NonZero::get)
}

impl State {
    pub(super) fn new(garden: Snapshot, config: Config, memory: Memory) -> Self {
        Self {
            garden: Arc::new(ArcSwap::from_pointee(garden)),
            vanished: ArcSwap::default(),
            config: ArcSwap::from_pointee(config.into()),
            clock: Clock::default(),
            policies: ArcSwap::from_pointee(Arc::from([])),
            needs_changed: Notify::new(),
            garden_version: Mutex::default(),
            is_version_logged: AtomicBool::default(),
            answerer: None,
            live: None,
            ready: Readiness::default(),
            metrics: Metrics::default(),
            budget: Budget::new(memory.for_requests()),
            is_audited: false,
            published: ArcSwapOption::empty(),
            first_forecast: SetOnce::new(),
            publishes: None,
            playground: None,
            notifier: OnceLock::new(),
            recorder: None,
            is_forecast: false,
            has_threads: true,
            processors: Share::with(processors() + OTHER_CLIENTS, processors()),
            heartbeat: Heartbeat::default(),
            handshake_warnings: RateLimiter::new(1, WARNING_INTERVAL),
            refusal_lines: RateLimiter::new(REFUSAL_LINES, Duration::from_secs(1)),
        }
    }

    /// Replaces the configuration; the version of the garden still applies.
    pub(super) fn set_config(&self, mut config: Config) {
        let published = self.garden_version.lock().unwrap_or_else(PoisonError::into_inner);
        config.set_garden_version(*published);
        if config != ***self.config.load() {
            tracing::info!("loaded the changed configuration");
        }
        self.take_config(config);
    }

    /// Replaces the policies of operators, and those of metrics.
    pub(super) fn set_policies(&self, policies: Arc<[OwnPolicy]>) {
        self.metrics.policies.loaded(&policies);
        self.policies.store(Arc::new(policies));
        self.needs_changed.notify_waiters();
    }

    /// Sets the version that the garden publishes, or the reason why it is unknown.
    ///
    /// `place` is the location of the ConfigMap for messages.
    pub(super) fn set_garden_version(
        &self,
        version: Result<Option<PublishedVersion>, String>,
        place: &str,
    ) {
        let mut published = self.garden_version.lock().unwrap_or_else(PoisonError::into_inner);
        let mut config = Config::clone(&self.config.load());
        let version = version.unwrap_or_else(|why| {
            if let Some(warning) = config.invalid_garden_version(place, &why) {
                tracing::warn!("{warning}");
            }
            None
        });
        *published = version.map(|it| it.version);
        config.set_garden_version(*published);
        self.take_config(config);
    }

    /// Returns the minor versions by which the Gardener of the garden, or the one set, is newer than the newest known one.
    pub(super) fn minors_ahead(&self) -> u16 {
        let published = *self.garden_version.lock().unwrap_or_else(PoisonError::into_inner);
        let judged = self.config.load().judged_as().version;
        published.map_or(judged, |it| it.max(judged)).minors_ahead()
    }

    /// Stores the configuration, and logs the version of Gardener at the first time and when it changes.
    fn take_config(&self, config: Config) {
        let judged = config.judged_as();
        let is_first = !self.is_version_logged.swap(true, Ordering::Relaxed);
        if is_first || judged != self.config.load().judged_as() {
            tracing::info!("judged as {judged}");
            if let Some(note) = judged.note() {
                tracing::warn!("{note}");
            }
        }
        self.config.store(Arc::new(config.into()));
        self.needs_changed.notify_waiters();
    }

    /// Records that a certificate is in use which expires at `not_after`, in seconds since the Unix epoch.
    pub(super) fn certificate_loaded(&self, not_after: i64) {
        self.metrics.certificate_not_after.set(not_after);
        self.ready.set_certificate(not_after);
    }

    /// Returns the reason why the server is not ready, if any.
    ///
    /// Requests that arrive nevertheless are evaluated if possible: a refused watch only affects the rules that depend
    /// on it.
    pub(super) fn complaint(&self) -> Option<String> {
        let withheld = || self.live.as_ref().and_then(|live| live.withheld());
        let complaint = self.ready.complaint(&self.clock);
        complaint.or_else(|| self.heartbeat.complaint()).or_else(withheld)
    }

    /// Returns the known reasons why verdicts may be incomplete or wrong although the server is ready.
    pub(super) fn reservation(&self) -> Option<String> {
        let reasons: Vec<String> =
            [self.ready.reservation(), self.clock.reservation()].into_iter().flatten().collect();
        (!reasons.is_empty()).then(|| reasons.join("; "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use garden_gate_core::config::VersionSource;

    #[test]
    fn garden_version_applies_to_every_configuration_without_one() {
        let state = State::new(Snapshot::default(), Config::default(), Memory::new(None));
        let judged = || state.config.load().judged_as().to_string();
        let publish = |minor: u16| {
            let version = GardenerVersion::of_minor(minor);
            let text = format!("v{version}.0");
            state.set_garden_version(Ok(Some(PublishedVersion { text, version })), "");
        };
        publish(145);
        assert_eq!(judged(), "Gardener 1.145 (from gardener-info)");
        state.set_config(Config::default());
        assert_eq!(judged(), "Gardener 1.145 (from gardener-info)");
        let own = Config {
            gardener_version: GardenerVersion::of_minor(147),
            version_source: VersionSource::Configuration,
            ..Config::default()
        };
        state.set_config(own);
        publish(146);
        assert_eq!(judged(), "Gardener 1.147 (from the configuration)");
        state.set_config(Config::default());
        assert_eq!(judged(), "Gardener 1.146 (from gardener-info)");
        state.set_garden_version(Err("no version".to_owned()), "");
        assert_eq!(judged(), "Gardener 1.150 (newest known)");
    }
}
