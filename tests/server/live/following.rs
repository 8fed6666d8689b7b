// SPDX-License-Identifier: Apache-2.0
//! The version of Gardener that a running server reads from its garden cluster.

use std::fs;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::api_server::ApiServer;
use crate::common::{Gate, GateArgs, eventually, reviews};

/// Returns the ConfigMap `gardener-info` of a garden that runs this version.
fn info(version: &str) -> Value {
    json!({
        "apiVersion": "v1", "kind": "ConfigMap",
        "metadata": {"name": "gardener-info", "namespace": "gardener-system-public"},
        "data": {"gardenerAPIServer": format!("version: {version}\n")},
    })
}

/// Returns a review of a Seed that Gardener refuses since 1.140.
fn without_label() -> Value {
    let seed = |labels: Value| {
        json!({
            "apiVersion": "core.gardener.cloud/v1beta1", "kind": "Seed",
            "metadata": {"name": "north", "labels": labels},
            "spec": {"provider": {"type": "stratus", "region": "north"}},
        })
    };
    let old = seed(json!({"seed.gardener.cloud/self-hosted-shoot-cluster": "true"}));
    reviews::review("UPDATE", "seeds", &seed(json!({})), &old)
}

#[tokio::test]
async fn verdict_follows_the_version_of_the_cluster() {
    let server = ApiServer::start();
    server.replace(&[info("v1.139.4")]);
    let folder = TempDir::new().unwrap();
    let kubeconfig = folder.path().join("kubeconfig");
    fs::write(&kubeconfig, server.kubeconfig().to_string()).unwrap();
    let gate = Gate::start(&GateArgs::new().live(&kubeconfig));
    let review = without_label();
    let verdict = async || gate.post("/validate", &review).await.1["response"].clone();
    eventually("allowed by 1.139", async || verdict().await["allowed"] == true).await;
    server.replace(&[info("v1.149.0")]);
    // The server requests the ConfigMap every 10 seconds.
    eventually("refused by 1.149", async || verdict().await["allowed"] == false).await;
    let refused = verdict().await.to_string();
    assert!(refused.contains("seed.gardener.cloud/self-hosted-shoot-cluster"), "{refused}");
    gate.logs("judged as Gardener 1.149 (from gardener-info)").await;
}

/// Returns a policy for Shoots.
fn policy(expression: &str) -> String {
    let policy = json!({
        "apiVersion": "garden-gate.dev/v1alpha1", "kind": "GardenPolicy", "metadata": {"name": "own"},
        "spec": {
            "matchConstraints": {"resourceRules": [{
                "apiGroups": ["*"], "apiVersions": ["*"], "operations": ["*"], "resources": ["shoots"],
            }]},
            "validations": [{"expression": expression}],
        },
    });
    policy.to_string()
}

#[tokio::test]
async fn policies_ask_for_objects_that_no_watch_has() {
    let server = ApiServer::start();
    let folder = TempDir::new().unwrap();
    let kubeconfig = folder.path().join("kubeconfig");
    fs::write(&kubeconfig, server.kubeconfig().to_string()).unwrap();
    let args = GateArgs::new()
        .live(&kubeconfig)
        // No rule asks.
        .config("rules: {\"*\": off, \"policy/*\": deny}")
        .file("policy.yaml", &policy("garden.project == null"))
        .flag("--policies", "{dir}/policy.yaml");
    let gate = Gate::start(&args);
    let shoot = reviews::shoot(&json!([]));
    let review = reviews::review("CREATE", "shoots", &shoot, &Value::Null);
    eventually("ready", async || gate.get("/readyz").await.0 == 200).await;
    let (_, answer) = gate.post("/validate", &review).await;
    assert_eq!(answer["response"]["allowed"], true, "{answer}");
    let evaluated = "policy_evaluations_total{policy=\"own\",result=\"accepted\"}";
    assert_eq!(gate.metric(evaluated).await, 1.0);
}

#[test]
fn policy_about_namespaces_is_refused_with_a_live_garden() {
    let folder = crate::folder::folder(&[("policy.yaml", &policy("namespaceObject != null"))]);
    let arguments = ["serve", "--kubeconfig", "none", "--listen", "127.0.0.1:0"];
    let mut command = crate::command::garden_gate(&arguments);
    command.args(["--policies", "policy.yaml"]).current_dir(folder.path());
    let (code, _, err) = crate::command::printed(command.output().unwrap());
    assert_eq!(code, Some(2), "{err}");
    let message = "GardenPolicy `own`: it depends on labels or annotations of Namespaces";
    assert!(err.contains(message), "{err}");
}
