// SPDX-License-Identifier: Apache-2.0
//! The `matchConditions` of `/mutate` in a real API server, and the CPU time that they save.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use kube::api::{DynamicObject, Patch, PatchParams, PostParams};
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::cluster::TestCluster;
use crate::cluster::control_plane::Options;
use crate::cluster::objects::{apply, documents};
use crate::common::{Gate, GateArgs, eventually};
use crate::e2e::world::{api, enforced, garden, gate, project, ready, shoot, webhooks};

/// Returns a worker pool with all fields that `/mutate` may set.
fn pool(name: &str) -> Value {
    json!({
        "name": name, "minimum": 1, "maximum": 2, "maxSurge": 1, "maxUnavailable": 0,
        "cri": {"name": "containerd"}, "systemComponents": {"allow": true}, "updateStrategy": "AutoRollingUpdate",
        "machine": {"type": "small", "architecture": "amd64", "image": {"name": "linux", "version": "1.2.3"}},
    })
}

fn with_pools(pools: Vec<Value>) -> Value {
    json!({"kubernetes": {"version": "1.33.1"}, "provider": {"type": "p", "workers": pools}})
}

fn without(mut object: Value, pointer: &str) -> Value {
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    let fields = object.pointer_mut(parent).unwrap().as_object_mut().unwrap();
    fields.remove(name).unwrap();
    object
}

/// Returns name, spec, annotations, and whether an update of a label is sent to `/mutate`.
fn shoots() -> Vec<(&'static str, Value, Value, bool)> {
    let complete = || with_pools(vec![pool("a"), pool("b")]);
    let mut in_place = complete();
    in_place["provider"]["workers"][0]["updateStrategy"] = json!("AutoInPlaceUpdate");
    let mut null = complete();
    null["provider"]["workers"][1]["cri"] = Value::Null;
    let mut open = complete();
    open["kubernetes"]["version"] = json!("1.33");
    let mut open_image = complete();
    open_image["provider"]["workers"][0]["machine"]["image"]["version"] = json!("1");
    let many = (0..2_000).map(|number| pool(&format!("p{number}")));
    vec![
        ("complete", complete(), json!({}), false),
        ("workerless", json!({"kubernetes": {"version": "1.33.1"}}), json!({}), false),
        ("other-annotation", complete(), json!({"a": "b"}), false),
        ("many-pools", with_pools(many.collect()), json!({}), false),
        ("no-cri", without(complete(), "/provider/workers/0/cri"), json!({}), true),
        ("null-cri", null, json!({}), true),
        ("no-image", without(complete(), "/provider/workers/1/machine/image"), json!({}), true),
        ("open-image", open_image, json!({}), true),
        ("open-version", open, json!({}), true),
        ("in-place", in_place, json!({}), true),
        ("no-spec", Value::Null, json!({}), true),
        ("malformed-pools", json!({"provider": {"workers": 7}}), json!({}), true),
        ("malformed-pool", json!({"provider": {"workers": ["a"]}}), json!({}), true),
        ("operation", complete(), json!({"gardener.cloud/operation": "rotate-ssh-keypair"}), true),
        ("confirmed", complete(), json!({"confirmation.gardener.cloud/deletion": "true"}), true),
    ]
}

/// Returns the number of reviews of a kind at `/mutate` so far.
async fn asked(gate: &Gate, kind: &str) -> f64 {
    let metrics = gate.metrics().await;
    let reviews = metrics.lines().filter(|line| {
        line.starts_with("garden_gate_reviews_total{endpoint=\"mutate\"")
            && line.contains(&format!("kind=\"{kind}\""))
            && line.contains("operation=\"UPDATE\"")
    });
    let counts = reviews.map(|line| line.rsplit_once(' ').unwrap().1);
    counts.map(|count| count.parse::<f64>().unwrap()).sum()
}

