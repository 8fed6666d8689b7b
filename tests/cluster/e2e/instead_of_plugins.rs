// SPDX-License-Identifier: Apache-2.0
//! garden-gate with a live gardener-apiserver that runs without the admission plugins that garden-gate replaces.
//!
//! garden-gate refuses the same requests, on endpoints and with defaults that no CustomResourceDefinition has.

use std::path::Path;

use axum::http::Method;
use kube::Client;
use serde_json::{Value, json};

use crate::cluster::TestCluster;
use crate::cluster::aggregated::AggregatedServer;
use crate::cluster::objects::apply;
use crate::cluster::user::User;
use crate::common::eventually;
use crate::common::{Gate, GateArgs};
use crate::e2e::world::{ready, webhooks_with};
use crate::gardener;
use crate::http::{Reply, send};
use crate::recorded;

/// The plugins that garden-gate replaces.
const PLUGINS: [&str; 12] = [
    "ShootTolerationRestriction",
    "ShootValidator",
    "ShootMutator",
    "CustomVerbAuthorizer",
    "DeletionConfirmation",
    "SeedValidator",
    "FinalizerRemoval",
    "NamespacedCloudProfileValidator",
    "ShootQuotaValidator",
    "ShootDNS",
    "ExtensionValidator",
    "ShootManagedSeed",
];

/// Recorded requests that garden-gate allows, since it does not read Secrets: those of managed issuers, and kubeconfigs.
const WITHOUT_SECRETS: [&str; 2] =
    ["shoot_references_quota/1-plain-071", "shoot_references_quota/1-plain-124"];

/// Metadata that an API server sets.
const MADE_UP: [&str; 4] = ["uid", "resourceVersion", "creationTimestamp", "generation"];

/// What garden-gate needs with `admission: complete`, in addition.
const RBAC_OF_COMPLETE: &str = "\
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: garden-gate-complete }
rules:
  - apiGroups: [core.gardener.cloud, security.gardener.cloud, seedmanagement.gardener.cloud]
    resources: [controllerregistrations, credentialsbindings, managedseeds, quotas, secretbindings]
    verbs: [get, list, watch]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: { name: garden-gate-complete }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: garden-gate-complete }
subjects: [{ apiGroup: rbac.authorization.k8s.io, kind: User, name: gate }]
";

const CORE: &str = "/apis/core.gardener.cloud/v1beta1";
const SHOOTS: &str = "/apis/core.gardener.cloud/v1beta1/namespaces/garden-dev/shoots";

struct World {
    /// A member of projects.
    alice: User,
    /// An operator.
    olga: User,
    /// A server that stores any object.
    storing: AggregatedServer,
    _judging: AggregatedServer,
    _gate: Gate,
    /// A valid Shoot.
    shoot: Value,
    cluster: TestCluster,
}

impl World {
    async fn start() -> Option<World> {
        let program = gardener::program()?;
        let cluster = TestCluster::start().await?;
        let family = recorded::read(Path::new("tests/conformance/shoot_update_rules.json.gz"));
        let garden = &family["gardens"][0];
        let gates = &garden["config"]["featureGates"];
        let off = gardener::plugins(&program);
        let storing = gardener::start(&cluster, &program, "storing", gates, &off).await;
        let off = PLUGINS.map(str::to_owned);
        let judging = gardener::start(&cluster, &program, "judging", gates, &off).await;
        judging.serve(&cluster, gardener::GROUPS).await;
        apply(&cluster.admin.client, include_str!("rbac.yaml")).await;
        apply(&cluster.admin.client, RBAC_OF_COMPLETE).await;
        store(&cluster, &storing, garden["manifests"].as_array().unwrap()).await;
        let gate = gate(&cluster, garden).await;
        let bundle = gate.path("ca.crt");
        let config = gate.path("config.yaml");
        let config = config.to_str().unwrap();
        let flags = ["--url", &gate.url, "--config", config, "--failure-policy", "Fail"];
        let registration = webhooks_with(&flags, Some(&bundle));
        apply(&cluster.admin.client, &registration).await;
        let world = World {
            alice: cluster.user("alice", &["devs"]).await,
            olga: cluster.user("olga", &["operators"]).await,
            storing,
            _judging: judging,
            _gate: gate,
            shoot: valid(garden),
            cluster,
        };
        world.enforced().await;
        Some(world)
    }

