// SPDX-License-Identifier: Apache-2.0
//! Lowered levels and exemptions are visible to the user, in the log, in metrics and in the audit log.

use serde_json::{Value, json};

use crate::common::reviews::{PROJECT, review, shoot};
use crate::common::{Gate, GateArgs};

const RULE: &str = "shoot/toleration-not-whitelisted";

fn denied() -> Value {
    let mut review = review("CREATE", "shoots", &shoot(&json!([{"key": "x"}])), &Value::Null);
    review["request"]["dryRun"] = json!(true);
    review
}

/// Returns a server with a JSON log and this configuration, the response to a denied Shoot, and its log line.
async fn told(config: &str) -> (Gate, Value, Value) {
    let args = GateArgs::new().garden("dev.yaml", PROJECT).config(config);
    let gate = Gate::start(&args.flag("--log-format", "json"));
    let (_, answer) = gate.post("/validate", &denied()).await;
    gate.logs("\"reviewed\"").await;
    let log = gate.log();
    let line = log.lines().find(|line| line.contains("\"reviewed\"")).unwrap();
    let line: Value = serde_json::from_str(line).unwrap();
    (gate, answer["response"].clone(), line)
}

async fn is_counted(gate: &Gate, metric: &str) {
    let count = gate.metric(metric).await;
    assert!((count - 1.0).abs() < f64::EPSILON, "{metric}: {count}");
}

fn reviews(decision: &str) -> String {
    format!(
        "reviews_total{{endpoint=\"validate\",kind=\"Shoot\",operation=\"CREATE\",decision=\"{decision}\"}}"
    )
}

#[tokio::test]
async fn a_refusal_names_who_and_what_and_which_field() {
    let (gate, answer, mut line) = told("profile: gardener").await;
    assert_eq!(answer["auditAnnotations"], json!({"decision": "denied", "deny": RULE}));
    for field in ["duration_us", "timestamp"] {
        assert!(!line[field].take().is_null(), "{field}");
    }
    let expected = json!({
        "timestamp": null, "level": "INFO", "message": "reviewed", "decision": "denied", "endpoint": "validate", "operation": "CREATE", "kind": "Shoot",
        "namespace": "garden-dev", "name": "crazy", "user": "alice", "groups": 1, "dry_run": true,
        "findings": format!("deny {RULE} spec.tolerations[0]"), "patch_operations": 0, "duration_us": null,
        "uid": "705ab4f5-6393-11e8-b7cc-42010a800002",
    });
    assert_eq!(line, expected);
    is_counted(&gate, &reviews("denied")).await;
    is_counted(&gate, &format!("findings_total{{rule=\"{RULE}\",level=\"deny\"}}")).await;
}

#[tokio::test]
async fn lowered_refusals_are_marked() {
    let (gate, answer, line) = told("{profile: gardener, rules: {\"*\": warn}}").await;
    assert_eq!(answer["allowed"], true);
    let warning = answer["warnings"][0].as_str().unwrap();
    assert!(warning.starts_with("would be refused: spec.tolerations[0]: "), "{warning}");
    let expected = json!({"decision": "would_deny", "would_deny": RULE});
    assert_eq!(answer["auditAnnotations"], expected);
    assert_eq!((&line["decision"], &line["user"]), (&json!("would_deny"), &json!("alice")));
    assert_eq!(line["findings"], format!("would_deny {RULE} spec.tolerations[0]"));
    is_counted(&gate, &reviews("would_deny")).await;
    is_counted(&gate, &format!("findings_total{{rule=\"{RULE}\",level=\"would_deny\"}}")).await;
}

#[tokio::test]
async fn exempt_requests_are_logged() {
    for (exempt, from) in [
        ("{users: [alice]}".to_owned(), "*"),
        (format!("{{rules: {{{RULE}: {{namespaces: [garden-dev]}}}}}}"), RULE),
    ] {
        let (gate, answer, line) = told(&format!("{{profile: gardener, exempt: {exempt}}}")).await;
        let expected = json!({"decision": "exempt", "exempt": from});
        assert_eq!(answer["auditAnnotations"], expected);
        assert_eq!((&line["decision"], &line["exempt"]), (&json!("exempt"), &json!(from)));
        is_counted(&gate, &reviews("exempt")).await;
    }
}
