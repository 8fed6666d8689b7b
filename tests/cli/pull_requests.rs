// SPDX-License-Identifier: Apache-2.0
//! Pull requests with the verdicts of a real `kubectl apply`, for `garden-gate review --old`.
//!
//! `conformance/pull_requests/changes.json.gz` contains each manifest before and after the change, the object as it was stored, and
//! the answer of gardener-apiserver 1.150 when the change was applied.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should fail")]

use std::fs;
use std::io::Read as _;

use flate2::read::GzDecoder;
use rayon::prelude::*;
use rstest::rstest;
use serde_json::{Value, json};

use crate::command::garden_gate;
use crate::folder;

const CASES: &str = "tests/conformance/pull_requests/changes.json.gz";

/// The pull requests that no manifest decides, because the stored value of a field in it is filled in by Gardener.
const NOT_KNOWN: [&str; 5] = [
    "pr-21-plain-0125",
    "pr-21-plain-0167",
    "pr-21-plain-0304",
    "pr-21-plain-0360",
    "pr-21-plain-0537",
];

fn recorded() -> Value {
    let mut text = String::new();
    let mut file = GzDecoder::new(fs::File::open(CASES).unwrap());
    file.read_to_string(&mut text).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// Returns the review of a pull request, in the garden with or without the stored object.
fn review(recorded: &Value, case: &Value, is_stored: bool) -> Value {
    let identity = |object: &Value| {
        let metadata = &object["metadata"];
        let name = [&metadata["namespace"], &metadata["name"]].map(Value::clone);
        (object["kind"].clone(), name)
    };
    let garden = recorded["garden"].as_array().unwrap().iter();
    let others = garden.filter(|it| identity(it) != identity(&case["before"]));
    let mut garden: Vec<&Value> = others.collect();
    garden.extend(is_stored.then_some(&case["stored"]));
    let garden = json!({"apiVersion": "v1", "kind": "List", "items": garden});
    let folder = folder::folder(&[
        ("garden/all.json", &garden.to_string()),
        ("before.json", &case["before"].to_string()),
        ("after.json", &case["after"].to_string()),
        ("config.yaml", &recorded["config"].to_string()),
    ]);
    let mut command = garden_gate(&["review", "--config", "config.yaml", "--garden", "garden"]);
    command.args(["--old", "before.json", "--at", "2026-11-28T04:00:00Z"]);
    command.args(["--format", "json", "after.json", "--as"]);
    command.arg(recorded["user"]["username"].as_str().unwrap());
    for group in recorded["user"]["groups"].as_array().unwrap() {
        command.args(["--as-group", group.as_str().unwrap()]);
    }
    let output = command.current_dir(folder.path()).output().unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    report["reviews"][0].clone()
}

/// Returns what is wrong with a review; empty if nothing is.
fn complaint(case: &Value, review: &Value, is_stored: bool) -> String {
    let id = case["id"].as_str().unwrap();
    let verdict = review["verdict"].as_str().unwrap();
    let expected = match case["expect"]["allowed"].as_bool().unwrap() {
        _ if !is_stored && NOT_KNOWN.contains(&id) => "undetermined",
        true => "allowed",
        false => "denied",
    };
    let drift = review["drift"].as_array().into_iter().flatten();
    // Gardener dropped expired versions on CREATE, and applying the manifest adds them.
    let is_kept = |field: &&str| !field.contains(".versions[");
    let drift = drift.filter_map(|it| it["field"].as_str()).filter(is_kept);
    let drift: Vec<&str> = drift.collect();
    if verdict == expected && drift.is_empty() {
        return String::new();
    }
    format!("{id}: {verdict}, not {expected}; drift {drift:?}\n")
}

#[rstest]
fn verdicts_are_those_of_the_api_server(#[values(true, false)] is_stored: bool) {
    let recorded = recorded();
    let cases = recorded["cases"].as_array().unwrap();
    assert!(cases.len() >= 700);
    let complaints = cases.par_iter().map(|case| {
        let review = review(&recorded, case, is_stored);
        complaint(case, &review, is_stored)
    });
    let complaints: String = complaints.collect();
    assert!(complaints.is_empty(), "{complaints}");
}
