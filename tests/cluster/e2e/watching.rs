// SPDX-License-Identifier: Apache-2.0
use std::time::Duration;

use kube::api::{DeleteParams, ListParams, PostParams};
use serde_json::json;

use crate::cluster::control_plane::Options;
use crate::cluster::objects::apply;
use crate::common::reviews::{review, shoot};
use crate::common::{Gate, GateArgs, eventually};
use crate::e2e::load::Load;
use crate::e2e::world::{api, garden, gate, project, ready};

/// Reports whether the server allows a Shoot of `garden-dev` that tolerates `key`.
async fn allows(gate: &Gate, key: &str) -> bool {
    let object = shoot(&json!([{"key": key}]));
    let review = review("CREATE", "shoots", &object, &json!(null));
    let (code, answer) = gate.post("/validate", &review).await;
    assert_eq!(code, 200, "{answer}");
    answer["response"]["allowed"].as_bool().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_decided_before_everything_has_been_seen() {
    let Some(cluster) = crate::cluster::TestCluster::start().await else {
        return;
    };
    let gate = gate(&cluster, GateArgs::new()).await;
    let object = shoot(&json!([{"key": "allowed"}]));
    let review = review("CREATE", "shoots", &object, &json!(null));
    // Neither permissions nor kinds exist yet.
    let missing = "the API server answered 403 to `list` of shoots.core.gardener.cloud";
    eventually("it says what is missing", async || gate.get("/readyz").await.1.contains(missing))
        .await;
    let (code, answer) = gate.post("/validate", &review).await;
    assert_eq!(code, 503, "{answer}");
    apply(&cluster.admin.client, include_str!("rbac.yaml")).await;
    let unknown = "shoots.core.gardener.cloud, which the API server does not serve";
    eventually("it says which kinds are missing", async || {
        gate.get("/readyz").await.1.contains(unknown)
    })
    .await;
    assert_eq!(gate.post("/validate", &review).await.0, 503);
    cluster.install_gardener_kinds().await;
    ready(&gate).await;
    assert!(!allows(&gate, "allowed").await);
}

#[tokio::test(flavor = "multi_thread")]
async fn reviews_go_on_while_the_api_server_is_away() {
    let Some(mut cluster) = garden(Options::default()).await else {
        return;
    };
    let gate = gate(&cluster, GateArgs::new()).await;
    ready(&gate).await;
    let (client, url) = (gate.client.clone(), format!("{}/validate", gate.url));
    let load = Load::start(4, move || {
        let (client, url) = (client.clone(), url.clone());
        async move {
            for (key, allowed) in [("allowed", true), ("forbidden", false)] {
                let object = shoot(&json!([{"key": key}]));
                let review = review("CREATE", "shoots", &object, &json!(null));
                let answer = client
                    .post(&url)
                    .json(&review)
                    .send()
                    .await
                    .map_err(|error| error.to_string())?;
                let answer: serde_json::Value =
                    answer.json().await.map_err(|error| error.to_string())?;
                if answer["response"]["allowed"] != allowed {
                    return Err(format!("{key}: {answer}"));
                }
            }
            Ok(())
        }
    });
    cluster.stop_api_server();
    let before = load.done();
    eventually("reviews are answered without an API server", async || load.done() > before + 50)
        .await;
    cluster.start_api_server().await;
    let after = project("later", json!({"namespace": "garden-later"}));
    api(&cluster.admin, "Project").create(&PostParams::default(), &after).await.unwrap();
    eventually("the gate sees what is new", async || {
        gate.metric("garden_objects{kind=\"Project\"}").await == 2.0
    })
    .await;
    assert!(gate.metric("garden_watch_failures{kind=\"Project\"}").await > 0.0);
    assert_eq!(gate.metric("garden_watch_synced{kind=\"Project\"}").await, 1.0);
    load.must_not_have_failed(100).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_watch_that_fell_behind_sees_everything_again() {
    let options = Options::default().forgetting_history_every(Duration::from_secs(1));
    let Some(mut cluster) = garden(options).await else {
        return;
    };
    let gate = gate(&cluster, GateArgs::new()).await;
    ready(&gate).await;
    assert!(allows(&gate, "allowed").await);
    gate.freeze();
    cluster.restart_api_server().await;
    let projects = api(&cluster.admin, "Project");
    let first = projects.list(&ListParams::default()).await.unwrap();
    let version = first.metadata.resource_version.unwrap();
    projects.delete("dev", &DeleteParams::default()).await.unwrap();
    let whitelist = json!([{"key": "other"}]);
    let successor = json!({"namespace": "garden-dev", "tolerations": {"whitelist": whitelist}});
    let successor = project("successor", successor);
    projects.create(&PostParams::default(), &successor).await.unwrap();
    eventually("the history is forgotten", async || {
        let old =
            kube::api::ListParams::default().matching(kube::api::VersionMatch::Exact).at(&version);
        let listed = projects.list(&old).await;
        listed.is_err_and(|error| crate::e2e::world::status(error).code == 410)
    })
    .await;
    gate.thaw();
    eventually("the successor counts", async || allows(&gate, "other").await).await;
    assert!(!allows(&gate, "allowed").await);
    assert!(gate.log().contains("fell behind; listing again"), "{}", gate.log());
}