#[tokio::test(flavor = "multi_thread")]
async fn match_conditions_skip_what_mutate_would_not_change() {
    let Some(cluster) = garden(Options::default()).await else {
        return;
    };
    let admin = &cluster.admin;
    for (name, spec, annotations, _) in shoots() {
        let mut object = shoot(name, &json!([]));
        object.data["spec"] = spec;
        object.metadata.annotations = serde_json::from_value(annotations).unwrap();
        let shoots = api(admin, "Shoot");
        let stored = shoots.create(&PostParams::default(), &object).await;
        stored.unwrap();
    }
    let owner = json!({"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": "o"});
    let mut member = owner.clone();
    member["role"] = json!("admin");
    let projects = [
        ("member", json!({"owner": owner, "members": [member]}), false),
        ("stranger", json!({"owner": owner, "members": []}), true),
    ];
    for (name, spec, _) in &projects {
        let object = project(name, spec.clone());
        let projects = api(admin, "Project");
        let stored = projects.create(&PostParams::default(), &object).await;
        stored.unwrap();
    }
    let gate = gate(&cluster, GateArgs::new()).await;
    ready(&gate).await;
    apply(&admin.client, &webhooks(&gate.url, Some(&gate.path("ca.crt")))).await;
    enforced(admin).await;
    let label = Patch::Merge(json!({"metadata": {"labels": {"written": "again"}}}));
    let params = PatchParams::default();
    for (name, _, _, sent) in shoots() {
        let before = asked(&gate, "Shoot").await;
        // `/mutate` refuses malformed objects, so only the number of calls matters here.
        let written = api(admin, "Shoot").patch(name, &params, &label).await;
        assert_eq!(asked(&gate, "Shoot").await > before, sent, "{name}: {written:?}");
        assert!(sent || written.is_ok(), "{name}: {written:?}");
    }
    for (name, _, sent) in projects {
        let before = asked(&gate, "Project").await;
        api(admin, "Project").patch(name, &params, &label).await.unwrap();
        assert_eq!(asked(&gate, "Project").await > before, sent, "{name}");
    }
    let before = asked(&gate, "Shoot").await;
    let spec = Patch::Merge(json!({"spec": {"purpose": "testing"}}));
    api(admin, "Shoot").patch("complete", &params, &spec).await.unwrap();
    assert_eq!(asked(&gate, "Shoot").await, before + 1.0, "a change of the spec is sent");
}

const ROUNDS: usize = 4;
const WRITES: usize = 250;
const CLIENTS: usize = 2;

/// A measured write with its number.
type Write = fn(&mut DynamicObject, usize);

const KINDS: [(&str, Write); 3] = [
    ("a label", |object, number| {
        let labels = object.metadata.labels.get_or_insert_default();
        labels.insert("number".to_owned(), number.to_string());
    }),
    ("the spec", |object, number| {
        object.data["spec"]["provider"]["workers"][0]["maximum"] = json!(3 + number % 2);
    }),
    ("nothing", |_, _| {}),
];

