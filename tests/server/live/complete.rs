// SPDX-License-Identifier: Apache-2.0
//! `serve` with `admission: complete`, which watches further kinds of a garden cluster.

use std::fs;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::api_server::ApiServer;
use crate::common::{Gate, GateArgs, eventually, reviews};

struct World {
    server: ApiServer,
    folder: TempDir,
}

impl World {
    fn new() -> Self {
        let server = ApiServer::start();
        let project = json!({
            "apiVersion": "core.gardener.cloud/v1beta1", "kind": "Project",
            "metadata": {"name": "dev"}, "spec": {"namespace": "garden-dev"},
        });
        server.hold(&[project]);
        let folder = TempDir::new().unwrap();
        let kubeconfig = folder.path().join("kubeconfig");
        fs::write(kubeconfig, server.kubeconfig().to_string()).unwrap();
        Self { server, folder }
    }

    fn gate(&self, config: &str) -> Gate {
        let kubeconfig = self.folder.path().join("kubeconfig");
        Gate::start(&GateArgs::new().config(config).live(&kubeconfig))
    }
}

fn binding(name: &str) -> Value {
    json!({
        "apiVersion": "security.gardener.cloud/v1alpha1", "kind": "CredentialsBinding",
        "metadata": {"name": name, "namespace": "garden-dev"},
        "provider": {"type": "nimbus"},
        "credentialsRef": {"apiVersion": "v1", "kind": "Secret", "name": "s", "namespace": "garden-dev"},
    })
}

/// Returns a review of a Shoot with this binding.
fn bound_to(binding: &str) -> Value {
    let mut shoot = reviews::shoot(&json!([]));
    shoot["spec"]["credentialsBindingName"] = json!(binding);
    shoot["spec"]["provider"] = json!({"type": "stratus"});
    reviews::review("CREATE", "shoots", &shoot, &Value::Null)
}

async fn response(gate: &Gate, review: &Value) -> String {
    gate.post("/validate", review).await.1.to_string()
}

#[tokio::test]
async fn bindings_are_watched_and_confirmed() {
    let world = World::new();
    world.server.hold(&[binding("known")]);
    let gate = world.gate("admission: complete");
    let missing = "there is no CredentialsBinding `late`";
    eventually("a missing binding is refused", async || {
        response(&gate, &bound_to("late")).await.contains(missing)
    })
    .await;
    let of_other = "CredentialsBinding `known` is for `nimbus`";
    let refused = response(&gate, &bound_to("known")).await;
    assert!(refused.contains(of_other), "{refused}");

    // No event tells of the new binding, but the API server does when it is asked.
    world.server.hold(&[binding("late")]);
    eventually("the new binding is found", async || {
        let refused = response(&gate, &bound_to("late")).await;
        !refused.contains(missing) && refused.contains("is for `nimbus`")
    })
    .await;
}

#[tokio::test]
async fn default_server_does_not_read_bindings() {
    let world = World::new();
    let gate = world.gate("admission: webhook");
    eventually("ready", async || gate.get("/readyz").await.0 == 200).await;
    let allowed = response(&gate, &bound_to("late")).await;
    assert!(!allowed.contains("CredentialsBinding"), "{allowed}");
    let script = world.server.script();
    let mut asked = script.requests.iter().map(|(request, _)| request);
    assert!(!asked.any(|it| it.contains("credentialsbindings")));
}

/// The server is not ready, and a server that was ready before is undetermined.
#[tokio::test]
async fn bindings_that_cannot_be_listed_are_unknown() {
    let world = World::new();
    let path = "/apis/security.gardener.cloud/v1alpha1/credentialsbindings";
    world.server.answer(&format!("GET {path}"), 403, "forbidden");
    let gate = world.gate("admission: complete");
    eventually("not ready", async || {
        let (code, why) = gate.get("/readyz").await;
        code == 503 && why.contains("credentialsbindings.security.gardener.cloud")
    })
    .await;
    assert_eq!(gate.post("/validate", &bound_to("late")).await.0, 503);

    let gate = world.gate("admission: webhook");
    eventually("ready", async || gate.get("/readyz").await.0 == 200).await;
    gate.write("config.yaml", "admission: complete");
    eventually("undetermined", async || {
        let (code, answer) = gate.post("/validate", &bound_to("late")).await;
        let text = answer.to_string();
        code == 200
            && answer["response"]["allowed"] == false
            && text
                .contains("the list of credentialsbindings.security.gardener.cloud is not read yet")
            && !text.contains("there is no CredentialsBinding")
    })
    .await;
}
