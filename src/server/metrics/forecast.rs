// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use arc_swap::ArcSwap;
use jiff::Timestamp;
use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric};
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::gauge::ConstGauge;
use prometheus_client::registry::Registry;

use super::forecast_totals::Totals;
use crate::server::metrics::background::RunNumbers;

/// Maximum number of series per metric, so that Projects cannot exceed the capacity of a monitoring system.
const SERIES: usize = 1_000;

/// The metrics of the last forecast.
#[derive(Clone, Debug, Default)]
pub(crate) struct ForecastNumbers {
    current: Arc<ArcSwap<Exported>>,
    runs: RunNumbers,
}

/// The values with labels, of which a scrape gets all or none.
#[derive(Debug, Default)]
struct Exported {
    results: [(&'static str, i64); 2],
    /// The next forced update by Project.
    forced: BTreeMap<String, i64>,
    /// Number of blocked updates, and the next forced one of them, by Project and finding.
    blocked: BTreeMap<(String, &'static str), (i64, Option<i64>)>,
    omitted: i64,
}

impl Exported {
    /// Selects the Projects with the earliest forced updates, if there are too many.
    fn new(totals: Totals, series: usize) -> Self {
        let mut forced: Vec<_> = totals.forced.into_iter().collect();
        forced.sort_by_key(|(_, at)| *at);
        let mut blocked: Vec<_> = totals.blocked.into_iter().collect();
        blocked.sort_by_key(|(_, it)| it.forced.unwrap_or(Timestamp::MAX));
        let omitted = [forced.len(), blocked.len()].map(|it| it.saturating_sub(series));
        forced.truncate(series);
        blocked.truncate(series);
        let second = Timestamp::as_second;
        Self {
            results: [("forecast", number(totals.shoots)), ("unknown", number(totals.unknown))],
            forced: forced.into_iter().map(|(project, at)| (project, second(at))).collect(),
            blocked: blocked
                .into_iter()
                .map(|(key, it)| {
                    let value = (number(it.updates), it.forced.map(second));
                    (key, value)
                })
                .collect(),
            omitted: number(omitted.into_iter().sum()),
        }
    }
}

impl ForecastNumbers {
    /// Updates the metrics with a forecast and its duration.
    pub(crate) fn record(&self, totals: Totals, took: Duration) {
        let exported = Exported::new(totals, SERIES);
        self.current.store(Arc::new(exported));
        self.runs.succeeded(took);
    }

    /// Increments the number of failed forecasts.
    pub(crate) fn failed(&self) {
        self.runs.failed();
    }

    /// Registers the metrics; only called if forecasts are enabled.
    pub(crate) fn register(&self, registry: &mut Registry) {
        self.runs.register("forecast", registry);
        registry.register_collector(Box::new(self.clone()));
    }
}

impl Collector for ForecastNumbers {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> Result<(), fmt::Error> {
        let current = self.current.load();
        let mut family = |name, help, series: &mut dyn Iterator<Item = (Labels<'_>, i64)>| {
            let gauge = MetricType::Gauge;
            let mut family = encoder.encode_descriptor(name, help, None, gauge)?;
            for (labels, value) in series {
                ConstGauge::new(value).encode(family.encode_family(&labels.as_slice())?)?;
            }
            Ok(())
        };
        let results = current.results.iter().filter(|(result, _)| !result.is_empty());
        family(
            "forecast_shoots",
            "Shoots in the last forecast; `unknown` if no forecast was possible",
            &mut results.map(|(result, count)| (vec![("result", *result)], *count)),
        )?;
        let forced = current.forced.iter();
        family(
            "forecast_next_forced_update_timestamp_seconds",
            "Unix timestamp of the next forced update of a Project within 90 days, blocked or not; the 1,000 earliest ones",
            &mut forced.map(|(project, at)| (vec![("project", project.as_str())], *at)),
        )?;
        let blocked = current.blocked.iter();
        family(
            "forecast_blocked_updates",
            "Updates of a Project within 90 days that a rule blocks; 1,000 series, those with the earliest forced updates",
            &mut blocked.map(|(key, (updates, _))| (labels(key), *updates)),
        )?;
        let blocked =
            current.blocked.iter().filter_map(|(key, (_, forced))| Some((key, (*forced)?)));
        family(
            "forecast_next_blocked_forced_update_timestamp_seconds",
            "Unix timestamp of the next forced update of a Project that a rule blocks",
            &mut blocked.map(|(key, at)| (labels(key), at)),
        )?;
        let omitted = encoder.encode_descriptor(
            "forecast_omitted_series",
            "Series of Projects that are omitted because of the limit of 1,000",
            None,
            MetricType::Gauge,
        )?;
        ConstGauge::new(current.omitted).encode(omitted)
    }
}

type Labels<'a> = Vec<(&'static str, &'a str)>;

fn labels<'a>(key: &'a (String, &'static str)) -> Labels<'a> {
    let (project, rule) = key;
    vec![("project", project.as_str()), ("rule", *rule)]
}

fn number(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use prometheus_client::encoding::text::encode;
    use prometheus_client::registry::Registry;

    use super::super::forecast_totals::{Blocked, Totals};
    use super::{Exported, ForecastNumbers};

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    fn totals() -> Totals {
        let blocked = |second| Blocked { updates: 2, forced: Some(at(second)) };
        Totals {
            shoots: 3,
            unknown: 1,
            forced: [("a".to_owned(), at(30)), ("b".to_owned(), at(20))].into(),
            blocked: [(("a".to_owned(), "r"), blocked(30)), (("b".to_owned(), "r"), blocked(20))]
                .into(),
        }
    }

    #[test]
    fn series_of_later_updates_are_omitted_at_the_limit() {
        let exported = Exported::new(totals(), 1);
        let projects: Vec<&String> = exported.forced.keys().collect();
        assert_eq!(projects, ["b"]);
        let projects: Vec<&String> = exported.blocked.keys().map(|(project, _)| project).collect();
        assert_eq!(projects, ["b"]);
        assert_eq!(exported.omitted, 2);
    }

    #[test]
    fn projects_without_updates_disappear_with_the_next_forecast() {
        let numbers = ForecastNumbers::default();
        let mut registry = Registry::with_prefix("garden_gate");
        numbers.register(&mut registry);
        let scrape = || {
            let mut text = String::new();
            encode(&mut text, &registry).unwrap();
            text
        };
        numbers.record(totals(), std::time::Duration::ZERO);
        let blocked = "garden_gate_forecast_blocked_updates{project=\"a\",rule=\"r\"} 2\n";
        let text = scrape();
        assert!(text.contains(blocked), "{text}");
        assert!(text.contains("garden_gate_forecast_omitted_series 0\n"), "{text}");
        numbers.record(Totals::default(), std::time::Duration::ZERO);
        let text = scrape();
        assert!(!text.contains("project="), "{text}");
        assert!(text.contains("garden_gate_forecast_shoots{result=\"forecast\"} 0\n"), "{text}");
    }
}
