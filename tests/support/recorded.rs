// SPDX-License-Identifier: Apache-2.0
//! Recorded verdicts: families of cases, each with its garden; format in `tests/conformance/README.md`.

use std::fs::{self, File};
use std::path::Path;

use flate2::read::GzDecoder;
use garden_gate::garden::directory;
use garden_gate_core::config::{self, Config};
use garden_gate_core::garden::Snapshot;
use garden_gate_core::rules;
use serde_json::{Value, json};

/// Reads a family.
pub(crate) fn read(path: &Path) -> Value {
    let file = File::open(path).unwrap();
    serde_json::from_reader(GzDecoder::new(file)).unwrap()
}

/// Returns a recorded garden as a snapshot, and its configuration.
pub(crate) fn garden(recorded: &Value) -> (Snapshot, Config) {
    let folder = tempfile::tempdir().unwrap();
    let list = json!({"apiVersion": "v1", "kind": "List", "items": recorded["manifests"]});
    fs::write(folder.path().join("all.json"), list.to_string()).unwrap();
    let config = recorded["config"].to_string();
    let config = config::read("config", &config, &rules::known_ids()).unwrap();
    let garden = directory::load(folder.path()).unwrap();
    (garden.snapshot, config.config)
}

/// Converts a case to an AdmissionReview.
pub(crate) fn review(case: &Value) -> Value {
    let mut request = case["request"].clone();
    request["uid"] = case["id"].clone();
    json!({"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": request})
}
