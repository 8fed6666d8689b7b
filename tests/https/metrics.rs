//! Alerts, dashboard and documentation refer to existing metrics.

use std::collections::BTreeSet;
use std::fs;

use serde_json::{Value, json};

use crate::common::reviews::{PROJECT, review, shoot};
use crate::common::{Gate, GateArgs, eventually};

/// Metrics of a live garden only.
///
/// Tests with a real API server check that they exist, and compare them with the documentation.
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
    names
        .map(|name| name.trim_end_matches("_bucket").to_owned())
        .collect()
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
    let counts = metrics.lines().filter(buckets);
    let counts = counts.map(|line| line.rsplit_once(' ').unwrap().1.parse::<u32>().unwrap());
    assert_eq!(counts.sum::<u32>(), 1, "{metrics}");
}

#[tokio::test]
async fn whatever_is_watched_exists() {
    let class = "apiVersion: core.gardener.cloud/v1beta1\nkind: ExposureClass\nmetadata: {name: unused}\nhandler: unused\n";
    let args = GateArgs::new().garden("dev.yaml", PROJECT);
    let args = args.garden("class.yaml", class);
    let gate = Gate::start(&args.flag("--audit-every", "1s"));
    // Metrics with labels appear with their first value.
    let denied = shoot(&json!([{"key": "x"}]));
    let denied = review("CREATE", "shoots", &denied, &Value::Null);
    assert_eq!(gate.post("/validate", &denied).await.0, 200);
    assert_eq!(gate.post("/validate", &json!({})).await.0, 400);
    // So do those of an audit.
    let audited = "garden_gate_audit_findings{";
    eventually("an audit", async || gate.metrics().await.contains(audited)).await;
    let metrics = gate.metrics().await;
    let declared = metrics
        .lines()
        .filter_map(|line| line.strip_prefix("# TYPE "));
    let declared: BTreeSet<&str> = declared
        .filter_map(|line| line.split_once(' '))
        .map(|(name, _)| name)
        .collect();
    for file in [
        "charts/garden-gate/files/alerts.yaml",
        "charts/garden-gate/files/dashboard.json",
        "docs/reference/metrics.md",
    ] {
        let names = names(&fs::read_to_string(file).unwrap());
        assert!(names.len() > 5, "{file}: {names:?}");
        for name in names {
            let base = name.trim_end_matches("_total");
            let exists = declared.contains(name.as_str()) || declared.contains(base);
            let live = OF_A_LIVE_GARDEN.contains(&name.as_str());
            assert!(exists || live, "{file}: {name} is not in {declared:?}");
        }
    }
    let documented = names(&fs::read_to_string("docs/reference/metrics.md").unwrap());
    let is_documented =
        |name: &&str| documented.contains(*name) || documented.contains(&format!("{name}_total"));
    let others: Vec<&str> = declared
        .into_iter()
        .filter(|it| !is_documented(it))
        .collect();
    assert_eq!(
        others, [""; 0],
        "these are not in docs/reference/metrics.md"
    );
}
