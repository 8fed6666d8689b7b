// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeMap;
use std::path::Path;

use kube::api::{Api, ApiResource, DynamicObject};
use kube::core::{GroupVersionKind, Status};
use serde_json::{Value, json};

use crate::cluster::TestCluster;
use crate::cluster::control_plane::Options;
use crate::cluster::objects::apply;
use crate::cluster::user::User;
use crate::common::{Gate, GateArgs, eventually, garden_gate};

const GARDEN: &str = "
apiVersion: v1
kind: Namespace
metadata: { name: garden-dev }
---
apiVersion: core.gardener.cloud/v1beta1
kind: Project
metadata: { name: dev }
spec:
  namespace: garden-dev
  tolerations: { defaults: [{ key: default }], whitelist: [{ key: default }, { key: allowed }] }
";

/// The rules under test, which require little of a garden.
pub(crate) const RULES: [&str; 14] = [
    "shoot/tolerations-default",
    "shoot/tolerations-invalid",
    "shoot/toleration-not-whitelisted",
    "project/owner-defaulting",
    "project/tolerations-invalid",
    "project/whitelist-verb",
    "cloudprofile/version-in-use",
    "shoot/seed-name-create-unauthorized",
    "shoot/seed-taints-not-tolerated",
    "shoot/live-migration",
    "seed/delete-in-use",
    "seed/deletecollection-in-use",
    "seed/default-domains-in-use",
    "seed/backup-workload-identity-type",
];

/// Returns a configuration with these rules only; one of them warns, so that a warning is visible.
pub(crate) fn config(rules: &[&str]) -> String {
    let levels = garden_gate_core::rules::ALL.iter().map(|rule| {
        let level = match rule.id {
            "project/tolerations-invalid" => "warn",
            id if rules.contains(&id) => "deny",
            _ => "off",
        };
        (rule.id, level)
    });
    let levels: BTreeMap<&str, &str> = levels.collect();
    let config = json!({
        "apiVersion": "garden-gate.dev/v1alpha1",
        "kind": "GateConfiguration",
        "rules": levels,
        "featureGates": {"LiveControlPlaneMigration": true},
    });
    config.to_string()
}

/// A cluster with a garden, whose API server calls a webhook server.
pub(crate) struct World {
    pub(crate) gate: Gate,
    /// A member of projects.
    pub(crate) alice: User,
    /// A member of projects who is also an operator.
    pub(crate) bob: User,
    pub(crate) cluster: TestCluster,
}

impl World {
    /// Starts everything and waits until denials are effective; returns `None` without a cluster.
    pub(crate) async fn start(options: Options, args: GateArgs) -> Option<World> {
        let cluster = garden(options).await?;
        let gate = gate(&cluster, args).await;
        ready(&gate).await;
        let world = World {
            gate,
            alice: cluster.user("alice", &["devs"]).await,
            bob: cluster.user("bob", &["devs", "operators"]).await,
            cluster,
        };
        let bundle = world.gate.path("ca.crt");
        let admin = &world.cluster.admin;
        apply(&admin.client, &webhooks(&world.gate.url, Some(&bundle))).await;
        enforced(&world.alice).await;
        Some(world)
    }
}

/// Starts a cluster with the Gardener kinds, one Project, and all permissions.
pub(crate) async fn garden(options: Options) -> Option<TestCluster> {
    let cluster = TestCluster::start_with(options).await?;
    cluster.install_gardener_kinds().await;
    apply(&cluster.admin.client, GARDEN).await;
    apply(&cluster.admin.client, include_str!("rbac.yaml")).await;
    Some(cluster)
}

/// Starts a webhook server that watches the cluster, as a user with the documented permissions.
pub(crate) async fn gate(cluster: &TestCluster, args: GateArgs) -> Gate {
    let user = cluster.user("gate", &[]).await;
    let args = args.config(&config(&RULES)).live(&user.kubeconfig);
    // `Gate::start` blocks, while API clients of this process must continue.
    tokio::task::block_in_place(|| Gate::start(&args))
}

pub(crate) async fn ready(gate: &Gate) {
    eventually("the gate is ready", async || gate.get("/readyz").await.0 == 200).await;
}

/// Returns the output of `garden-gate webhooks`.
pub(crate) fn webhooks(url: &str, ca_bundle: Option<&Path>) -> String {
    // An unreachable server must not go unnoticed.
    webhooks_with(&["--url", url, "--failure-policy", "Fail"], ca_bundle)
}

/// Returns the output of `garden-gate webhooks` with other flags.
pub(crate) fn webhooks_with(flags: &[&str], ca_bundle: Option<&Path>) -> String {
    let mut arguments = [&["webhooks"][..], flags].concat();
    if let Some(path) = ca_bundle {
        arguments.extend(["--ca-bundle", path.to_str().unwrap()]);
    }
    let output = garden_gate(&arguments);
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// Waits until the API server uses the webhook configurations.
pub(crate) async fn enforced(user: &User) {
    let dry = kube::api::PostParams { dry_run: true, ..Default::default() };
    eventually("the gate is asked", async || {
        let bad = shoot("probe", &json!([{"key": "forbidden"}]));
        let refused = api(user, "Shoot").create(&dry, &bad).await;
        refused.is_err_and(|error| status(error).message.contains("forbidden"))
    })
    .await;
}

/// Returns the API of a kind; for Shoots, in `garden-dev`.
pub(crate) fn api(user: &User, kind: &str) -> Api<DynamicObject> {
    let kind = GroupVersionKind::gvk("core.gardener.cloud", "v1beta1", kind);
    let resource = ApiResource::from_gvk(&kind);
    let client = user.client.clone();
    match kind.kind.as_str() {
        "Shoot" => Api::namespaced_with(client, "garden-dev", &resource),
        _ => Api::all_with(client, &resource),
    }
}

/// Returns a Shoot of namespace `garden-dev`.
pub(crate) fn shoot(name: &str, tolerations: &Value) -> DynamicObject {
    object(json!({
        "apiVersion": "core.gardener.cloud/v1beta1",
        "kind": "Shoot",
        "metadata": {"name": name, "namespace": "garden-dev"},
        "spec": {"tolerations": tolerations},
    }))
}

/// Returns a Project.
pub(crate) fn project(name: &str, spec: Value) -> DynamicObject {
    cluster_wide("Project", name, spec)
}

/// Returns a Seed.
pub(crate) fn seed(name: &str, spec: Value) -> DynamicObject {
    cluster_wide("Seed", name, spec)
}

fn cluster_wide(kind: &str, name: &str, spec: Value) -> DynamicObject {
    object(json!({
        "apiVersion": "core.gardener.cloud/v1beta1",
        "kind": kind,
        "metadata": {"name": name},
        "spec": spec,
    }))
}

fn object(value: Value) -> DynamicObject {
    serde_json::from_value(value).unwrap()
}

/// Returns the status in an error of the API server.
pub(crate) fn status(error: kube::Error) -> Box<Status> {
    match error {
        kube::Error::Api(status) => status,
        other => panic!("the API server did not answer: {other}"),
    }
}
