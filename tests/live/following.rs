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
    eventually("allowed by 1.139", async || {
        verdict().await["allowed"] == true
    })
    .await;
    server.replace(&[info("v1.149.0")]);
    // The server requests the ConfigMap every 10 seconds.
    eventually("refused by 1.149", async || {
        verdict().await["allowed"] == false
    })
    .await;
    let refused = verdict().await.to_string();
    assert!(
        refused.contains("seed.gardener.cloud/self-hosted-shoot-cluster"),
        "{refused}"
    );
    gate.logs("judged as Gardener 1.149 (from gardener-info)")
        .await;
}
