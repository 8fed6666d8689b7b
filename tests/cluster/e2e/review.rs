// SPDX-License-Identifier: Apache-2.0
use std::path::Path;

use kube::api::PostParams;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::cluster::control_plane::Options;
use crate::cluster::user::User;
use crate::common::{GateArgs, garden_gate};
use crate::e2e::world::{RULES, World, api, config, project, shoot};

/// Returns `operation name verdict` and the API server's answer of each object.
fn answers(user: &User, folder: &Path) -> Vec<Value> {
    let (config, objects) = (folder.join("config.json"), folder.join("objects.json"));
    let [config, objects, kubeconfig] =
        [&config, &objects, &user.kubeconfig].map(|path| path.to_str().unwrap());
    let arguments = [
        "review",
        "--live",
        "--ask-server",
        "--format",
        "json",
        "--kubeconfig",
        kubeconfig,
        "--config",
        config,
        objects,
    ];
    // API clients of this process must continue meanwhile.
    let output = tokio::task::block_in_place(|| garden_gate(&arguments));
    let printed: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)));
    let reviews = printed["reviews"].as_array().unwrap().iter();
    let answers = reviews.map(|review| {
        let server = &review["server"];
        json!([
            review["operation"],
            review["name"],
            review["verdict"],
            server["allowed"],
            server["disagrees"]
        ])
    });
    answers.collect()
}

/// The API server calls the webhook for each dry run.
///
/// Both apply the same rules, one with a watch, the other with lists.
#[tokio::test(flavor = "multi_thread")]
async fn review_of_a_live_garden_agrees_with_its_api_server() {
    let Some(world) = World::start(Options::default(), GateArgs::new()).await else {
        return;
    };
    let tolerating = |name: &str, key: &str| shoot(name, &json!([{"key": key}]));
    let shoots = api(&world.alice, "Shoot");
    for name in ["stays", "turns"] {
        let stored = tolerating(name, "allowed");
        shoots.create(&PostParams::default(), &stored).await.unwrap();
    }
    let objects = json!({"apiVersion": "v1", "kind": "List", "items": [
        tolerating("good", "allowed"),
        tolerating("bad", "forbidden"),
        tolerating("stays", "default"),
        tolerating("turns", "forbidden"),
        project("own", json!({"namespace": "garden-own"})),
    ]});
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("objects.json"), objects.to_string()).unwrap();
    std::fs::write(folder.path().join("config.json"), config(&RULES)).unwrap();
    let expected = [
        json!(["CREATE", "good", "allowed", true, false]),
        json!(["CREATE", "bad", "denied", false, false]),
        json!(["UPDATE", "stays", "allowed", true, false]),
        json!(["UPDATE", "turns", "denied", false, false]),
        json!(["CREATE", "own", "allowed", true, false]),
    ];
    // One user may list everything, the other may only get objects of one project.
    for user in [&world.cluster.admin, &world.alice] {
        assert_eq!(answers(user, folder.path()), expected);
    }
    assert!(shoots.get_opt("good").await.unwrap().is_none());
}
