// SPDX-License-Identifier: Apache-2.0
//! `garden-gate review` in gardens with ResourceQuotas and webhooks.

use rstest::rstest;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::command::{garden_gate, printed};
use crate::folder;

fn binding(name: &str) -> String {
    let binding = json!({
        "apiVersion": "core.gardener.cloud/v1beta1", "kind": "SecretBinding",
        "metadata": {"name": name, "namespace": "garden-p"},
        "provider": {"type": "local"}, "secretRef": {"name": "s", "namespace": "garden-p"},
    });
    binding.to_string()
}

fn quota(status: &Value) -> String {
    let quota = json!({
        "apiVersion": "v1", "kind": "ResourceQuota",
        "metadata": {"name": "limits", "namespace": "garden-p"},
        "spec": {"hard": {"count/secretbindings.core.gardener.cloud": "5"}}, "status": status,
    });
    quota.to_string()
}

/// Returns the status of a ResourceQuota that counts this number of SecretBindings.
fn used(count: usize) -> Value {
    json!({
        "hard": {"count/secretbindings.core.gardener.cloud": "5"},
        "used": {"count/secretbindings.core.gardener.cloud": count.to_string()},
    })
}

struct Reviewed {
    text: String,
    json: Value,
}

fn review(folder: &TempDir, arguments: &[&str]) -> Reviewed {
    let run = |format: &str| {
        let mut command = garden_gate(&["review", "--garden", "garden", "--format", format]);
        let command = command.args(arguments).current_dir(folder.path());
        printed(command.output().unwrap()).1
    };
    Reviewed { text: run("text"), json: serde_json::from_str(&run("json")).unwrap() }
}

/// Returns the messages of a rule about each object.
fn exceeded(reviewed: &Reviewed) -> Vec<Vec<String>> {
    let reviews = reviewed.json["reviews"].as_array().unwrap().iter();
    let messages = reviews.map(|it| {
        let all = ["findings", "undetermined"]
            .map(|list| it[list].as_array().cloned())
            .into_iter()
            .flatten()
            .flatten();
        let of_rule = all.filter(|it| it["rule"] == "object/resource-quota-exceeded");
        of_rule.map(|it| it["message"].as_str().unwrap().to_owned()).collect()
    });
    messages.collect()
}

const FULL: &str = "exceeded quota: limits, requested: count/secretbindings.core.gardener.cloud=1, \
    used: count/secretbindings.core.gardener.cloud=5, limited: count/secretbindings.core.gardener.cloud=5";

#[rstest]
#[case::room_for_one(4, &["new"], &[None])]
#[case::no_room(5, &["new"], &[Some(FULL)])]
#[case::room_for_one_of_two(4, &["new", "newer"], &[Some(FULL), Some(FULL)])]
#[case::room_for_two(3, &["new", "newer"], &[None, None])]
#[case::no_new_object(5, &["old"], &[None])]
fn resource_quota_counts_objects_of_the_change(
    #[case] count: usize,
    #[case] names: &[&str],
    #[case] expected: &[Option<&str>],
) {
    let folder = folder::folder(&[
        ("garden/quota.json", &quota(&used(count))),
        ("garden/old.json", &binding("old")),
    ]);
    for name in names {
        let mut object: Value = serde_json::from_str(&binding(name)).unwrap();
        object["metadata"]["labels"] = json!({"a": "b"});
        folder::write(folder.path(), &format!("change/{name}.json"), &object.to_string());
    }
    let reviewed = review(&folder, &["change"]);
    let expected: Vec<Vec<String>> =
        expected.iter().map(|it| it.iter().map(|it| (*it).to_owned()).collect()).collect();
    assert_eq!(exceeded(&reviewed), expected, "{}", reviewed.text);
}

#[test]
fn resource_quota_has_room_for_what_the_change_deletes() {
    let folder = folder::folder(&[
        ("garden/quota.json", &quota(&used(5))),
        ("before/old.json", &binding("old")),
        ("after/new.json", &binding("new")),
    ]);
    let reviewed = review(&folder, &["--old", "before", "after"]);
    assert_eq!(exceeded(&reviewed), [Vec::<String>::new(), Vec::new()], "{}", reviewed.text);
}

#[test]
fn resource_quota_without_status_is_undetermined() {
    let folder = folder::folder(&[
        ("garden/quota.json", &quota(&json!({}))),
        ("change/new.json", &binding("new")),
    ]);
    let reviewed = review(&folder, &["change"]);
    let message = &exceeded(&reviewed)[0][0];
    assert!(
        message.contains("cannot tell how many objects ResourceQuota `limits` counts"),
        "{message}"
    );
}

fn rules(resource: &str, operation: &str) -> Value {
    json!([{
        "apiGroups": ["core.gardener.cloud"], "apiVersions": ["*"], "operations": [operation], "resources": [resource],
    }])
}

fn webhooks(name: &str, rules: &Value) -> String {
    let configuration = json!({
        "apiVersion": "admissionregistration.k8s.io/v1", "kind": "MutatingWebhookConfiguration",
        "metadata": {"name": name}, "webhooks": [{"name": "hook.example.com", "rules": rules}],
    });
    configuration.to_string()
}

#[test]
fn webhooks_that_match_are_not_judged() {
    let folder = folder::folder(&[
        ("garden/webhooks.json", &webhooks("foreign", &rules("*", "*"))),
        ("garden/delete.json", &webhooks("deletions", &rules("*", "DELETE"))),
        ("garden/own.json", &webhooks("garden-gate", &rules("*", "*"))),
        ("new.json", &binding("new")),
    ]);
    let reviewed = review(&folder, &["new.json"]);
    let line = "webhook `hook.example.com` of MutatingWebhookConfiguration `foreign`: \
        run by the API server, not here";
    assert!(reviewed.text.contains(line), "{}", reviewed.text);
    let unjudged = reviewed.json["reviews"][0]["notJudged"].as_array().unwrap();
    let webhooks = unjudged.iter().filter(|it| it["pointer"] == "");
    let webhooks: Vec<&str> = webhooks.map(|it| it["field"].as_str().unwrap()).collect();
    assert_eq!(webhooks, ["webhook `hook.example.com` of MutatingWebhookConfiguration `foreign`"]);
}