    /// Waits until the API server uses the webhook configurations.
    async fn enforced(&self) {
        let mut shoot = self.shoot("probe");
        shoot["spec"]["tolerations"] = json!([{"key": "forbidden"}]);
        eventually("the gate is asked", async || {
            let reply = self.create(&self.alice, &shoot, "shoots", "?dryRun=All").await;
            reply.code == 403
        })
        .await;
    }

    fn shoot(&self, name: &str) -> Value {
        let mut shoot = self.shoot.clone();
        shoot["metadata"]["name"] = json!(name);
        shoot
    }

    async fn create(&self, user: &User, object: &Value, resource: &str, query: &str) -> Reply {
        let path = format!("{CORE}/namespaces/garden-dev/{resource}{query}");
        send(&user.client, Method::POST, &path, object.to_string(), None).await
    }

    async fn refuses(&self, user: &User, object: &Value, resource: &str, words: &str) {
        refused(&self.create(user, object, resource, "").await, words);
    }

    async fn get(&self, path: &str) -> Value {
        let client = &self.cluster.admin.client;
        send(client, Method::GET, path, String::new(), None).await.body
    }
}

/// Returns a new Shoot with workers that was accepted in this garden.
fn valid(garden: &Value) -> Value {
    let cases = garden["cases"].as_array().unwrap().iter();
    let mut shoots =
        cases.filter(|it| it["expect"]["allowed"] == true).map(|it| &it["request"]["oldObject"]);
    let mut shoot =
        shoots.find(|it| it["spec"]["provider"]["workers"][0].is_object()).unwrap().clone();
    shoot.as_object_mut().unwrap().remove("status");
    shoot["metadata"] = json!({"namespace": "garden-dev"});
    shoot
}

async fn gate(cluster: &TestCluster, garden: &Value) -> Gate {
    let mut config = garden["config"].clone();
    config["apiVersion"] = json!("garden-gate.dev/v1alpha1");
    config["kind"] = json!("GateConfiguration");
    config["admission"] = json!("complete");
    let user = cluster.user("gate", &[]).await;
    let args = GateArgs::new().config(&config.to_string()).live(&user.kubeconfig);
    let gate = tokio::task::block_in_place(|| Gate::start(&args));
    ready(&gate).await;
    gate
}

