// SPDX-License-Identifier: Apache-2.0
use axum::http::Request;
use serde_json::{Value, json};

use crate::cluster::TestCluster;
use crate::cluster::objects::apply;
use crate::cluster::user::User;
use crate::common::{Gate, GateArgs, eventually};
use crate::e2e::world::webhooks_with;

/// Creates an object; returns the status code and the warnings.
async fn create(user: &User, path: &str, object: &Value) -> (u16, Vec<String>) {
    let body = object.to_string().into_bytes();
    let request = Request::post(path).header("content-type", "application/json");
    let response = user.client.send(request.body(body.into()).unwrap()).await.unwrap();
    let warnings =
        response.headers().get_all("warning").iter().map(|it| it.to_str().unwrap().to_owned());
    (response.status().as_u16(), warnings.collect())
}

fn daemon_set(name: &str) -> Value {
    let labels = json!({"app": "net", "node.gardener.cloud/critical-component": "true"});
    json!({
        "apiVersion": "apps/v1", "kind": "DaemonSet",
        "metadata": {"name": name, "labels": labels},
        "spec": {
            "selector": {"matchLabels": {"app": "net"}},
            "template": {
                "metadata": {"labels": labels},
                "spec": {"containers": [{"name": "net", "image": "net"}]},
            },
        },
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_gate_in_a_shoot_cluster_only_warns() {
    let Some(cluster) = TestCluster::start().await else {
        return;
    };
    let gate = tokio::task::block_in_place(|| Gate::start(&GateArgs::new().no_garden()));
    assert_eq!(gate.get("/readyz").await.0, 200);
    let flags = ["--url", &gate.url, "--shoot-cluster", "--failure-policy", "Ignore"];
    let registration = webhooks_with(&flags, Some(&gate.path("ca.crt")));
    apply(&cluster.admin.client, &registration).await;
    let path = "/apis/apps/v1/namespaces/kube-system/daemonsets";
    let mut number = 0;
    eventually("the gate is asked", async || {
        number += 1;
        let object = daemon_set(&format!("net-{number}"));
        let (code, warnings) = create(&cluster.admin, path, &object).await;
        assert_eq!(code, 201);
        warnings.iter().any(|it| it.contains("workload/critical-no-toleration"))
    })
    .await;
}
