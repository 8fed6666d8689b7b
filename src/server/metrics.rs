//! What the server counts; names begin with `garden_gate_`. No label is ever a namespace, a name or a user.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeLabelSet, EncodeMetric};
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::{ConstGauge, Gauge};
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;

use super::managed::KeeperNumbers;
use super::state::State;
use crate::engine::{Door, Kind, Request, Review};
use crate::garden::live::{WatchState, WatchStatus};

/// Seconds. A verdict takes some hundred microseconds; one that asks the API server, milliseconds.
const BUCKETS: [f64; 14] = [
    50e-6, 100e-6, 250e-6, 500e-6, 1e-3, 2.5e-3, 5e-3, 10e-3, 25e-3, 50e-3, 0.1, 0.25, 0.5, 1.0,
];

#[derive(Clone, Debug, EncodeLabelSet, Eq, Hash, PartialEq)]
struct ReviewLabels {
    door: &'static str,
    kind: &'static str,
    operation: &'static str,
    decision: &'static str,
}

#[derive(Clone, Debug, EncodeLabelSet, Eq, Hash, PartialEq)]
struct DoorLabels {
    door: &'static str,
}

#[derive(Clone, Debug, EncodeLabelSet, Eq, Hash, PartialEq)]
struct FindingLabels {
    rule: &'static str,
    level: &'static str,
}

#[derive(Clone, Debug, EncodeLabelSet, Eq, Hash, PartialEq)]
struct ReasonLabels {
    reason: &'static str,
}

#[derive(Clone, Debug, EncodeLabelSet, Eq, Hash, PartialEq)]
struct PortLabels {
    port: &'static str,
}

/// Every counter there is.
#[derive(Debug)]
pub(super) struct Metrics {
    reviews: Family<ReviewLabels, Counter>,
    review_duration: Family<DoorLabels, Histogram, fn() -> Histogram>,
    findings: Family<FindingLabels, Counter>,
    bad_requests: Family<ReasonLabels, Counter>,
    connections: Family<PortLabels, Gauge>,
    connections_evicted: Family<PortLabels, Counter>,
    pub(super) panics: Counter,
    pub(super) garden_reload_failures: Counter,
    garden_last_reload: Gauge,
    pub(super) config_reload_failures: Counter,
    pub(super) certificate_reload_failures: Counter,
    pub(super) certificate_not_after: Gauge,
    pub(super) certificate_keeping: KeeperNumbers,
    pub(super) tls_handshake_failures: Counter,
    pub(super) missing_rights: Gauge,
}

impl Default for Metrics {
    fn default() -> Self {
        Self {
            reviews: Family::default(),
            review_duration: Family::new_with_constructor(|| Histogram::new(BUCKETS)),
            findings: Family::default(),
            bad_requests: Family::default(),
            connections: Family::default(),
            connections_evicted: Family::default(),
            panics: Counter::default(),
            garden_reload_failures: Counter::default(),
            garden_last_reload: Gauge::default(),
            config_reload_failures: Counter::default(),
            certificate_reload_failures: Counter::default(),
            certificate_not_after: Gauge::default(),
            certificate_keeping: KeeperNumbers::default(),
            tls_handshake_failures: Counter::default(),
            missing_rights: Gauge::default(),
        }
    }
}

impl Metrics {
    pub(super) fn reviewed(
        &self,
        door: Door,
        request: &Request<'_>,
        review: &Review,
        took: Duration,
    ) {
        let door = label(door);
        self.reviews
            .get_or_create(&ReviewLabels {
                door,
                kind: kind(request),
                operation: request.operation.as_str(),
                decision: review.verdict().as_str(),
            })
            .inc();
        self.review_duration
            .get_or_create(&DoorLabels { door })
            .observe(took.as_secs_f64());
        for finding in &review.findings {
            let (rule, level) = (finding.rule, finding.level.as_str());
            self.findings
                .get_or_create(&FindingLabels { rule, level })
                .inc();
        }
    }

    pub(super) fn bad_request(&self, reason: &'static str) {
        self.bad_requests
            .get_or_create(&ReasonLabels { reason })
            .inc();
    }

    /// How many connections a port has, and how many had to give way to others.
    pub(super) fn connections(&self, port: &'static str) -> (Gauge, Counter) {
        let labels = PortLabels { port };
        let count = self.connections.get_or_create(&labels).clone();
        let evicted = self.connections_evicted.get_or_create(&labels).clone();
        (count, evicted)
    }

    pub(super) fn garden_loaded(&self) {
        self.garden_last_reload.set(Timestamp::now().as_second());
    }

