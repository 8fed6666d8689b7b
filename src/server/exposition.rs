// SPDX-License-Identifier: Apache-2.0
//! The `/metrics` endpoint: counters, and values that are computed from the state on each scrape.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use jiff::Timestamp;
use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric};
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::gauge::ConstGauge;
use prometheus_client::registry::Registry;

use super::state::State;
use crate::garden::live::{WatchState, WatchStatus};
use garden_gate_model::api::Kind;

/// Returns the registry for `/metrics`.
pub(super) fn registry(state: &Arc<State>) -> Registry {
    let mut registry = Registry::with_prefix("garden_gate");
    state.metrics.register(&mut registry);
    if state.is_audited {
        state.metrics.audit.register(&mut registry);
    }
    if state.is_forecast {
        state.metrics.forecast.register(&mut registry);
    }
    if let Some(recorder) = &state.recorder {
        recorder.numbers().register(&mut registry);
    }
    registry.register_collector(Box::new(AtScrape(Arc::clone(state))));
    registry
}

/// Collector that computes values from the state on each scrape, so that they are always current.
#[derive(Debug)]
struct AtScrape(Arc<State>);

impl Collector for AtScrape {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> Result<(), fmt::Error> {
        let objects = "Objects of the current garden";
        let mut objects =
            encoder.encode_descriptor("garden_objects", objects, None, MetricType::Gauge)?;
        for (kind, count) in by_name(self.0.garden.load().counts()) {
            let count = ConstGauge::new(i64::try_from(count).unwrap_or(i64::MAX));
            count.encode(objects.encode_family(&[("kind", kind)])?)?;
        }
        self.version(&mut encoder)?;
        self.vanished(&mut encoder)?;
        self.watches(&mut encoder)?;
        let help = "Seconds by which the local clock is ahead of the API server's, or of itself at the start before the first response";
        let ahead = "clock_ahead_seconds";
        let ahead = encoder.encode_descriptor(ahead, help, None, MetricType::Gauge)?;
        ConstGauge::new(self.0.clock.ahead().as_secs()).encode(ahead)?;
        let help = "1 if the replica is ready for requests";
        let ready = encoder.encode_descriptor("ready", help, None, MetricType::Gauge)?;
        ConstGauge::new(i64::from(self.0.complaint().is_none())).encode(ready)
    }
}

const VERSION: &str = "gardener_version_info";
const AHEAD: &str = "gardener_minors_ahead";
const AHEAD_HELP: &str = "Minor versions by which the Gardener of the garden, or the one set, is newer than the newest known one";
const VERSION_HELP: &str = "1, labelled with the version of Gardener by which objects are judged";

/// A number per watch: metric name, help and value.
type WatchNumber = (&'static str, &'static str, fn(&WatchStatus) -> u64);

const WATCH_NUMBERS: [WatchNumber; 7] = [
    (
        "garden_watch_synced",
        "1 while every object of the kind has been seen and the watch is not failing",
        |watch| u64::from(watch.state == WatchState::Synced && !watch.failing),
    ),
    (
        "garden_watch_last_success_timestamp_seconds",
        "Unix timestamp of the last list, event or bookmark; an idle watch gets one a minute",
        |watch| {
            let last = watch.last_success.map(Timestamp::as_second);
            last.and_then(|last| u64::try_from(last).ok()).unwrap_or(0)
        },
    ),
    (
        "garden_watch_withheld",
        "1 if the watch has been refused for so long that its objects count as unknown",
        |watch| u64::from(watch.withheld.is_some()),
    ),
    (
        "garden_watch_lists",
        "Complete lists; more than one means that the kind was listed again",
        |watch| watch.lists,
    ),
    ("garden_watch_events", "Watch events", |watch| watch.events),
    ("garden_watch_failures", "Failed lists and watches, which are retried", |watch| {
        watch.failures
    }),
    (
        "garden_watch_unreadable_objects",
        "Objects that cannot be decoded as their kind, and count as unknown",
        |watch| watch.unreadable,
    ),
];

/// Sorts by name, independent of the order of [`Kind`].
fn by_name<T>(by_kind: BTreeMap<Kind, T>) -> BTreeMap<&'static str, T> {
    let named = by_kind.into_iter();
    named.map(|(kind, of_kind)| (kind.as_str(), of_kind)).collect()
}

impl AtScrape {
    /// Encodes the version of Gardener by which objects are judged, and its distance from the newest known one.
    fn version(&self, encoder: &mut DescriptorEncoder<'_>) -> Result<(), fmt::Error> {
        let judged = self.0.config.load().judged_as();
        let version = judged.version.known().to_string();
        let labels = [("version", version.as_str()), ("source", judged.source.as_str())];
        let mut family =
            encoder.encode_descriptor(VERSION, VERSION_HELP, None, MetricType::Gauge)?;
        ConstGauge::new(1_i64).encode(family.encode_family(&labels)?)?;
        let ahead = encoder.encode_descriptor(AHEAD, AHEAD_HELP, None, MetricType::Gauge)?;
        ConstGauge::new(i64::from(self.0.minors_ahead())).encode(ahead)
    }

    /// Encodes the number of vanished objects, which exist only for a directory.
    fn vanished(&self, encoder: &mut DescriptorEncoder<'_>) -> Result<(), fmt::Error> {
        if self.0.live.is_some() {
            return Ok(());
        }
        let help = "Objects of the current garden that were removed from the files; they exist until their file is unchanged for --garden-removal-delay";
        let name = "garden_vanished_objects";
        let mut family = encoder.encode_descriptor(name, help, None, MetricType::Gauge)?;
        for (kind, vanished) in by_name(BTreeMap::clone(&self.0.vanished.load())) {
            let count = ConstGauge::new(i64::try_from(vanished.count).unwrap_or(i64::MAX));
            count.encode(family.encode_family(&[("kind", kind)])?)?;
        }
        Ok(())
    }

    fn watches(&self, encoder: &mut DescriptorEncoder<'_>) -> Result<(), fmt::Error> {
        let Some(live) = &self.0.live else {
            return Ok(());
        };
        let watches = by_name(live.watches());
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

#[cfg(test)]
mod tests {
    use super::WATCH_NUMBERS;

    #[test]
    fn every_number_of_a_watch_is_documented() {
        let page = include_str!("../../docs/reference/metrics.md");
        for (name, help, _) in WATCH_NUMBERS {
            let documented = format!("| `garden_gate_{name}` | gauge | `kind` | {help} |\n");
            assert!(page.contains(&documented), "{documented}");
        }
    }
}
