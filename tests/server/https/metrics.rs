// SPDX-License-Identifier: Apache-2.0
//! Alerts, dashboard and documentation refer to existing metrics.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fs;

use serde_json::{Value, json};

use crate::common::reviews::{PROJECT, review, shoot};
use crate::common::{Gate, GateArgs, eventually};

use super::forecasting::with_forced_updates;

const PAGE: &str = "docs/reference/metrics.md";

/// Metrics of a live garden only.
///
/// Tests with a real API server check that they exist, a test of the library that they are documented.
const OF_A_LIVE_GARDEN: [&str; 7] = [
    "garden_gate_garden_watch_events",
    "garden_gate_garden_watch_failures",
    "garden_gate_garden_watch_last_success_timestamp_seconds",
    "garden_gate_garden_watch_lists",
    "garden_gate_garden_watch_synced",
    "garden_gate_garden_watch_unreadable_objects",
    "garden_gate_garden_watch_withheld",
];

/// Returns the names of metrics in a text, without the suffixes of histograms.
fn names(text: &str) -> BTreeSet<String> {
    let words = text.split(|letter: char| !(letter.is_ascii_lowercase() || letter == '_'));
    let names = words.filter(|word| word.starts_with("garden_gate_"));
    names.map(|name| name.trim_end_matches("_bucket").to_owned()).collect()
}

/// Returns what follows `prefix` in the lines that begin with it.
fn lines<'a>(exposition: &'a str, prefix: &str) -> Vec<&'a str> {
    let lines = exposition.lines();
    lines.filter_map(|it| it.strip_prefix(prefix)).collect()
}

/// Returns a row for each metric: name, type, labels and help.
fn rows(exposition: &str) -> BTreeMap<String, String> {
    let types = lines(exposition, "# TYPE ");
    let types: BTreeMap<_, _> = types.iter().filter_map(|it| it.split_once(' ')).collect();
    let row = |line: &str| {
        let (metric, help) = line.split_once(' ').unwrap();
        let (suffix, sample) = match types[metric] {
            "counter" => ("_total", "_total{"),
            "histogram" => ("", "_bucket{"),
            _ => ("", "{"),
        };
        let samples = lines(exposition, &format!("{metric}{sample}"));
        let sample = samples.first().copied().unwrap_or_default();
        let labels = sample.split("=\"").filter_map(|it| it.rsplit([',', ' ']).next());
        let mut labels: Vec<String> = labels.map(|it| format!("`{it}`")).collect();
        // The last part is the value.
        labels.pop();
        labels.retain(|it| it != "`le`");
        let name = format!("{metric}{suffix}");
        let (kind, labels, help) = (types[metric], labels.join(", "), help.trim_end_matches('.'));
        let row = format!("| `{name}` | {kind} | {labels} | {help} |\n");
        (name, row)
    };
    lines(exposition, "# HELP ").into_iter().map(row).collect()
}

#[tokio::test]
async fn service_objective_has_its_metrics() {
    let gate = Gate::start(&GateArgs::new().garden("dev.yaml", PROJECT));
    let review = review("CREATE", "shoots", &shoot(&json!([])), &Value::Null);
    assert_eq!(gate.post("/validate", &review).await.0, 200);
    assert_eq!(gate.post("/validate", &json!({})).await.0, 400);
    let metrics = gate.metrics().await;
    for file in ["late", "unanswered"] {
        let path = format!("charts/garden-gate/files/{file}.promql");
        let query = fs::read_to_string(path).unwrap();
        let names = names(&query);
        assert!(!names.is_empty(), "{query}");
        for name in names {
            assert!(metrics.contains(&format!("\n{name}")), "{name}: {metrics}");
        }
    }
    let buckets = |line: &&str| line.contains("review_duration_seconds_bucket{le=\"0.05\"");
    let counts = metrics
        .lines()
        .filter(buckets)
        .map(|line| line.rsplit_once(' ').unwrap().1.parse::<u32>().unwrap());
    assert_eq!(counts.sum::<u32>(), 1, "{metrics}");
}

#[tokio::test]
async fn watched_metrics_exist() {
    let class = "apiVersion: core.gardener.cloud/v1beta1\nkind: ExposureClass\nmetadata: {name: unused}\nhandler: unused\n";
    let args = GateArgs::new().garden("dev.yaml", PROJECT).garden("class.yaml", class);
    let args = with_forced_updates(args).flag("--forecast-every", "1m");
    let policies = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/policies/naming/policy.yaml");
    let args = args.flag("--policies", policies).flag("--record", "{dir}/records");
    let gate = Gate::start(&args.flag("--audit-every", "1s"));
    // Metrics with labels appear with their first value.
    let denied = shoot(&json!([{"key": "x"}]));
    let denied = review("CREATE", "shoots", &denied, &Value::Null);
    assert_eq!(gate.post("/validate", &denied).await.0, 200);
    assert_eq!(gate.post("/validate", &json!({})).await.0, 400);
    let recorded = "garden_gate_recorded_requests_total{";
    eventually("a record", async || gate.metrics().await.contains(recorded)).await;
    // So do those of an audit.
    let audited = "garden_gate_audit_findings{";
    eventually("an audit", async || gate.metrics().await.contains(audited)).await;
    let forecast = "garden_gate_forecast_next_blocked_forced_update_timestamp_seconds{";
    eventually("a forecast", async || gate.metrics().await.contains(forecast)).await;
    // A removed object is exported until the delay of removals.
    fs::remove_file(gate.path("garden/class.yaml")).unwrap();
    let vanished = "garden_gate_garden_vanished_objects{";
    eventually("a vanished object", async || gate.metrics().await.contains(vanished)).await;
    let metrics = gate.metrics().await;
    let declared = metrics.lines().filter_map(|line| line.strip_prefix("# TYPE "));
    let declared: BTreeSet<&str> =
        declared.filter_map(|line| line.split_once(' ')).map(|(name, _)| name).collect();
    for file in
        ["charts/garden-gate/files/alerts.yaml", "charts/garden-gate/files/dashboard.json", PAGE]
    {
        let names = names(&fs::read_to_string(file).unwrap());
        assert!(names.len() > 5, "{file}: {names:?}");
        for name in names {
            let base = name.trim_end_matches("_total");
            let exists = declared.contains(name.as_str()) || declared.contains(base);
            let live = OF_A_LIVE_GARDEN.contains(&name.as_str());
            assert!(exists || live, "{file}: {name} is not in {declared:?}");
        }
    }
    let page = fs::read_to_string(PAGE).unwrap();
    let start = "<!-- generated: metrics -->\n";
    let (before, rest) = page.split_once(start).unwrap();
    let (table, after) = rest.split_once("\n<!-- end -->").unwrap();
    let mut rows = rows(&metrics);
    for row in table.split_inclusive('\n') {
        let name = row.split('`').nth(1).unwrap_or_default();
        if OF_A_LIVE_GARDEN.contains(&name) {
            rows.insert(name.to_owned(), row.to_owned());
        }
    }
    let rows: String = rows.into_values().collect();
    let header = "| metric | type | labels | meaning |\n|---|---|---|---|\n";
    let current = format!("{before}{start}\n{header}{rows}\n<!-- end -->{after}");
    if env::var_os("UPDATE_DOCS").is_some() {
        fs::write(PAGE, &current).unwrap();
    }
    let page = fs::read_to_string(PAGE).unwrap();
    assert_eq!(page, current, "run `UPDATE_DOCS=1 cargo test --test server metrics`");
}
