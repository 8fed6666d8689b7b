// SPDX-License-Identifier: Apache-2.0
//! `serve --forecast-every`: the next maintenance of Shoots in metrics.

use std::fs;

use crate::common::{Gate, GateArgs, eventually, garden_gate};

/// Adds the garden of the examples, in which version 1.33.9 has expired.
pub(crate) fn with_forced_updates(args: GateArgs) -> GateArgs {
    let files = ["cloudprofile.yaml", "projects.yaml", "shoots.yaml"];
    files.iter().fold(args, |args, file| {
        let manifest = fs::read_to_string(format!("examples/forecast/{file}"))
            .unwrap()
            .replace("2027-01-15", "2020-01-15");
        args.garden(&format!("forecast-{file}"), &manifest)
    })
}

const CONSTRAINT: &str = "shoot/machine-image-kubelet-constraint";

#[tokio::test]
async fn forced_and_blocked_updates_are_metrics() {
    let args = with_forced_updates(GateArgs::new());
    let gate = Gate::start(&args.flag("--forecast-every", "1m"));
    let forecast = r#"forecast_shoots{result="forecast"}"#;
    eventually("a forecast", async || gate.metric(forecast).await > 0.0).await;
    let unknown = gate.metric(r#"forecast_shoots{result="unknown"}"#).await;
    assert_eq!(unknown, 1.0);
    let labels = format!("{{project=\"data\",rule=\"{CONSTRAINT}\"}}");
    let blocked = format!("forecast_blocked_updates{labels}");
    assert_eq!(gate.metric(&blocked).await, 1.0);
    let next = format!("forecast_next_blocked_forced_update_timestamp_seconds{labels}");
    let next = gate.metric(&next).await;
    let now = jiff::Timestamp::now().as_second() as f64;
    assert!((now - 3600.0..now + 2.0 * 86400.0).contains(&next), "{next} {now}");
    for project in ["data", "shop"] {
        let name =
            format!("forecast_next_forced_update_timestamp_seconds{{project=\"{project}\"}}");
        let forced = gate.metric(&name).await;
        assert!(forced > now - 3600.0, "{project}: {forced}");
    }
    assert_eq!(gate.metric("forecast_failures_total").await, 0.0);
    assert!(gate.metric("forecast_last_success_timestamp_seconds").await > 0.0);
}

#[tokio::test]
async fn metrics_of_forecasts_are_absent_without_the_flag() {
    let gate = Gate::start(&with_forced_updates(GateArgs::new()));
    assert!(!gate.metrics().await.contains("garden_gate_forecast_"));
}

#[test]
fn forecasts_need_a_garden_and_a_minute() {
    for (arguments, says) in [
        (&["--no-garden", "--forecast-every", "1h"][..], "cannot be used with"),
        (&["--forecast-every", "59s"], "it is shorter than 1m"),
    ] {
        let output = garden_gate(&[&["serve"], arguments].concat());
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{err}");
        assert!(err.contains(says), "{err}");
    }
}
