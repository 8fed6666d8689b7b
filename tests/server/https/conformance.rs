// SPDX-License-Identifier: Apache-2.0
//! Recorded verdicts of Gardener, compared with the server and `review`; format in `tests/conformance/README.md`.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::Path;
use std::process::Command;

use crate::common::{Gate, GateArgs};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use flate2::read::GzDecoder;
use rstest::rstest;
use serde_json::{Value, json};

#[rstest]
#[case("tolerations")]
#[case("project_whitelist")]
#[case("project_verbs")]
#[case("exposure_class")]
#[case("cloud_profile")]
#[case("namespaced_cloud_profile")]
#[case("update_strategy")]
#[case("seed_taints")]
#[case("seed_objects")]
#[case("shoot_kubernetes")]
#[case("shoot_image")]
#[case("hibernation")]
#[case("deletion")]
#[case("operations")]
#[tokio::test]
async fn agrees(#[case] family: &str) {
    let file = File::open(format!("tests/conformance/{family}.json.gz")).unwrap();
    let recorded: Value = serde_json::from_reader(GzDecoder::new(file)).unwrap();
    let mut failures = Vec::new();
    let gardens = recorded["gardens"].as_array().unwrap();
    assert!(!gardens.is_empty());
    for garden in gardens {
        failures.extend(put(garden).await);
    }
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
}

/// Sends all cases of one garden to a server and to `review`; returns the differences.
async fn put(garden: &Value) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let manifests = folder.path().join("garden");
    let config = folder.path().join("config.json");
    fs::create_dir(&manifests).unwrap();
    let list = json!({"apiVersion": "v1", "kind": "List", "items": garden["manifests"]});
    fs::write(manifests.join("all.json"), list.to_string()).unwrap();
    fs::write(&config, garden["config"].to_string()).unwrap();
    let cases = garden["cases"].as_array().unwrap();

    let offline = offline(folder.path(), &manifests, &config, cases);
    let gate = Gate::start(
        &GateArgs::new().garden_directory(&manifests).config(&garden["config"].to_string()),
    );
    let mut failures = Vec::new();
    for (case, offline) in cases.iter().zip(offline) {
        let mut problems = compare(&gate, case).await;
        if offline != case["expect"]["allowed"] {
            problems.push(format!("review says allowed = {offline}"));
        }
        let id = case["id"].as_str().unwrap();
        failures.extend(problems.into_iter().map(|problem| format!("{id}: {problem}")));
    }
    failures
}

fn review_of(case: &Value) -> Value {
    let mut request = case["request"].clone();
    request["uid"] = case["id"].clone();
    json!({"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": request})
}

/// Returns the verdicts of `garden-gate review`, in the order of the cases.
fn offline(folder: &Path, garden: &Path, config: &Path, cases: &[Value]) -> Vec<Value> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_garden-gate"));
    command
        .args(["review", "--format", "json", "--garden"])
        .arg(garden)
        .arg("--config")
        .arg(config);
    for (index, case) in cases.iter().enumerate() {
        let file = folder.join(format!("{index}.json"));
        fs::write(&file, review_of(case).to_string()).unwrap();
        command.arg(file);
    }
    let output = command.output().unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let reviews = report["reviews"].as_array().unwrap();
    assert_eq!(reviews.len(), cases.len());
    reviews.iter().map(|review| review["allowed"].clone()).collect()
}

async fn compare(gate: &Gate, case: &Value) -> Vec<String> {
    let expect = &case["expect"];
    let allowed = expect["allowed"].as_bool().unwrap();
    let review = review_of(case);
    let mut problems = judged(case, &ask(gate, "/validate", &review).await);

    let mutated = ask(gate, "/mutate", &review).await;
    if mutated["allowed"] == json!(false) {
        if allowed {
            problems.push(format!("/mutate refuses: {}", mutated["status"]["message"]));
        }
        return problems;
    }
    let mut patched = review;
    patch(&mut patched["request"]["object"], &mutated);
    if allowed {
        problems.extend(differences(&patched["request"]["object"], &expect["after"]));
    }
    let again = ask(gate, "/mutate", &patched).await;
    if again["patch"] != Value::Null {
        problems.push(format!("a second /mutate changes the object again: {again}"));
    }
    problems.extend(judged(case, &ask(gate, "/validate", &patched).await));
    problems
}

