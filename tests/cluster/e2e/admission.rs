// SPDX-License-Identifier: Apache-2.0
use axum::http::Request;
use kube::api::{DeleteParams, Patch, PatchParams, PostParams};
use serde_json::json;

use crate::cluster::control_plane::Options;
use crate::common::GateArgs;
use crate::e2e::world::{World, api, project, shoot, status};

#[tokio::test(flavor = "multi_thread")]
async fn users_create_update_try_and_delete_under_the_gate() {
    let Some(world) = World::start(Options::default(), GateArgs::new()).await else {
        return;
    };
    denials_arrive_with_message_and_causes(&world).await;
    defaults_arrive_in_the_stored_object(&world).await;
    a_dry_run_is_judged_and_stores_nothing(&world).await;
    updates_are_judged(&world).await;
    warnings_arrive_at_the_client(&world).await;
    the_whitelist_needs_its_verb(&world).await;
    what_changes_nothing_is_not_asked_about(&world).await;
    both_kinds_are_deleted(&world).await;
}

async fn denials_arrive_with_message_and_causes(world: &World) {
    let bad = shoot("bad", &json!([{"key": "forbidden"}]));
    let created = api(&world.alice, "Shoot").create(&PostParams::default(), &bad).await;
    let status = status(created.unwrap_err());
    assert_eq!((status.code, status.reason.as_str()), (403, "Forbidden"));
    let webhook = "admission webhook \"shoots.validate.garden-gate.dev\" denied the request";
    assert!(status.message.starts_with(webhook), "{}", status.message);
    let causes = &status.details.as_ref().unwrap().causes;
    let cause = causes
        .iter()
        .find(|cause| cause.message.contains("`forbidden`"))
        .unwrap_or_else(|| panic!("{causes:?}"));
    assert!(cause.field.starts_with("spec.tolerations"), "{}", cause.field);
}

async fn defaults_arrive_in_the_stored_object(world: &World) {
    let shoots = api(&world.alice, "Shoot");
    let good = shoot("good", &json!([{"key": "allowed"}]));
    shoots.create(&PostParams::default(), &good).await.unwrap();
    let stored = shoots.get("good").await.unwrap();
    let expected = json!([{"key": "allowed"}, {"key": "default"}]);
    assert_eq!(stored.data["spec"]["tolerations"], expected);
    let own = project("own", json!({"namespace": "garden-own"}));
    let projects = api(&world.alice, "Project");
    projects.create(&PostParams::default(), &own).await.unwrap();
    let stored = projects.get("own").await.unwrap();
    assert_eq!(stored.data["spec"]["owner"]["name"], "alice");
}

async fn a_dry_run_is_judged_and_stores_nothing(world: &World) {
    let shoots = api(&world.alice, "Shoot");
    let dry = PostParams { dry_run: true, ..PostParams::default() };
    let tried = shoots.create(&dry, &shoot("dry", &json!([]))).await.unwrap();
    assert_eq!(tried.data["spec"]["tolerations"], json!([{"key": "default"}]));
    assert!(shoots.get_opt("dry").await.unwrap().is_none());
    let bad = shoot("dry", &json!([{"key": "forbidden"}]));
    assert_eq!(status(shoots.create(&dry, &bad).await.unwrap_err()).code, 403);
}

async fn updates_are_judged(world: &World) {
    let shoots = api(&world.alice, "Shoot");
    let patch = |key: &str| Patch::Merge(json!({"spec": {"tolerations": [{"key": key}]}}));
    let params = PatchParams::default();
    let refused = shoots.patch("good", &params, &patch("forbidden")).await;
    assert_eq!(status(refused.unwrap_err()).code, 403);
    shoots.patch("good", &params, &patch("allowed")).await.unwrap();
}

async fn warnings_arrive_at_the_client(world: &World) {
    let twice = json!([{"key": "x"}, {"key": "x"}]);
    let patch = json!({"spec": {"tolerations": {"defaults": twice}}}).to_string();
    let request = Request::patch("/apis/core.gardener.cloud/v1beta1/projects/dev?dryRun=All")
        .header("content-type", "application/merge-patch+json")
        .body(patch.into_bytes().into())
        .unwrap();
    let response = world.alice.client.send(request).await.unwrap();
    let warnings: Vec<_> = response.headers().get_all("warning").iter().collect();
    assert_eq!(response.status(), 200, "{warnings:?}");
    let text = format!("{warnings:?}");
    assert!(text.contains("299 - ") && text.contains("defaults[1]"), "{text}");
}

async fn the_whitelist_needs_its_verb(world: &World) {
    let whitelist = json!([{"key": "default"}, {"key": "allowed"}, {"key": "new"}]);
    let patch = Patch::Merge(json!({"spec": {"tolerations": {"whitelist": whitelist}}}));
    let params = PatchParams::default();
    let refused = api(&world.alice, "Project").patch("dev", &params, &patch).await;
    let status = status(refused.unwrap_err());
    let verb = "modify-spec-tolerations-whitelist";
    assert!(status.message.contains(verb), "{}", status.message);
    let allowed = api(&world.bob, "Project").patch("dev", &params, &patch).await;
    assert_eq!(allowed.unwrap().data["spec"]["tolerations"]["whitelist"], whitelist);
}

async fn what_changes_nothing_is_not_asked_about(world: &World) {
    let validated = "reviews_total{endpoint=\"validate\",kind=\"Shoot\",operation=\"UPDATE\",decision=\"allowed\"}";
    let patch = |labels| Patch::Merge(json!({"metadata": {"labels": labels}}));
    let shoots = api(&world.alice, "Shoot");
    let params = PatchParams::default();
    let before = world.gate.metric(validated).await;
    shoots.patch("good", &params, &patch(json!({}))).await.unwrap();
    assert_eq!(world.gate.metric(validated).await, before);
    shoots.patch("good", &params, &patch(json!({"a": "b"}))).await.unwrap();
    assert_eq!(world.gate.metric(validated).await, before + 1.0);
}

async fn both_kinds_are_deleted(world: &World) {
    let params = DeleteParams::default();
    api(&world.alice, "Shoot").delete("good", &params).await.unwrap();
    api(&world.alice, "Project").delete("own", &params).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_project_made_a_moment_ago_counts() {
    let Some(world) = World::start(Options::default(), GateArgs::new()).await else {
        return;
    };
    let admin = &world.cluster.admin;
    for round in 0..100 {
        let namespace = format!("garden-p{round}");
        let namespace =
            json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": namespace}});
        crate::cluster::objects::apply(&admin.client, &namespace.to_string()).await;
    }
    let shoots = |round: usize| {
        let kind = kube::core::GroupVersionKind::gvk("core.gardener.cloud", "v1beta1", "Shoot");
        let resource = kube::api::ApiResource::from_gvk(&kind);
        let namespace = format!("garden-p{round}");
        kube::Api::<kube::api::DynamicObject>::namespaced_with(
            world.alice.client.clone(),
            &namespace,
            &resource,
        )
    };
    let params = PostParams::default();
    for round in 0..100 {
        let spec = json!({"namespace": format!("garden-p{round}"), "tolerations": {"whitelist": [{"key": "own"}]}});
        let owner = project(&format!("p{round}"), spec);
        api(admin, "Project").create(&params, &owner).await.unwrap();
        let mut first = shoot("first", &json!([{"key": "own"}]));
        first.metadata.namespace = Some(format!("garden-p{round}"));
        let created = shoots(round).create(&params, &first).await;
        assert!(created.is_ok(), "round {round}: {created:?}");
    }
}
