// SPDX-License-Identifier: Apache-2.0
//! Tests of `garden-gate review` with the built program.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should fail")]

use std::io::Write as _;
use std::process::Stdio;

use crate::command::{garden_gate, printed};
use serde_json::{Value, json};

const ENGINE: &str = "examples/shoot-cluster/policy-engine.yaml";
const CLEAN: &str = "examples/shoot-cluster/policy-engine-clean.yaml";

/// Runs the command with these arguments; `-` among them reads `input`.
fn review(arguments: &[&str], input: &str) -> (Option<i32>, String, String) {
    let mut child = garden_gate(&["review"])
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    printed(child.wait_with_output().unwrap())
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
        err.ends_with("0 denied, 0 undetermined, 1 allowed; 0 warnings in 1 object of 1 file\n"),
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
        assert!(diff.ends_with("-  timeoutSeconds: 30\n+  timeoutSeconds: 15\n"), "{diff}");
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

/// Returns the lines, columns and ids of findings about the only object, and the exit code.
fn places(text: &str) -> (Option<i32>, Vec<(u64, u64, String)>) {
    let (code, out, _) = review(&["--format", "json", "-"], text);
    let report: Value = serde_json::from_str(&out).unwrap();
    let findings = report["reviews"][0]["findings"].as_array().unwrap();
    let number = |finding: &Value, name: &str| finding[name].as_u64().unwrap();
    let place = |finding: &Value| {
        let id = finding["finding"].as_str().unwrap().to_owned();
        (number(finding, "line"), number(finding, "column"), id)
    };
    (code, findings.iter().map(place).collect())
}

#[test]
fn names_and_values_are_shown_at_their_positions() {
    let text = "\
apiVersion: core.gardener.cloud/v1beta
kind: Quota
metadata:
  name: a
  name: b
  namespace: garden-a
spec:
  scope: {kind: Project, apiVersion: core.gardener.cloud/v1beta1}
  metrics: {cpu: yes}
  limit: 1
";
    let expected = [
        (1, 13, "object/unknown-kind"),
        (5, 3, "object/repeated-field"),
        (10, 3, "object/unknown-field"),
        (9, 18, "object/wrong-type"),
    ]
    .map(|(line, column, id)| (line, column, id.to_owned()));
    assert_eq!(places(text), (Some(1), expected.to_vec()));
}

#[test]
fn keys_that_repeat_in_objects_of_no_concern_do_not_end_a_review() {
    let secret = "apiVersion: v1\nkind: Secret\ndata: {a: b, a: c}\n---\n";
    let class = "apiVersion: core.gardener.cloud/v1beta1\nkind: ExposureClass\nmetadata: {name: a}\nhandler: b\n";
    let (code, out, _) = review(&["-"], &format!("{secret}{class}"));
    assert_eq!(code, Some(0), "{out}");
    assert!(out.contains("\n0 denied, 0 undetermined, 1 allowed"), "{out}");
}

#[test]
fn a_kind_that_no_group_of_gardener_has_is_not_passed_over() {
    let text = "apiVersion: core.gardener.cloud/v1beta1\nkind: Shooting\n";
    let (code, out, _) = review(&["-"], text);
    assert_eq!(code, Some(4));
    assert!(out.contains("`core.gardener.cloud/v1beta1` has no kind `Shooting`"), "{out}");
}

/// Returns an AdmissionReview about a Quota; both objects have an unknown field.
fn quota_review(operation: &str, object: bool, old_object: bool) -> String {
    let quota = |name: &str| json!({"apiVersion": "core.gardener.cloud/v1beta1", "kind": "Quota", "metadata": {"name": "q"}, "spec": {"scope": {"apiVersion": "v1", "kind": "Secret"}}, name: 1});
    let request = json!({
        "uid": "1",
        "resource": {"group": "core.gardener.cloud", "version": "v1beta1", "resource": "quotas"},
        "name": "q",
        "namespace": "n",
        "operation": operation,
        "object": object.then(|| quota("new")),
        "oldObject": old_object.then(|| quota("stored")),
    });
    json!({"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": request})
        .to_string()
}

#[test]
fn only_what_is_sent_is_read_strictly() {
    let (code, found) = places(&quota_review("UPDATE", true, true));
    assert_eq!((code, found.len()), (Some(1), 1), "{found:?}");
    let (code, found) = places(&quota_review("DELETE", false, true));
    assert_eq!((code, found.len()), (Some(0), 0), "{found:?}");
}

/// A Shoot with an unknown CloudProfile, so that two of its fields are not judged.
const WITHOUT_A_GARDEN: &str = r"
apiVersion: core.gardener.cloud/v1beta1
kind: Shoot
metadata: {name: web, namespace: garden-dev}
spec:
  cloudProfile: {kind: CloudProfile, name: nimbus}
  kubernetes: {version: 1.33.1}
";

#[test]
fn what_leaves_several_fields_open_is_said_once() {
    let cause = "cannot tell what CloudProfile `nimbus` offers";
    let open = json_of(&["-"], WITHOUT_A_GARDEN);
    let open = open["reviews"][0]["undetermined"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|it| it["message"].as_str().unwrap().contains(cause));
    assert_eq!(open.count(), 2, "every field has its own line for programs");
    let (_, text, _) = review(&["-"], WITHOUT_A_GARDEN);
    assert_eq!(text.matches(cause).count(), 1, "{text}");
    let says = "  = fields: spec.cloudProfile, spec.cloudProfile.name\n  \
                = rules: shoot/kubernetes-version-unsupported, shoot/profile-missing\n";
    assert!(text.contains(says), "{text}");
    let (_, markdown, _) = review(&["-", "--format", "markdown"], WITHOUT_A_GARDEN);
    assert_eq!(markdown.matches(cause).count(), 1, "{markdown}");
    let says = ", fields `spec.cloudProfile`, `spec.cloudProfile.name`: ";
    assert!(markdown.contains(says), "{markdown}");
}
