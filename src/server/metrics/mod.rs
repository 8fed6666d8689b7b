// SPDX-License-Identifier: Apache-2.0
//! Metrics of the server, with the prefix `garden_gate_`.
//!
//! Labels never contain a namespace, a name or a user, except for Projects in the metrics of forecasts.

mod audit;
mod background;
mod certificate;
mod forecast;
mod forecast_totals;
mod policies;

use std::error::Error;
use std::time::Duration;

use jiff::Timestamp;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;

use self::audit::AuditNumbers;
pub(super) use self::certificate::KeeperNumbers;
use self::forecast::ForecastNumbers;
pub(super) use self::forecast_totals::Totals;
use self::policies::PolicyNumbers;
use super::source::chain;
use garden_gate_core::admission::{EntryPoint, Kind, Request, Review};

/// Histogram buckets in seconds.
///
/// A review takes some hundred microseconds, or milliseconds with live lookups.
const BUCKETS: [f64; 14] =
    [50e-6, 100e-6, 250e-6, 500e-6, 1e-3, 2.5e-3, 5e-3, 10e-3, 25e-3, 50e-3, 0.1, 0.25, 0.5, 1.0];

#[derive(Clone, Debug, EncodeLabelSet, Eq, Hash, PartialEq)]
struct ReviewLabels {
    endpoint: &'static str,
    kind: &'static str,
    operation: &'static str,
    decision: &'static str,
}

#[derive(Clone, Debug, EncodeLabelSet, Eq, Hash, PartialEq)]
struct EndpointLabels {
    endpoint: &'static str,
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

/// Metrics about reloads of a watched source.
#[derive(Clone, Debug, Default)]
pub(super) struct Reloads {
    failures: Counter,
    /// 1 from a failure until the next success.
    failing: Gauge,
}

impl Reloads {
    /// Counts and logs failed reloads.
    pub(super) fn record<E: Error>(&self, what: &str, result: &Result<(), E>) {
        let Err(error) = result else {
            self.failing.set(0);
            return;
        };
        let why = chain(error);
        tracing::error!("failed to load the changed {what}, keeping the last valid one: {why}");
        self.failures.inc();
        self.failing.set(1);
    }

    /// Reports whether the last reload failed.
    pub(super) fn is_failing(&self) -> bool {
        self.failing.get() == 1
    }
}

/// All metrics of the server.
#[derive(Debug)]
pub(super) struct Metrics {
    reviews: Family<ReviewLabels, Counter>,
    review_duration: Family<EndpointLabels, Histogram, fn() -> Histogram>,
    /// Cached histograms for each entry point of a server.
    durations: [(EntryPoint, Histogram); 2],
    findings: Family<FindingLabels, Counter>,
    bad_requests: Family<ReasonLabels, Counter>,
    connections: Family<PortLabels, Gauge>,
    connections_evicted: Family<PortLabels, Counter>,
    pub(super) panics: Counter,
    pub(super) sent_notifications: Counter,
    pub(super) undelivered_notifications: Counter,
    pub(super) dropped_log_lines: Counter,
    pub(super) garden_reloads: Reloads,
    garden_last_reload: Gauge,
    pub(super) config_reloads: Reloads,
    pub(super) policies: PolicyNumbers,
    pub(super) policy_reloads: Reloads,
    pub(super) certificate_reloads: Reloads,
    pub(super) certificate_not_after: Gauge,
    pub(super) certificate_keeping: KeeperNumbers,
    pub(super) tls_handshake_failures: Counter,
    pub(super) missing_rights: Gauge,
    pub(super) audit: AuditNumbers,
    pub(super) forecast: ForecastNumbers,
}

impl Default for Metrics {
    fn default() -> Self {
        let constructor: fn() -> Histogram = || Histogram::new(BUCKETS);
        let review_duration = Family::new_with_constructor(constructor);
        let durations = [EntryPoint::Mutate, EntryPoint::Validate].map(|entry_point| {
            let labels = EndpointLabels { endpoint: label(entry_point) };
            (entry_point, review_duration.get_or_create(&labels).clone())
        });
        Self {
            reviews: Family::default(),
            review_duration,
            durations,
            findings: Family::default(),
            bad_requests: Family::default(),
            connections: Family::default(),
            connections_evicted: Family::default(),
            panics: Counter::default(),
            sent_notifications: Counter::default(),
            undelivered_notifications: Counter::default(),
            dropped_log_lines: Counter::default(),
            garden_reloads: Reloads::default(),
            garden_last_reload: Gauge::default(),
            config_reloads: Reloads::default(),
            policies: PolicyNumbers::default(),
            policy_reloads: Reloads::default(),
            certificate_reloads: Reloads::default(),
            certificate_not_after: Gauge::default(),
            certificate_keeping: KeeperNumbers::default(),
            tls_handshake_failures: Counter::default(),
            missing_rights: Gauge::default(),
            audit: AuditNumbers::default(),
            forecast: ForecastNumbers::default(),
        }
    }
}

impl Metrics {
    pub(super) fn reviewed(
        &self,
        entry_point: EntryPoint,
        request: &Request<'_>,
        review: &Review,
        took: Duration,
    ) {
        self.reviews
            .get_or_create(&ReviewLabels {
                endpoint: label(entry_point),
                kind: kind(request),
                operation: request.operation.as_str(),
                decision: review.decision().as_str(),
            })
            .inc();
        let durations = self.durations.iter();
        for (_, duration) in durations.filter(|(its, _)| *its == entry_point) {
            duration.observe(took.as_secs_f64());
        }
        let found = review.findings.iter().map(|finding| (finding.rule, finding.weight()));
        let silenced = review
            .silenced
            .iter()
            .flat_map(|it| &it.findings)
            .map(|finding| (finding.rule, "silenced"));
        let undetermined = review.undetermined.iter().map(|it| (it.rule, "undetermined"));
        for (rule, level) in found.chain(silenced).chain(undetermined) {
            self.findings.get_or_create(&FindingLabels { rule, level }).inc();
        }
    }

