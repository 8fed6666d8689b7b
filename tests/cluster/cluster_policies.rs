// SPDX-License-Identifier: Apache-2.0
//! `policies check` and a kube-apiserver accept and refuse the same policies and bindings.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should fail")]

use garden_gate_core::policies::{check, policies_in};
use garden_gate_model::api::GardenerVersion;
use kube::Client;
use serde_json::Value;

use crate::cluster::TestCluster;
use crate::policy_mutations::{mutated, mutated_mutating};
use crate::random::Random;

/// The number of random policies without the variable `POLICIES`.
const COUNT: u64 = 400;

/// Returns the refusal of an API server for a new policy, in a dry run with strict field validation.
async fn refusal(client: &Client, policy: &Value) -> Option<String> {
    let resource = match policy["kind"].as_str() {
        Some("ValidatingAdmissionPolicy") => "validatingadmissionpolicies",
        Some("ValidatingAdmissionPolicyBinding") => "validatingadmissionpolicybindings",
        Some("MutatingAdmissionPolicy") => "mutatingadmissionpolicies",
        _ => "mutatingadmissionpolicybindings",
    };
    let uri = format!(
        "/apis/admissionregistration.k8s.io/v1/{resource}?dryRun=All&fieldValidation=Strict"
    );
    let request = ::http::Request::post(uri)
        .header("Content-Type", "application/json")
        .body(policy.to_string().into_bytes())
        .unwrap();
    let answer = client.request_text(request).await;
    answer.err().map(|error| error.to_string())
}

/// Returns the errors of `policies check`, without duplicate variables, which only server-side apply refuses.
fn errors(policy: &Value) -> Vec<String> {
    let documents = match policies_in(&policy.to_string()) {
        Ok(documents) => documents,
        Err(error) => return vec![error.message],
    };
    let errors = documents.iter().flat_map(|it| check(it, GardenerVersion::default()));
    let messages = errors.map(|it| it.message);
    messages
        .filter(|it| !(it.contains("spec.variables[") && it.contains("is a duplicate")))
        .collect()
}

/// Reports whether a list or labels have `null`, which an API server stores as an empty value and `policies check` refuses.
fn has_null_values(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.iter().any(|it| it.is_null() || has_null_values(it)),
        Value::Object(fields) => {
            let mut labels =
                fields.get("matchLabels").and_then(Value::as_object).into_iter().flatten();
            labels.any(|(_, it)| it.is_null()) || fields.values().any(has_null_values)
        }
        _ => false,
    }
}

#[tokio::test]
async fn policies_are_refused_as_by_an_api_server() {
    compare(mutated).await;
}

#[tokio::test]
async fn mutating_policies_are_refused_as_by_an_api_server() {
    compare(mutated_mutating).await;
}

/// Compares the refusals of random policies.
async fn compare(drawn: fn(&mut Random) -> Value) {
    let Some(cluster) = TestCluster::start().await else {
        return;
    };
    let count = std::env::var("POLICIES").map_or(COUNT, |it| it.parse().unwrap());
    let (mut refused, mut differences) = (0, Vec::new());
    for case in 0..count {
        let policy = drawn(&mut Random::of_case(case));
        if has_null_values(&policy) {
            continue;
        }
        let theirs = refusal(&cluster.admin.client, &policy).await;
        let ours = errors(&policy);
        refused += u64::from(theirs.is_some());
        if theirs.is_some() == ours.is_empty() {
            differences.push(format!("case {case}: {theirs:?}, but {ours:?}: {policy}"));
        }
    }
    assert!(refused > count / 4 && refused < count, "{refused} of {count} are refused");
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}
