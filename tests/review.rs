//! `garden-gate review`, the built program.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should fail")]

use std::io::Write as _;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

const ENGINE: &str = "examples/shoot-cluster/policy-engine.yaml";
const CLEAN: &str = "examples/shoot-cluster/policy-engine-clean.yaml";

/// Runs it with these arguments; `-` among them reads `input`.
fn review(arguments: &[&str], input: &str) -> (Option<i32>, String, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_garden-gate"))
        .arg("review")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(input.as_bytes())
        .unwrap();
    let Output {
        status,
        stdout,
        stderr,
    } = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (status.code(), text(stdout), text(stderr))
}

fn json_of(arguments: &[&str], input: &str) -> Value {
    let (_, out, _) = review(&[&["--format", "json"], arguments].concat(), input);
    serde_json::from_str(&out).unwrap()
}

#[test]
fn fixed_manifests_go_to_standard_output_and_everything_else_to_standard_error() {
    let (code, out, err) = review(&["--fix", ENGINE], "");
    assert_eq!(code, Some(0));
    insta::assert_snapshot!("fix_stdout", out);
    insta::assert_snapshot!("fix_stderr", err);
}

#[test]
fn there_is_nothing_to_say_about_what_was_fixed() {
    let (_, fixed, _) = review(&["--fix", ENGINE], "");
    let again = json_of(&["--fix", "-"], &fixed);
    let reviews = again["reviews"].as_array().unwrap();
    assert_eq!(reviews.len(), 2);
    for review in reviews {
        assert_eq!(review["findings"], json!([]), "{review}");
        assert!(review.get("fix").is_none(), "{review}");
    }
}

#[test]
fn what_needs_no_fix_is_not_printed() {
    let (code, out, err) = review(&["--fix", CLEAN], "");
    assert_eq!((code, out.as_str()), (Some(0), ""));
    assert!(
        err.ends_with("1 allowed, 0 denied, 0 could not be judged\n"),
        "{err}"
    );
}

#[test]
fn without_the_flag_nothing_is_fixed() {
    let plain = json_of(&[ENGINE], "");
    assert!(plain["reviews"][0].get("fix").is_none());
    let (_, out, err) = review(&[ENGINE], "");
    assert!(!out.contains("+++") && err.is_empty(), "{out}{err}");
}

#[test]
fn json_holds_manifest_and_diff_of_each_object() {
    let mut configuration = json!({
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": "MutatingWebhookConfiguration",
        "metadata": {"name": "c"},
        "webhooks": [{"name": "slow", "failurePolicy": "Ignore", "timeoutSeconds": 30}],
    });
    let list = json!({"kind": "List", "apiVersion": "v1", "items": [configuration]}).to_string();
    let request = json!({
        "uid": "u", "operation": "UPDATE", "name": "c",
        "kind": {"kind": "MutatingWebhookConfiguration"},
        "resource": {"group": "admissionregistration.k8s.io", "version": "v1", "resource": "mutatingwebhookconfigurations"},
        "object": configuration, "oldObject": configuration,
    });
    let asked =
        json!({"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": request});
    configuration["webhooks"][0]["timeoutSeconds"] = json!(15);
    for input in [list, asked.to_string()] {
        let fix = &json_of(&["--fix", "-"], &input)["reviews"][0]["fix"];
        assert_eq!(fix["manifest"], configuration);
        let diff = fix["diff"].as_str().unwrap();
        assert!(
            diff.ends_with("-  timeoutSeconds: 30\n+  timeoutSeconds: 15\n"),
            "{diff}"
        );
    }
}

#[test]
fn what_remediation_leaves_alone_is_left_alone() {
    let excluded = "
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata:
  name: c
  labels: { remediation.webhook.shoot.gardener.cloud/exclude: 'true' }
webhooks: [{ name: slow, timeoutSeconds: 30 }]
";
    let pod =
        "{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: n}, spec: {containers: []}}";
    let (_, out, err) = review(&["--fix", "-"], &format!("{excluded}---\n{pod}\n"));
    assert_eq!(out, "");
    assert!(!err.contains("+++"), "{err}");
}
