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

/// The rules that these tests are about: what they need is the least that a garden can have.
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

/// A configuration with these rules only; one of them warns, so that a warning can be seen.
pub(crate) fn config(rules: &[&str]) -> String {
    let levels = garden_gate::rules::ALL.iter().map(|rule| {
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

/// A cluster with a garden and a gate, which the API server asks.
pub(crate) struct World {
    pub(crate) gate: Gate,
    /// A member of projects.
    pub(crate) alice: User,
    /// The same, and an operator.
    pub(crate) bob: User,
    pub(crate) cluster: TestCluster,
}

impl World {
    /// Everything is ready, and what the gate refuses is refused; `None` where there is no cluster.
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

/// A cluster with the Gardener kinds, one Project, and everybody's rights.
pub(crate) async fn garden(options: Options) -> Option<TestCluster> {
    let cluster = TestCluster::start_with(options).await?;
    cluster.install_gardener_kinds().await;
    apply(&cluster.admin.client, GARDEN).await;
    apply(&cluster.admin.client, include_str!("rbac.yaml")).await;
    Some(cluster)
}

/// A gate that watches the cluster, as a user with the rights that the gate needs.
pub(crate) async fn gate(cluster: &TestCluster, args: GateArgs) -> Gate {
    let user = cluster.user("gate", &[]).await;
    let args = args.config(&config(&RULES)).live(&user.kubeconfig);
    // Starting blocks, and the API server's clients of this process must go on meanwhile.
    tokio::task::block_in_place(|| Gate::start(&args))
}

pub(crate) async fn ready(gate: &Gate) {
    eventually("the gate is ready", async || {
        gate.get("/readyz").await.0 == 200
    })
    .await;
}

/// The output of our own command.
pub(crate) fn webhooks(url: &str, ca_bundle: Option<&Path>) -> String {
    webhooks_with(&["--url", url], ca_bundle)
}

/// The same, with other flags.
pub(crate) fn webhooks_with(flags: &[&str], ca_bundle: Option<&Path>) -> String {
    let mut arguments = [&["webhooks"], flags].concat();
    if let Some(path) = ca_bundle {
        arguments.extend(["--ca-bundle", path.to_str().unwrap()]);
    }
    let output = garden_gate(&arguments);
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// API servers learn of webhook configurations after a moment.
pub(crate) async fn enforced(user: &User) {
    let dry = kube::api::PostParams {
        dry_run: true,
        ..Default::default()
    };
    eventually("the gate is asked", async || {
        let bad = shoot("probe", &json!([{"key": "forbidden"}]));
        let refused = api(user, "Shoot").create(&dry, &bad).await;
        refused.is_err_and(|error| status(error).message.contains("forbidden"))
    })
    .await;
}

/// The endpoint of a kind; of Shoots, in `garden-dev`.
pub(crate) fn api(user: &User, kind: &str) -> Api<DynamicObject> {
    let kind = GroupVersionKind::gvk("core.gardener.cloud", "v1beta1", kind);
    let resource = ApiResource::from_gvk(&kind);
    let client = user.client.clone();
    match kind.kind.as_str() {
        "Shoot" => Api::namespaced_with(client, "garden-dev", &resource),
        _ => Api::all_with(client, &resource),
    }
}

/// A Shoot of namespace `garden-dev`.
pub(crate) fn shoot(name: &str, tolerations: &Value) -> DynamicObject {
    object(json!({
        "apiVersion": "core.gardener.cloud/v1beta1",
        "kind": "Shoot",
        "metadata": {"name": name, "namespace": "garden-dev"},
        "spec": {"tolerations": tolerations},
    }))
}

/// A Project.
pub(crate) fn project(name: &str, spec: Value) -> DynamicObject {
    cluster_wide("Project", name, spec)
}

/// A Seed.
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

/// What the API server said.
pub(crate) fn status(error: kube::Error) -> Box<Status> {
    match error {
        kube::Error::Api(status) => status,
        other => panic!("the API server did not answer: {other}"),
    }
}
