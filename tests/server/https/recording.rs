// SPDX-License-Identifier: Apache-2.0
//! `serve --record`, and `replay` of its records.

use std::fs;
use std::path::{Path, PathBuf};

use rstest::rstest;
use serde_json::{Value, json};

use crate::common::reviews::{PROJECT, review, shoot};
use crate::common::{Gate, GateArgs, eventually, garden_gate};

/// Denies a finding that is a warning by default.
const STRICT: &str = "rules: {\"*\": off, advice/kubernetes-version-dropped: deny}";

fn args() -> GateArgs {
    // Rules would refuse the incomplete Shoot.
    let args = GateArgs::new().garden("dev.yaml", PROJECT).flag("--record", "{dir}/records");
    args.config("rules: {\"*\": off}")
}

fn request(uid: &str) -> Value {
    let mut review = review("CREATE", "shoots", &shoot(&json!([])), &Value::Null);
    review["request"]["uid"] = json!(uid);
    review["request"]["object"]["spec"]["kubernetes"] = json!({"version": "1.10.0"});
    review
}

fn records(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory.join("records")).unwrap();
    entries.map(|it| it.unwrap().path()).collect()
}

async fn written(gate: &Gate, count: f64) {
    let metric = "recorded_requests_total{result=\"written\"}";
    eventually("requests are recorded", async || gate.metric(metric).await == count).await;
}

/// Sends requests, and returns the directory of the server after they are recorded.
async fn recorded(gate: &Gate, count: u32) -> PathBuf {
    for index in 0..count {
        let (code, answer) = gate.post("/validate", &request(&index.to_string())).await;
        assert_eq!((code, &answer["response"]["allowed"]), (200, &json!(true)), "{answer}");
    }
    written(gate, f64::from(count)).await;
    gate.path("")
}

/// Runs `replay` on the records of a server.
fn replay(directory: &Path, arguments: &[&str]) -> (i32, String) {
    let at = |name: &str| directory.join(name).display().to_string();
    let (records, garden) = (at("records"), at("garden"));
    let mut all = vec!["replay", &records, "--garden", &garden, "--whole-garden"];
    all.extend(arguments);
    let output = garden_gate(&all);
    let text = String::from_utf8(output.stdout).unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    (output.status.code().unwrap(), format!("{text}{errors}"))
}

fn config(directory: &Path, name: &str, text: &str) -> String {
    let path = directory.join(name);
    fs::write(&path, text).unwrap();
    path.display().to_string()
}

#[tokio::test]
async fn requests_are_recorded_and_replayed() {
    let gate = Gate::start(&args());
    let directory = recorded(&gate, 3).await;
    let same = config(&directory, "same.yaml", "rules: {\"*\": off}");
    let (code, text) = replay(&directory, &["--config", &same]);
    assert_eq!(code, 0, "{text}");
    assert!(text.starts_with("3 recorded requests judged again: the same findings"), "{text}");

    let strict = config(&directory, "strict.yaml", STRICT);
    let (code, text) = replay(&directory, &["--config", &strict]);
    assert_eq!(code, 1, "{text}");
    assert!(text.starts_with("newly denied: 3 of 3 recorded requests"), "{text}");
    assert!(text.contains("3 requests for 1 object of Project dev"), "{text}");
    let (code, text) = replay(&directory, &["--config", &strict, "--old-config", &strict]);
    assert_eq!(code, 0, "{text}");
    let (code, text) = replay(&directory, &["--config", &strict, "--format", "json"]);
    assert_eq!(code, 1, "{text}");
    let json: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((&json["requests"], &json["newlyDenied"]), (&json!(3), &json!(3)));
    let (_, text) = replay(&directory, &["--config", &strict, "--format", "markdown"]);
    assert!(text.starts_with("### garden-gate replay: newly denied: 3 of 3"), "{text}");
}