/// Stores manifests, except those in deletion.
async fn store(cluster: &TestCluster, storing: &AggregatedServer, manifests: &[Value]) {
    for manifest in manifests {
        if !manifest["metadata"]["deletionTimestamp"].is_null() {
            continue;
        }
        let mut manifest = manifest.clone();
        let fields = manifest.as_object_mut().unwrap();
        fields.remove("status");
        let metadata = fields["metadata"].as_object_mut().unwrap();
        for member in MADE_UP {
            metadata.remove(member);
        }
        let is_gardeners = manifest["apiVersion"].as_str().unwrap().contains("gardener.cloud");
        let user = if is_gardeners { &storing.admin } else { &cluster.admin };
        apply(&user.client, &manifest.to_string()).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_gate_alone_refuses_what_plugins_would_have() {
    let Some(world) = World::start().await else {
        return;
    };
    shoots_are_refused_and_completed(&world).await;
    shoots_are_bound_to_seeds(&world).await;
    what_is_there_is_kept(&world).await;
    verbs_are_needed(&world).await;
    profiles_fit_their_parent(&world).await;
    recorded_requests_have_the_same_verdict(&world).await;
}

/// Sends the CREATEs of all families that were recorded in this garden, as dry runs.
async fn recorded_requests_have_the_same_verdict(world: &World) {
    let (mut sent, mut differing) = (0, Vec::new());
    for case in recorded_creates() {
        let request = &case["request"];
        let user = match request["userInfo"]["username"].as_str() {
            Some("olga") => &world.olga,
            _ => &world.alice,
        };
        let resource = &request["resource"];
        let [group, version, plural] =
            ["group", "version", "resource"].map(|it| resource[it].as_str().unwrap());
        let namespace = match request["namespace"].as_str() {
            None | Some("") => String::new(),
            Some(namespace) => format!("/namespaces/{namespace}"),
        };
        let path = format!(
            "/apis/{group}/{version}{namespace}/{plural}?dryRun=All&fieldValidation=Strict"
        );
        let object = request["object"].to_string();
        let reply = send(&user.client, Method::POST, &path, object, None).await;
        sent += 1;
        let is_same = reply.is_success() == (case["expect"]["allowed"] == true);
        if !is_same && !WITHOUT_SECRETS.contains(&case["id"].as_str().unwrap()) {
            let (id, found) = (&case["id"], &case["expect"]["findings"]);
            let message = &reply.body["message"];
            differing.push(format!("{id}: {} {message}, recorded: {found}", reply.code));
        }
    }
    assert!(differing.is_empty(), "{} of {sent}:\n{}", differing.len(), differing.join("\n"));
    assert!(sent > 900, "{sent}");
}

/// Returns the recorded CREATEs of this garden, of families that a running server answered.
fn recorded_creates() -> Vec<Value> {
    let own = recorded::read(Path::new("tests/conformance/shoot_update_rules.json.gz"));
    let manifests = &own["gardens"][0]["manifests"];
    let mut creates = Vec::new();
    for file in std::fs::read_dir("tests/conformance").unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_none_or(|it| it != "gz") {
            continue;
        }
        let family = recorded::read(&path);
        let gardens = family["gardens"].as_array().unwrap().iter();
        for garden in gardens.filter(|it| it["manifests"] == *manifests) {
            let cases = garden["cases"].as_array().unwrap().iter();
            let is_create =
                |it: &&Value| it["request"]["operation"] == "CREATE" && it["text"].is_null();
            creates.extend(cases.filter(is_create).cloned());
        }
    }
    creates
}

async fn shoots_are_refused_and_completed(world: &World) {
    let mut shoot = world.shoot("new");
    shoot["spec"]["tolerations"] = json!([{"key": "forbidden"}]);
    world.refuses(&world.alice, &shoot, "shoots", "`forbidden`").await;
    let mut shoot = world.shoot("new");
    shoot["spec"]["kubernetes"]["version"] = json!("1.99.0");
    world.refuses(&world.alice, &shoot, "shoots", "`1.99.0`").await;
    let mut shoot = world.shoot("new");
    shoot["spec"]["kubernetes"]["version"] = json!("1.34");
    let image = &mut shoot["spec"]["provider"]["workers"][0]["machine"]["image"];
    *image = json!({"name": "gardenlinux"});
    let reply = world.create(&world.alice, &shoot, "shoots", "").await;
    assert!(reply.is_success(), "{}", reply.body["message"]);
    let spec = &reply.body["spec"];
    assert_eq!(spec["kubernetes"]["version"], "1.34.7");
    let image = &spec["provider"]["workers"][0]["machine"]["image"];
    assert_eq!(image["version"], "1877.5.0");
}

async fn shoots_are_bound_to_seeds(world: &World) {
    let path = format!("{SHOOTS}/new");
    let bound = async |seed: &str, query: &str| {
        let mut shoot = world.get(&path).await;
        shoot["spec"]["seedName"] = json!(seed);
        let path = format!("{path}/binding{query}");
        send(&world.olga.client, Method::PUT, &path, shoot.to_string(), None).await
    };
    // It has a taint without a toleration.
    refused(&bound("us-1", "").await, "`us-1`");
    let reply = bound("eu-1", "").await;
    assert!(reply.is_success(), "{}", reply.body["message"]);
    // Bound Shoots are on it.
    let seed = format!("{CORE}/seeds/eu-1?dryRun=All");
    let reply = send(&world.olga.client, Method::DELETE, &seed, String::new(), None).await;
    refused(&reply, "eu-1");
}

async fn what_is_there_is_kept(world: &World) {
    let path = format!("{SHOOTS}/new");
    let delete =
        async || send(&world.alice.client, Method::DELETE, &path, String::new(), None).await;
    refused(&delete().await, "confirmation.gardener.cloud/deletion");
    let patch = async |client: &Client, metadata: Value| {
        let mut shoot = world.get(&path).await;
        for (member, value) in metadata.as_object().unwrap() {
            shoot["metadata"][member] = value.clone();
        }
        send(client, Method::PUT, &path, shoot.to_string(), None).await
    };
    let storing = &world.storing.admin.client;
    assert!(patch(storing, json!({"finalizers": ["gardener"]})).await.is_success());
    let mut shoot = world.get(&path).await;
    shoot["status"]["technicalID"] = json!("shoot--dev--new");
    shoot["status"]["lastOperation"] = json!({"type": "Reconcile", "state": "Processing", "progress": 10, "description": "", "lastUpdateTime": "2026-01-01T00:00:00Z"});
    let status = format!("{path}/status");
    let reply = send(storing, Method::PUT, &status, shoot.to_string(), None).await;
    assert!(reply.is_success(), "{}", reply.body["message"]);
    refused(&patch(&world.alice.client, json!({"finalizers": []})).await, "finalizer");
    let mut annotations = world.get(&path).await["metadata"]["annotations"].clone();
    annotations["confirmation.gardener.cloud/deletion"] = json!("true");
    let reply = patch(&world.alice.client, json!({"annotations": annotations})).await;
    assert!(reply.is_success(), "{}", reply.body["message"]);
    let by = &reply.body["metadata"]["annotations"]["deletion.gardener.cloud/confirmed-by"];
    assert_eq!(by, "alice");
    assert!(delete().await.is_success());
}

async fn verbs_are_needed(world: &World) {
    let path = format!("{CORE}/projects/dev");
    let mut project = world.get(&path).await;
    let members = project["spec"]["members"].as_array_mut().unwrap();
    members.push(json!({"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": "carol", "role": "viewer"}));
    let put =
        async |user: &User| send(&user.client, Method::PUT, &path, project.to_string(), None).await;
    refused(&put(&world.alice).await, "manage-members");
    let reply = put(&world.olga).await;
    assert!(reply.is_success(), "{}", reply.body["message"]);
}

async fn profiles_fit_their_parent(world: &World) {
    let mut profile = json!({
        "apiVersion": "core.gardener.cloud/v1beta1",
        "kind": "NamespacedCloudProfile",
        "metadata": {"name": "own", "namespace": "garden-dev"},
        "spec": {
            "parent": {"kind": "CloudProfile", "name": "stratus"},
            "kubernetes": {"versions": [{"version": "1.98.0", "expirationDate": "2098-01-01T00:00:00Z"}]},
        },
    });
    world.refuses(&world.olga, &profile, "namespacedcloudprofiles", "`1.98.0`").await;
    profile["spec"]["kubernetes"]["versions"][0]["version"] = json!("1.33.9");
    let reply = world.create(&world.olga, &profile, "namespacedcloudprofiles", "").await;
    assert!(reply.is_success(), "{}", reply.body["message"]);
}

/// Asserts that garden-gate refuses with this message.
fn refused(reply: &Reply, words: &str) {
    let message = reply.body["message"].as_str().unwrap_or_default();
    let is_ours = message.contains("garden-gate.dev\" denied the request");
    assert!(is_ours && message.contains(words), "{}: {message}", reply.code);
}
