// SPDX-License-Identifier: Apache-2.0
//! `serve --audit-every`: the state of the garden in metrics.

use std::fs;

use serde_json::{Value, json};

use crate::common::reviews::{review, shoot};
use crate::common::{Gate, GateArgs, eventually, garden_gate};

fn args() -> GateArgs {
    let files = ["landscape.yaml", "projects.yaml", "shoots.yaml"];
    files.iter().fold(GateArgs::new(), |args, file| args.garden(file, &example(file)))
}

fn example(file: &str) -> String {
    fs::read_to_string(format!("examples/audit/{file}")).unwrap()
}

const IMPOSSIBLE: &str =
    r#"audit_findings{rule="audit/hibernation-impossible",level="warn",kind="Shoot"}"#;

#[tokio::test]
async fn what_an_audit_finds_is_a_metric_until_it_is_put_right() {
    let gate = Gate::start(&args().flag("--audit-every", "1s"));
    eventually("an audit", async || gate.metric(IMPOSSIBLE).await == 1.0).await;
    assert_eq!(gate.metric(r#"audit_objects{kind="Shoot"}"#).await, 4.0);
    let stands = async |how: &str| {
        let name = format!("audit_results{{result=\"{how}\"}}");
        gate.metric(&name).await
    };
    assert!(stands("denied").await >= 1.0);
    assert!(stands("clean").await >= 1.0);
    assert_eq!(stands("undetermined").await, 0.0);
    assert!(gate.metric("audit_last_success_timestamp_seconds").await > 0.0);
    assert_eq!(gate.metric("audit_failures_total").await, 0.0);
    // Requests are judged meanwhile, and audits do not count as requests.
    let request = review("CREATE", "shoots", &shoot(&json!([])), &Value::Null);
    assert_eq!(gate.post("/validate", &request).await.0, 200);
    assert!(!gate.metrics().await.contains(r#"endpoint="audit""#));
    let shoots = example("shoots.yaml").replace("status: \"False\"", "status: \"True\"");
    gate.write("garden/shoots.yaml", &shoots);
    eventually("what was put right is 0", async || gate.metric(IMPOSSIBLE).await == 0.0).await;
    assert!(gate.metrics().await.contains(IMPOSSIBLE), "it is still told");
}

#[tokio::test]
async fn audit_metrics_are_absent_without_the_flag() {
    let gate = Gate::start(&args());
    assert!(!gate.metrics().await.contains("garden_gate_audit_"));
}

#[test]
fn audits_require_a_garden_and_an_interval() {
    for (arguments, says) in [
        (&["--no-garden", "--audit-every", "1h"][..], "cannot be used with"),
        (&["--audit-every", "0s"], "it is shorter than 1s"),
        (&["--audit-every", "often"], "often"),
    ] {
        let output = garden_gate(&[&["serve"], arguments].concat());
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{err}");
        assert!(err.contains(says), "{err}");
    }
}
