// SPDX-License-Identifier: Apache-2.0
use std::time::Duration;

use jiff::Timestamp;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;

/// The metrics of the runs of background work.
#[derive(Clone, Debug, Default)]
pub(crate) struct RunNumbers {
    last_success: Gauge,
    seconds: Gauge,
    failures: Counter,
}

impl RunNumbers {
    /// Updates the metrics with a successful run and its duration.
    pub(crate) fn succeeded(&self, took: Duration) {
        self.last_success.set(Timestamp::now().as_second());
        self.seconds.set(i64::try_from(took.as_secs()).unwrap_or(i64::MAX));
    }

    /// Increments the number of failed runs.
    pub(crate) fn failed(&self) {
        self.failures.inc();
    }

    /// Registers the metrics under the name of the work, such as `audit`.
    pub(crate) fn register(&self, work: &str, registry: &mut Registry) {
        registry.register(
            format!("{work}_last_success_timestamp_seconds"),
            format!("Unix timestamp of the end of the last {work}"),
            self.last_success.clone(),
        );
        registry.register(
            format!("{work}_duration_seconds"),
            format!("Duration of the last {work}, including pauses"),
            self.seconds.clone(),
        );
        registry.register(
            format!("{work}_failures"),
            format!("Failed {work}s; the results of the last successful {work} are kept"),
            self.failures.clone(),
        );
    }
}
