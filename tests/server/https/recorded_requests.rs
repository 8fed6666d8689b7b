// SPDX-License-Identifier: Apache-2.0
//! Recorded AdmissionReviews of a real gardener-apiserver, sent to both endpoints with the garden of the examples.

use std::fs;
use std::path::Path;
use std::process::Command;

use rstest::rstest;
use serde_json::Value;

use crate::common::{Gate, GateArgs};

/// File, endpoint and review of every recorded request, in the order in which they were sent.
fn recorded() -> Vec<(String, String, Value)> {
    let mut files: Vec<_> =
        fs::read_dir("tests/requests").unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let read = |path: &Path| {
        let recorded: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        (name, recorded["path"].as_str().unwrap().to_owned(), recorded["review"].clone())
    };
    files.iter().map(|path| read(path)).collect()
}

/// Gardener accepted all of them after its own defaulting, so nothing is left to change.
#[rstest]
#[tokio::test]
async fn every_request_is_allowed_unchanged(#[values("webhook", "complete")] admission: &str) {
    let garden = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/garden");
    let args = GateArgs::new().garden_directory(&garden);
    let gate = Gate::start(&args.config(&format!("admission: {admission}")));
    let recorded = recorded();
    assert_eq!(recorded.len(), 17);
    for (name, path, review) in recorded {
        let (status, answer) = gate.post(&path, &review).await;
        assert_eq!(status, 200, "{name}: {answer}");
        let response = &answer["response"];
        assert_eq!(response["uid"], review["request"]["uid"], "{name}");
        assert_eq!(response["allowed"], true, "{name}: {response}");
        assert_eq!(response["patch"], Value::Null, "{name}: {response}");
    }
}

/// Gardener's API server called the mutating webhook, and then refused the request by its own validation.
const REFUSED_LATER: &str = "013-mutate-update-shoots.json";

/// Fields that an API server sets after it has called the mutating webhook, and that `review` shows.
const FILLED_IN_LATER: [&str; 2] =
    ["/metadata/labels/name.seed.gardener.cloud~1", "/spec/kubernetes/verticalPodAutoscaler/"];

#[test]
fn review_gives_the_same_verdicts_offline() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_garden-gate"));
    command.args(["review", "--garden", "examples/garden", "--format", "json"]);
    for (name, _, review) in recorded() {
        let file = folder.path().join(name);
        fs::write(&file, review.to_string()).unwrap();
        command.arg(file);
    }
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    for (review, (name, ..)) in report["reviews"].as_array().unwrap().iter().zip(recorded()) {
        if name == REFUSED_LATER {
            assert_eq!(review["findings"][0]["finding"], "shoot/hibernation-constraint");
            continue;
        }
        assert_eq!(review["verdict"], "allowed", "{name}");
        for change in review["patch"].as_array().unwrap() {
            let path = change["path"].as_str().unwrap();
            let is_later = FILLED_IN_LATER.iter().any(|it| path.starts_with(it));
            assert!(change["op"] == "add" && is_later, "{name}: {change}");
        }
        let findings = review["findings"].as_array().unwrap();
        assert!(findings.iter().all(|finding| finding["level"] == "warn"), "{name}: {review}");
    }
}