#[tokio::test]
async fn policies_are_replayed() {
    let gate = Gate::start(&args());
    let directory = recorded(&gate, 1).await;
    let policy = "\
apiVersion: garden-gate.dev/v1alpha1
kind: GardenPolicy
metadata: {name: naming}
spec:
  level: deny
  matchConstraints:
    resourceRules:
    - {apiGroups: [core.gardener.cloud], apiVersions: [v1beta1], operations: [CREATE], resources: [shoots]}
  validations:
  - {expression: \"object.metadata.name == 'other'\", message: is not other}
";
    let policy = config(&directory, "policy.yaml", policy);
    let config = config(&directory, "off.yaml", "rules: {\"*\": off, \"policy/*\": deny}");
    let (code, text) = replay(&directory, &["--config", &config, "--policies", &policy]);
    assert_eq!(code, 1, "{text}");
    assert!(text.contains("policy/naming: 1 request"), "{text}");
}

#[tokio::test]
async fn records_have_no_tokens_and_no_other_kinds() {
    let gate = Gate::start(&args());
    let mut review = request("1");
    review["request"]["userInfo"]["extra"] = json!({"token": ["hidden"]});
    gate.post("/validate", &review).await;
    for (kind, resource) in [("Secret", "secrets"), ("ConfigMap", "configmaps")] {
        let mut other = request("2");
        let group = json!({"group": "", "version": "v1", "kind": kind});
        other["request"]["kind"] = group;
        other["request"]["resource"] = json!({"group": "", "version": "v1", "resource": resource});
        other["request"]["object"] = json!({
            "apiVersion": "v1", "kind": kind,
            "metadata": {"name": "a", "namespace": "garden-dev"}, "data": {"password": "aGlkZGVu"},
        });
        gate.post("/validate", &other).await;
    }
    gate.post("/mutate", &request("3")).await;
    gate.post("/validate", &request("4")).await;
    written(&gate, 2.0).await;
    let files = records(&gate.path(""));
    let text: String = files.iter().map(|it| fs::read_to_string(it).unwrap()).collect();
    assert_eq!(text.lines().count(), 2, "{text}");
    assert!(!text.contains("hidden") && !text.contains("aGlkZGVu"), "{text}");
}

#[tokio::test]
async fn large_requests_are_skipped() {
    let gate = Gate::start(&args());
    let mut large = request("1");
    large["request"]["object"]["metadata"]["annotations"] = json!({"a": "x".repeat(1 << 20)});
    gate.post("/validate", &large).await;
    let skipped = "recorded_requests_total{result=\"skipped\"}";
    assert_eq!(gate.metric(skipped).await, 1.0);
}

#[tokio::test]
async fn server_answers_if_the_directory_vanishes() {
    let gate = Gate::start(&args());
    recorded(&gate, 1).await;
    fs::remove_dir_all(gate.path("records")).unwrap();
    let (code, _) = gate.post("/validate", &request("2")).await;
    assert_eq!(code, 200);
    let failed = "recorded_requests_total{result=\"failed\"}";
    eventually("a failure is counted", async || gate.metric(failed).await >= 1.0).await;
    fs::create_dir(gate.path("records")).unwrap();
    let metric = "recorded_requests_total{result=\"written\"}";
    // After a failure, nothing is written for a while.
    eventually("requests are recorded again", async || {
        gate.post("/validate", &request("3")).await;
        gate.metric(metric).await > 1.0
    })
    .await;
}

#[rstest]
#[case::no_record("{", "EOF")]
#[case::other_format("{\"format\": 9}", "missing field")]
#[case::torn("{\"format\": 1", "EOF")]
#[case::escapes("\u{1b}[31m\u{7}", "expected value")]
fn lines_that_are_no_records_are_undetermined(#[case] line: &str, #[case] why: &str) {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("a.jsonl");
    fs::write(&file, line).unwrap();
    let output = garden_gate(&["replay", &file.display().to_string()]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(4), "{text}");
    assert!(text.contains("a.jsonl:1: ") && text.contains(why), "{text}");
    assert!(!text.contains('\u{1b}') && !text.contains('\u{7}'), "{text}");
}

/// Returns a line with a name of the object, and with ids of warnings that are gone.
fn line(name: &str, warned: &[String]) -> String {
    let mut review = request("1");
    review["request"]["name"] = json!(name);
    let verdict = json!({"warned": warned});
    let record = json!({
        "format": 1, "time": "2026-12-01T00:00:00Z", "gardenerVersion": "1.150",
        "verdict": verdict, "review": review,
    });
    format!("{record}\n")
}

#[rstest]
#[case::control_characters("a\u{1b}[31m\n::error::x")]
#[case::bidirectional("a\u{202e}b")]
#[case::markup("<img src=x> [a](http://b) | `c`\n# d")]
fn names_and_ids_are_escaped(#[case] hostile: &str) {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("a.jsonl");
    fs::write(&file, line(hostile, &[hostile.to_owned()])).unwrap();
    for format in ["text", "markdown", "json"] {
        let arguments = ["replay", "--no-config", "--format", format, &file.display().to_string()];
        let output = String::from_utf8(garden_gate(&arguments).stdout).unwrap();
        let is_raw = ["\u{1b}", "\u{202e}", "\n::", "\n# d"].iter().any(|it| output.contains(it));
        assert!(!is_raw && !output.is_empty(), "{output}");
        // An address is only in code, where nothing is a link.
        let is_link = output.contains("](http") && !output.contains("`[a](http://b`");
        assert!(format != "markdown" || !output.contains("<img") && !is_link, "{output}");
    }
}

#[test]
fn output_is_bounded() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("a.jsonl");
    let ids: Vec<String> = (0..2_000).map(|it| format!("shoot/{it}")).collect();
    let records: String = (0..20).map(|it| line(&format!("s{it}"), &ids)).collect();
    let long = "x".repeat(1 << 20);
    fs::write(&file, records + &line(&long, std::slice::from_ref(&long))).unwrap();
    for (format, most) in [("text", 30_000), ("markdown", 65_536)] {
        let arguments = ["replay", "--no-config", "--format", format, &file.display().to_string()];
        let output = String::from_utf8(garden_gate(&arguments).stdout).unwrap();
        assert!(output.len() < most && output.contains("more finding"), "{}", output.len());
    }
}

#[rstest]
#[case::nothing(&[], 3)]
#[case::missing(&["missing"], 2)]
#[case::bad_flag(&["--bogus"], 2)]
fn input_without_requests(#[case] arguments: &[&str], #[case] code: i32) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().display().to_string();
    let mut all = vec!["replay", &path];
    all.extend(arguments);
    assert_eq!(garden_gate(&all).status.code(), Some(code));
}

#[rstest]
#[case::file("a")]
#[case::below_a_file("a/records")]
fn unusable_directory_fails(#[case] name: &str) {
    let directory = tempfile::tempdir().unwrap();
    let garden = directory.path().join("garden");
    fs::create_dir(&garden).unwrap();
    fs::write(directory.path().join("a"), "").unwrap();
    let (garden, records) = (garden.display().to_string(), directory.path().join(name));
    let records = records.display().to_string();
    let arguments = ["serve", "--garden", &garden, "--listen", "127.0.0.1:0", "--record", &records];
    let output = garden_gate(&arguments);
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(error.contains("failed to record requests in"), "{error}");
}