    fn register(&self, registry: &mut Registry) {
        let counters = [
            (
                "garden_reload_failures",
                "Changed gardens that could not be loaded; the last good one stays in force",
                &self.garden_reload_failures,
            ),
            (
                "config_reload_failures",
                "Changed configurations that could not be loaded; the last good one stays in force",
                &self.config_reload_failures,
            ),
            (
                "certificate_reload_failures",
                "Changed certificates that could not be used; the last good one stays in force",
                &self.certificate_reload_failures,
            ),
            (
                "certificate_keeping_failures",
                "Failed looks at the Secret with the certificate and the webhook configurations; they are looked at again",
                &self.certificate_keeping.failures,
            ),
            (
                "tls_handshake_failures",
                "Connections that ended before TLS was agreed on",
                &self.tls_handshake_failures,
            ),
            ("panics", "Requests that made a rule panic", &self.panics),
        ];
        for (name, help, counter) in counters {
            registry.register(name, help, counter.clone());
        }
        registry.register("reviews", "Verdicts given", self.reviews.clone());
        registry.register(
            "review_duration_seconds",
            "From a complete head to a verdict, reading the body included",
            self.review_duration.clone(),
        );
        registry.register(
            "findings",
            "What rules found, at its level",
            self.findings.clone(),
        );
        registry.register(
            "bad_requests",
            "Requests that got no verdict",
            self.bad_requests.clone(),
        );
        registry.register("connections", "Open connections", self.connections.clone());
        registry.register(
            "connections_evicted",
            "Connections that were closed because there were as many as there may be",
            self.connections_evicted.clone(),
        );
        registry.register(
            "garden_last_reload_success_timestamp_seconds",
            "When the garden in force was loaded",
            self.garden_last_reload.clone(),
        );
        registry.register(
            "certificate_not_after_seconds",
            "When the serving certificate expires, as a Unix timestamp",
            self.certificate_not_after.clone(),
        );
        registry.register(
            "missing_rights",
            "What the API server does not let us do, of all that the rules in force and the certificate need",
            self.missing_rights.clone(),
        );
        registry.register(
            "clock_ahead_seconds",
            "By how much our clock is ahead of the API server's, where the certificate is kept in a Secret",
            self.certificate_keeping.clock_ahead.clone(),
        );
    }
}

/// The registry behind `/metrics`.
pub(super) fn registry(state: &Arc<State>) -> Registry {
    let mut registry = Registry::with_prefix("garden_gate");
    state.metrics.register(&mut registry);
    registry.register_collector(Box::new(AtScrape(Arc::clone(state))));
    registry
}

/// What is read off the state when it is asked for, so that it cannot drift.
#[derive(Debug)]
struct AtScrape(Arc<State>);

impl Collector for AtScrape {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> Result<(), fmt::Error> {
        let objects = "Objects of the garden in force";
        let mut objects =
            encoder.encode_descriptor("garden_objects", objects, None, MetricType::Gauge)?;
        for (kind, count) in self.0.garden.load().counts() {
            let count = ConstGauge::new(i64::try_from(count).unwrap_or(i64::MAX));
            count.encode(objects.encode_family(&[("kind", kind)])?)?;
        }
        self.watches(&mut encoder)?;
        let help = "1 if requests should be sent here";
        let ready = encoder.encode_descriptor("ready", help, None, MetricType::Gauge)?;
        ConstGauge::new(i64::from(self.0.ready.complaint().is_none())).encode(ready)
    }
}

/// A number of every watch: its name, what it means, and where it is.
type WatchNumber = (&'static str, &'static str, fn(&WatchStatus) -> u64);

const WATCH_NUMBERS: [WatchNumber; 7] = [
    (
        "garden_watch_synced",
        "1 while every object of the kind has been seen and the watch is not failing",
        |watch| u64::from(watch.state == WatchState::Synced && !watch.failing),
    ),
    (
        "garden_watch_last_success_timestamp_seconds",
        "When a list or a sign of life last came; an idle watch gives one a minute",
        |watch| {
            let last = watch.last_success.map(Timestamp::as_second);
            last.and_then(|last| u64::try_from(last).ok()).unwrap_or(0)
        },
    ),
    (
        "garden_watch_withheld",
        "1 if the watch has been refused for so long that nothing is judged by it any more",
        |watch| u64::from(watch.withheld.is_some()),
    ),
    (
        "garden_watch_lists",
        "Complete lists that were read; more than one means that a watch fell behind",
        |watch| watch.lists,
    ),
    (
        "garden_watch_events",
        "Single changes that arrived",
        |watch| watch.events,
    ),
    (
        "garden_watch_failures",
        "Lists and watches that failed and were tried again",
        |watch| watch.failures,
    ),
    (
        "garden_watch_unreadable_objects",
        "Objects that arrived, were not of the shape of their kind, and count as unknown",
        |watch| watch.unreadable,
    ),
];

impl AtScrape {
    fn watches(&self, encoder: &mut DescriptorEncoder<'_>) -> Result<(), fmt::Error> {
        let Some(live) = &self.0.live else {
            return Ok(());
        };
        let watches = live.watches();
        for (name, help, number) in WATCH_NUMBERS {
            let mut family = encoder.encode_descriptor(name, help, None, MetricType::Gauge)?;
            for (kind, watch) in &watches {
                let number = i64::try_from(number(watch)).unwrap_or(i64::MAX);
                ConstGauge::new(number).encode(family.encode_family(&[("kind", *kind)])?)?;
            }
        }
        Ok(())
    }
}

/// The name of a door in metrics and logs.
pub(super) fn label(door: Door) -> &'static str {
    match door {
        Door::Mutate => "mutate",
        Door::Validate => "validate",
        Door::Review => "review",
    }
}

/// The kind of a request, in a set that clients cannot make grow.
pub(super) fn kind(request: &Request<'_>) -> &'static str {
    let resource = &request.resource;
    Kind::of_resource(&resource.group, &resource.version, &resource.resource)
        .map_or("other", Kind::as_str)
}
