// SPDX-License-Identifier: Apache-2.0
//! Tests of the test cluster: it serves the Gardener kinds, separates users, and keeps its data over a restart.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should fail")]

use std::process::Command;
use std::time::Duration;

use crate::cluster::TestCluster;
use crate::cluster::control_plane::Options;
use crate::cluster::objects::{apply, documents};
use crate::cluster::user::User;
use crate::cluster::waiting::eventually;
use kube::api::{Api, ApiResource, DynamicObject, ListParams, PostParams};
use kube::core::{GroupVersionKind, Status};

const PROJECT_AND_SHOOT: &str = "
apiVersion: v1
kind: Namespace
metadata: { name: garden-dev }
---
apiVersion: core.gardener.cloud/v1beta1
kind: Project
metadata: { name: dev }
spec: { namespace: garden-dev }
---
apiVersion: core.gardener.cloud/v1beta1
kind: Shoot
metadata: { name: apple, namespace: garden-dev }
spec: { kubernetes: { version: 1.34.2 }, anything: { is: kept } }
";

fn shoots(user: &User) -> Api<DynamicObject> {
    let kind = GroupVersionKind::gvk("core.gardener.cloud", "v1beta1", "Shoot");
    Api::namespaced_with(user.client.clone(), "garden-dev", &ApiResource::from_gvk(&kind))
}

fn status(error: kube::Error) -> Box<Status> {
    match error {
        kube::Error::Api(status) => status,
        other => unreachable!("the API server did not answer: {other}"),
    }
}

const OUTLIVE: &str = "cluster_smoke::stored_objects_outlive_the_api_server";

/// Runs one test of this file in a separate process.
fn run_again(variables: &[(&str, &str)]) -> (bool, String) {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--test-threads=1", "--exact", OUTLIVE]);
    command.env_remove("CI").env_remove("KUBEBUILDER_ASSETS");
    let output = command.envs(variables.iter().copied()).output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8_lossy(&text).into_owned())
}

#[test]
fn missing_programs_are_named_and_fail_in_ci() {
    let no_go = ("PATH", "/nowhere");
    let (passed, said) = run_again(&[no_go]);
    let named = format!("test {OUTLIVE} DID NOT RUN: it needs `");
    assert!(passed && said.contains(&named), "{said}");
    let (passed, said) = run_again(&[no_go, ("CI", "true")]);
    assert!(!passed, "{said}");
}

#[tokio::test]
async fn stored_objects_outlive_the_api_server() {
    let Some(mut cluster) = TestCluster::start().await else {
        return;
    };
    cluster.install_gardener_kinds().await;
    apply(&cluster.admin.client, PROJECT_AND_SHOOT).await;

    cluster.restart_api_server().await;

    let shoot = shoots(&cluster.admin).get("apple").await.unwrap();
    assert_eq!(shoot.data["spec"]["anything"]["is"], "kept");
}

#[tokio::test]
async fn users_have_the_rights_of_their_groups_and_no_others() {
    let Some(cluster) = TestCluster::start().await else {
        return;
    };
    cluster.install_gardener_kinds().await;
    apply(&cluster.admin.client, PROJECT_AND_SHOOT).await;
    let alice = cluster.user("alice", &["readers", "devs"]).await;

    let denied = status(shoots(&alice).get("apple").await.unwrap_err());
    assert_eq!(denied.code, 403);
    assert!(
        denied.message.contains("User \"alice\" cannot get resource \"shoots\""),
        "{}",
        denied.message
    );

    apply(&cluster.admin.client, include_str!("devs-read-shoots.yaml")).await;
    eventually("alice may read Shoots", async || shoots(&alice).get("apple").await.ok()).await;

    let shoot = documents(PROJECT_AND_SHOOT).pop().unwrap();
    let created = shoots(&alice).create(&PostParams::default(), &shoot).await;
    assert_eq!(status(created.unwrap_err()).code, 403);
}

#[tokio::test]
async fn history_can_be_forgotten_to_make_old_pages_expire() {
    let options = Options::default().forgetting_history_every(Duration::from_secs(1));
    let Some(cluster) = TestCluster::start_with(options).await else {
        return;
    };
    let client = &cluster.admin.client;
    apply(client, "{apiVersion: v1, kind: Namespace, metadata: {name: one}}").await;
    let namespaces: Api<k8s_openapi::api::core::v1::Namespace> = Api::all(client.clone());
    let page = namespaces.list(&ListParams::default().limit(1)).await.unwrap();
    let next = ListParams::default().limit(1).continue_token(&page.metadata.continue_.unwrap());

    let expired = eventually("the second page is gone", async || {
        apply(client, "{apiVersion: v1, kind: Namespace, metadata: {name: two}}").await;
        namespaces.list(&next).await.err()
    });
    assert_eq!(status(expired.await).code, 410);
}