async fn ask(gate: &Gate, path: &str, review: &Value) -> Value {
    let (status, answer) = gate.post(path, review).await;
    assert_eq!(status, 200, "{answer}");
    assert_eq!(answer["response"]["uid"], review["request"]["uid"]);
    answer["response"].clone()
}

fn patch(object: &mut Value, response: &Value) {
    if let Some(patch) = response["patch"].as_str() {
        let patch: json_patch::Patch =
            serde_json::from_slice(&BASE64_STANDARD.decode(patch).unwrap()).unwrap();
        json_patch::patch(object, &patch).unwrap();
    }
}

/// Returns the errors in a verdict of `/validate`.
fn judged(case: &Value, response: &Value) -> Vec<String> {
    let expect = &case["expect"];
    if response["allowed"] != expect["allowed"] {
        return vec![format!("/validate answers {response}, expected {expect}")];
    }
    let findings = expect["findings"].as_array().unwrap();
    if findings.iter().any(|finding| finding["stage"] == "mutating") {
        return vec![];
    }
    let update = case["request"]["operation"] == "UPDATE";
    let key = |field: &Value, kind: &str| (place(field.as_str().unwrap(), update), kind.to_owned());
    let (unclear, clear): (Vec<&Value>, Vec<&Value>) =
        findings.iter().partition(|finding| is_unclear(finding));
    let (unplaced, placed): (Vec<&Value>, Vec<&Value>) =
        clear.into_iter().partition(|finding| finding["field"] == "");
    let wanted: BTreeSet<_> =
        placed.iter().map(|f| key(&f["field"], f["type"].as_str().unwrap())).collect();
    let causes = response["status"]["details"]["causes"].as_array().cloned().unwrap_or_default();
    let kind = |cause: &Value| cause["reason"].as_str().unwrap().replace("FieldValue", "");
    let found: BTreeSet<_> =
        causes.iter().map(|cause| key(&cause["field"], &kind(cause))).collect();
    let complete = !unclear.is_empty() || (wanted.len() < found.len()) != unplaced.is_empty();
    let agrees = wanted.is_subset(&found) && complete;
    if agrees { vec![] } else { vec![format!("/validate finds {found:?}, expected {findings:?}")] }
}

/// Reports whether Gardener failed instead of judging, in which case any clear denial is accepted.
fn is_unclear(finding: &Value) -> bool {
    let kind = finding["type"].as_str().unwrap();
    ["Internal", "Unknown", "BadRequest", "Panic"].contains(&kind)
}

/// Returns the field; without the index of a toleration in updates, since Gardener counts the changed ones only.
fn place(field: &str, update: bool) -> String {
    match field.strip_prefix("spec.tolerations[") {
        Some(rest) if update => format!("spec.tolerations{}", rest.split_once(']').unwrap().1),
        _ => field.to_owned(),
    }
}

/// Returns the differences between a mutated Shoot and the one that Gardener stores.
fn differences(shoot: &Value, after: &Value) -> Vec<String> {
    if after.is_null() {
        return vec![];
    }
    let spec = &shoot["spec"];
    let list = |value: &Value| {
        if value.is_null() { json!([]) } else { value.clone() }
    };
    let mut differences = Vec::new();
    if list(&spec["tolerations"]) != after["tolerations"] {
        differences.push(format!(
            "tolerations are {}, expected {}",
            spec["tolerations"], after["tolerations"]
        ));
    }
    if spec["seedSelector"] != after["seedSelector"] {
        differences.push(format!(
            "seedSelector is {}, expected {}",
            spec["seedSelector"], after["seedSelector"]
        ));
    }
    let version = &spec["kubernetes"]["version"];
    if *version != after["kubernetesVersion"] {
        let expected = &after["kubernetesVersion"];
        differences.push(format!("the version is {version}, expected {expected}"));
    }
    let pools = spec["provider"]["workers"].as_array().cloned();
    let pools: Value = pools.unwrap_or_default().iter().map(pool).collect();
    if pools != list(&after["workers"]) {
        differences.push(format!("pools are {pools}, expected {}", after["workers"]));
    }
    differences
}

/// Returns a worker pool in the format of the recording.
fn pool(pool: &Value) -> Value {
    let (machine, image) = (&pool["machine"], &pool["machine"]["image"]);
    let image =
        image.as_object().map(|image| json!({"name": image["name"], "version": image["version"]}));
    json!({
        "name": pool["name"],
        "kubernetesVersion": pool["kubernetes"]["version"],
        "image": image,
        "architecture": machine["architecture"],
    })
}