/// The compared registrations, and the webhooks that keep their conditions in each.
const REGISTRATIONS: [(&str, &[&str]); 4] = [
    ("no webhook", &[]),
    ("no conditions", &[]),
    ("conditions of /validate", &["ValidatingWebhookConfiguration"]),
    ("conditions of both", &["ValidatingWebhookConfiguration", "MutatingWebhookConfiguration"]),
];

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes minutes; prints the API server's CPU time for a write with and without `matchConditions`"]
async fn writes_cost_the_api_server() {
    let Some(cluster) = TestCluster::start().await else {
        return;
    };
    cluster.install_gardener_kinds().await;
    let admin = &cluster.admin;
    let namespace = "apiVersion: v1\nkind: Namespace\nmetadata: {name: garden-dev}\n";
    apply(&admin.client, namespace).await;
    let recorded = fs::read_to_string("tests/requests/002-validate-update-shoots.json").unwrap();
    let mut recorded: Value = serde_json::from_str(&recorded).unwrap();
    let mut object: DynamicObject =
        serde_json::from_value(recorded["review"]["request"]["oldObject"].take()).unwrap();
    object.metadata.resource_version = None;
    object.metadata.uid = None;
    let name = object.metadata.name.clone().unwrap();
    let shoots = api(admin, "Shoot");
    let object = shoots.create(&PostParams::default(), &object).await.unwrap();
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/garden");
    let args = GateArgs::new().garden_directory(&examples);
    let gate = tokio::task::block_in_place(|| Gate::start(&args));
    let mut figures = vec![vec![Vec::new(); KINDS.len()]; REGISTRATIONS.len()];
    for _ in 0..ROUNDS {
        for (at, (registration, kept)) in REGISTRATIONS.into_iter().enumerate() {
            register(&cluster, &gate, at > 0, kept).await;
            for (kind, (_, change)) in KINDS.into_iter().enumerate() {
                let (cpu, p50) = write(&cluster, &name, &object, change).await;
                figures[at][kind].push((cpu, p50));
                let said = format!("{registration}: {cpu:.1} ms, p50 {p50:.1} ms\n");
                std::io::stderr().write_all(said.as_bytes()).unwrap();
            }
        }
    }
    for (at, (registration, _)) in REGISTRATIONS.into_iter().enumerate() {
        for (kind, (change, _)) in KINDS.into_iter().enumerate() {
            let median = |of: fn(&(f64, f64)) -> f64| {
                let mut values: Vec<f64> = figures[at][kind].iter().map(of).collect();
                values.sort_by(f64::total_cmp);
                f64::midpoint(values[values.len() / 2], values[(values.len() - 1) / 2])
            };
            let (cpu, p50) = (median(|it| it.0), median(|it| it.1));
            let said = format!("| {registration} | {change} | {cpu:.1} ms, p50 {p50:.1} ms |\n");
            std::io::stderr().write_all(said.as_bytes()).unwrap();
        }
    }
}

/// Registers the webhooks and waits until the API server uses them.
///
/// The named configurations keep their conditions.
async fn register(cluster: &TestCluster, gate: &Gate, webhooks_wanted: bool, kept: &[&str]) {
    let admin = &cluster.admin;
    let registered = webhooks(&gate.url, Some(&gate.path("ca.crt")));
    for mut configuration in documents(&registered) {
        let types = configuration.types.clone().unwrap();
        let webhooks = configuration.data["webhooks"].as_array_mut().unwrap();
        for webhook in &mut *webhooks {
            if !kept.contains(&types.kind.as_str()) {
                webhook["matchConditions"] = json!([]);
            }
        }
        if !webhooks_wanted {
            webhooks.clear();
        }
        let yaml = serde_json::to_string(&configuration).unwrap();
        apply(&admin.client, &yaml).await;
    }
    // A CREATE matches every condition.
    let dry = PostParams { dry_run: true, ..PostParams::default() };
    eventually("the registration is used", async || {
        let bad = shoot("probe", &json!([{"key": "forbidden"}]));
        api(admin, "Shoot").create(&dry, &bad).await.is_err() == webhooks_wanted
    })
    .await;
    // No request shows when the API server uses new conditions.
    tokio::time::sleep(Duration::from_secs(3)).await;
}

/// Returns the CPU milliseconds of the API server for one write, and the duration of the median write.
async fn write(
    cluster: &TestCluster,
    name: &str,
    stored: &DynamicObject,
    change: Write,
) -> (f64, f64) {
    let begin = cluster.api_server_cpu();
    let mut clients = JoinSet::new();
    for client in 0..CLIENTS {
        let (shoots, name, stored) =
            (api(&cluster.admin, "Shoot"), name.to_owned(), stored.clone());
        clients.spawn(async move {
            let dry = PostParams { dry_run: true, ..PostParams::default() };
            let mut times = Vec::new();
            for number in 0..WRITES / CLIENTS {
                let mut object = stored.clone();
                change(&mut object, client * WRITES + number);
                let start = Instant::now();
                shoots.replace(&name, &dry, &object).await.unwrap();
                times.push(start.elapsed().as_secs_f64() * 1e3);
            }
            times
        });
    }
    let mut times = clients.join_all().await.concat();
    times.sort_by(f64::total_cmp);
    let cpu = cluster.api_server_cpu().saturating_sub(begin);
    (cpu.as_secs_f64() * 1e3 / times.len() as f64, times[times.len() / 2])
}
