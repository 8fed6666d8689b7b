// SPDX-License-Identifier: Apache-2.0
//! `admission: complete` over HTTPS: decisions that the default leaves to plugins of gardener-apiserver.

use std::fs;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use rstest::rstest;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::common::{Gate, GateArgs};
use crate::recorded;

/// Returns a server of a recorded garden with this value of `admission`.
fn gate(garden: &Value, admission: &str) -> (Gate, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let list = json!({"apiVersion": "v1", "kind": "List", "items": garden["manifests"]});
    fs::write(folder.path().join("all.json"), list.to_string()).unwrap();
    let mut config = garden["config"].clone();
    config["admission"] = json!(admission);
    let args = GateArgs::new().garden_directory(folder.path());
    (Gate::start(&args.config(&config.to_string())), folder)
}

/// Sends a review to `/mutate`, and the patched object to `/validate`, and returns the last response.
async fn verdict(gate: &Gate, review: &Value) -> Value {
    let (status, answer) = gate.post("/mutate", review).await;
    assert_eq!(status, 200, "{answer}");
    if answer["response"]["allowed"] == false {
        return answer["response"].clone();
    }
    let mut review = review.clone();
    if let Some(patch) = answer["response"]["patch"].as_str() {
        let patch = BASE64_STANDARD.decode(patch).unwrap();
        let patch: json_patch::Patch = serde_json::from_slice(&patch).unwrap();
        json_patch::patch(&mut review["request"]["object"], &patch).unwrap();
    }
    let (status, answer) = gate.post("/validate", &review).await;
    assert_eq!(status, 200, "{answer}");
    answer["response"].clone()
}

fn family(name: &str) -> Value {
    recorded::read(format!("tests/conformance/{name}.json.gz").as_ref())
}

/// Reports whether every gardener-apiserver refuses a case without its plugins.
fn is_refused_before(case: &Value) -> bool {
    let findings = case["expect"]["findings"].as_array().unwrap();
    let mut stages = findings.iter().map(|it| it["stage"].as_str().unwrap());
    stages.any(|it| ["decode", "strategy"].contains(&it))
}

#[rstest]
#[case::bindings("shoot_bindings", 25)]
#[case::machines("shoot_machines", 25)]
#[case::quotas("shoot_references_quota", 25)]
#[case::small_kinds("small_kinds", 5)]
#[tokio::test]
async fn complete_server_refuses_what_plugins_refuse(#[case] name: &str, #[case] more: usize) {
    let mut failures = Vec::new();
    let mut refused_more = 0;
    for garden in family(name)["gardens"].as_array().unwrap() {
        let (webhook, _folder) = gate(garden, "webhook");
        let (complete, _folder_of_complete) = gate(garden, "complete");
        let cases = garden["cases"].as_array().unwrap().iter();
        for case in cases.filter(|it| !is_refused_before(it)) {
            let review = recorded::review(case);
            let found = verdict(&complete, &review).await;
            if found["allowed"] != case["expect"]["allowed"] {
                failures.push(format!("{}: {found}, not {}", case["id"], case["expect"]));
            }
            let by_default = verdict(&webhook, &review).await;
            refused_more += usize::from(by_default["allowed"] == true && found["allowed"] == false);
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(refused_more >= more, "{refused_more}");
}

/// Returns a review of an accepted UPDATE, with a change.
fn odd(case: &Value, change: impl Fn(&mut Value)) -> Value {
    let mut review = recorded::review(case);
    change(&mut review["request"]);
    review
}

/// Requests without the objects or the operation of a write get the same response as by default.
#[tokio::test]
async fn complete_server_decides_nothing_about_odd_requests() {
    let family = family("shoot_bindings");
    let garden = &family["gardens"][0];
    let (webhook, _folder) = gate(garden, "webhook");
    let (complete, _folder_of_complete) = gate(garden, "complete");
    let cases = garden["cases"].as_array().unwrap();
    let mut refused = cases.iter().filter(|it| {
        it["expect"]["allowed"] == false
            && it["request"]["operation"] == "UPDATE"
            && !is_refused_before(it)
    });
    let case = refused.next().unwrap();
    for (name, review) in [
        ("without the stored object", odd(case, |it| it["oldObject"] = Value::Null)),
        ("without the new object", odd(case, |it| it["object"] = Value::Null)),
        (
            "without both objects",
            odd(case, |it| {
                it["object"] = Value::Null;
                it["oldObject"] = Value::Null;
            }),
        ),
        ("status", odd(case, |it| it["subResource"] = json!("status"))),
        ("an unknown subresource", odd(case, |it| it["subResource"] = json!("scale"))),
        ("CONNECT", odd(case, |it| it["operation"] = json!("CONNECT"))),
        ("an object that is a string", odd(case, |it| it["object"] = json!("x"))),
        ("another version", odd(case, |it| it["resource"]["version"] = json!("v1alpha1"))),
    ] {
        for path in ["/mutate", "/validate"] {
            let by_default = webhook.post(path, &review).await;
            assert_eq!(complete.post(path, &review).await, by_default, "{name} {path}");
        }
    }
    let dry_run = odd(case, |it| it["dryRun"] = json!(true));
    let for_real = odd(case, |_| {});
    let refused = verdict(&complete, &dry_run).await;
    assert_eq!(refused["allowed"], false);
    assert_eq!(refused, verdict(&complete, &for_real).await);
}

/// A Shoot of a megabyte, which no rule may refuse for its size alone, nor take more than the memory of its size.
#[tokio::test]
async fn complete_server_judges_large_objects() {
    let family = family("shoot_bindings");
    let garden = &family["gardens"][0];
    let (complete, _folder) = gate(garden, "complete");
    let cases = garden["cases"].as_array().unwrap();
    for allowed in [true, false] {
        let mut cases = cases.iter().filter(|it| {
            it["expect"]["allowed"] == allowed
                && it["request"]["operation"] == "CREATE"
                && !is_refused_before(it)
        });
        let review = odd(cases.next().unwrap(), |it| {
            it["object"]["metadata"]["managedFields"] = json!([{"x": "x".repeat(1 << 20)}]);
        });
        assert_eq!(verdict(&complete, &review).await["allowed"], allowed);
    }
}