    pub(super) fn bad_request(&self, reason: &'static str) {
        self.bad_requests.get_or_create(&ReasonLabels { reason }).inc();
    }

    /// Returns the metrics of a port: open and evicted connections.
    pub(super) fn connections(&self, port: &'static str) -> (Gauge, Counter) {
        let labels = PortLabels { port };
        let count = self.connections.get_or_create(&labels).clone();
        let evicted = self.connections_evicted.get_or_create(&labels).clone();
        (count, evicted)
    }

    pub(super) fn garden_loaded(&self) {
        self.garden_last_reload.set(Timestamp::now().as_second());
    }

    /// Registers all metrics.
    pub(super) fn register(&self, registry: &mut Registry) {
        self.register_failures(registry);
        self.policies.register(registry);
        self.register_requests(registry);
        self.register_garden(registry);
    }

    /// Registers the counters of failures, and whether the last reloads failed.
    fn register_failures(&self, registry: &mut Registry) {
        let counters = [
            (
                "garden_reload_failures",
                "Changed gardens that could not be loaded; the last valid one is used",
                &self.garden_reloads.failures,
            ),
            (
                "config_reload_failures",
                "Changed configurations that could not be loaded; the last valid one is used",
                &self.config_reloads.failures,
            ),
            (
                "policy_reload_failures",
                "Changed policies that could not be loaded; the last valid ones are used",
                &self.policy_reloads.failures,
            ),
            (
                "certificate_reload_failures",
                "Changed certificates that could not be loaded; the last valid one is used",
                &self.certificate_reloads.failures,
            ),
            (
                "certificate_keeping_failures",
                "Failed checks of the certificate Secret and the webhook configurations; failed checks are retried",
                &self.certificate_keeping.failures,
            ),
            (
                "tls_handshake_failures",
                "Connections that failed during the TLS handshake",
                &self.tls_handshake_failures,
            ),
            ("panics", "Requests in which a rule panicked", &self.panics),
            (
                "notifications_undelivered",
                "Messages to the owners of Projects that were not delivered; the next forecast tries them again",
                &self.undelivered_notifications,
            ),
            (
                "log_lines_dropped",
                "Log lines dropped because standard error did not accept them",
                &self.dropped_log_lines,
            ),
        ];
        registry.register(
            "notifications_sent",
            "Messages to the owners of Projects that were delivered",
            self.sent_notifications.clone(),
        );
        for (name, help, counter) in counters {
            registry.register(name, help, counter.clone());
        }
        let reloads = [
            ("garden_reload_failing", &self.garden_reloads),
            ("config_reload_failing", &self.config_reloads),
            ("policy_reload_failing", &self.policy_reloads),
            ("certificate_reload_failing", &self.certificate_reloads),
        ];
        for (name, reloads) in reloads {
            let help =
                "1 while the changed files cannot be loaded and the last valid state is used";
            registry.register(name, help, reloads.failing.clone());
        }
    }

    /// Registers the metrics of requests and connections.
    fn register_requests(&self, registry: &mut Registry) {
        registry.register("reviews", "Verdicts returned", self.reviews.clone());
        registry.register(
            "review_duration_seconds",
            "Time from complete request headers to the verdict, including the body",
            self.review_duration.clone(),
        );
        registry.register(
            "findings",
            "Findings by level; `would_deny` if the configuration lowered the level from `deny`, `silenced` if the object silences the finding, `undetermined` if the rule could not be evaluated",
            self.findings.clone(),
        );
        registry.register("bad_requests", "Requests without a verdict", self.bad_requests.clone());
        registry.register("connections", "Open connections", self.connections.clone());
        registry.register(
            "connections_evicted",
            "Connections closed because the connection limit was reached",
            self.connections_evicted.clone(),
        );
    }

    /// Registers the metrics of the garden and of the certificate.
    fn register_garden(&self, registry: &mut Registry) {
        registry.register(
            "garden_last_reload_success_timestamp_seconds",
            "Unix timestamp at which the current garden was loaded",
            self.garden_last_reload.clone(),
        );
        registry.register(
            "certificate_not_after_seconds",
            "Unix timestamp at which the serving certificate expires",
            self.certificate_not_after.clone(),
        );
        registry.register(
            "missing_rights",
            "Missing permissions that the enabled rules and the certificate require",
            self.missing_rights.clone(),
        );
    }
}

/// Returns the label of an entry point in metrics and logs.
pub(super) fn label(entry_point: EntryPoint) -> &'static str {
    match entry_point {
        EntryPoint::Mutate => "mutate",
        EntryPoint::Validate => "validate",
        EntryPoint::Review => "review",
        EntryPoint::Audit => "audit",
    }
}

/// Returns the kind label of a request.
/// Its values are bounded, regardless of the client.
pub(super) fn kind(request: &Request<'_>) -> &'static str {
    request.kind().map_or("other", Kind::as_str)
}
