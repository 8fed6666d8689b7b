// SPDX-License-Identifier: Apache-2.0
//! The growth of verdict costs with the length of lists in a request.
//! Tenfold lists must not cost a hundredfold.
//!
//! All rules are enabled, both objects have the list, and both entry points are measured, including parsing.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group};
use garden_gate_core::admission::{EntryPoint, Judgement, Request, World, judge};
use garden_gate_core::config::{Config, Level};
use garden_gate_core::garden::{GardenObject, Knowledge, Snapshot};
use garden_gate_core::rules;
use garden_gate_model::gardener::defaults;
use serde_json::{Value, json};

const SIZES: [usize; 3] = [100, 1_000, 10_000];

/// Returns a profile with `count` versions of Kubernetes, and of each of two images.
fn profile(count: usize) -> Value {
    let versions = |image: usize| -> Vec<Value> {
        let version = |patch: usize| json!({"version": format!("{image}.1.{patch}"), "architectures": ["amd64"], "cri": [{"name": "containerd"}]});
        (0..count).map(version).collect()
    };
    let image = |number: usize| json!({"name": format!("image-{number}"), "updateStrategy": "major", "versions": versions(number)});
    let kubernetes = |patch: usize| json!({"version": format!("1.{}.{patch}", 31 + patch % 4)});
    json!({"metadata": {"name": "p"}, "spec": {
        "type": "local",
        "kubernetes": {"versions": (0..count).map(kubernetes).collect::<Vec<_>>()},
        "machineImages": [image(0), image(1)],
        "machineTypes": [{"name": "large", "cpu": "2", "gpu": "0", "memory": "8Gi", "architecture": "amd64"}],
        "regions": [{"name": "here"}],
    }})
}

fn pool(number: usize, image: &str, maximum: usize) -> Value {
    json!({
        "name": format!("pool-{number}"), "minimum": 1, "maximum": maximum, "maxSurge": 1, "maxUnavailable": 0,
        "machine": {"type": "large", "architecture": "amd64", "image": {"name": "image-1", "version": image}},
        "volume": {"type": "default", "size": "20Gi"}, "cri": {"name": "containerd"},
        "systemComponents": {"allow": true}, "updateStrategy": "AutoRollingUpdate",
        "kubernetes": {"version": "1.31.0"}, "zones": ["a", "b", "c"], "labels": {"a": "b"},
        "taints": [{"key": "a", "value": "b", "effect": "NoSchedule"}],
        "machineControllerManager": {"machineDrainTimeout": "2h0m0s", "machineHealthTimeout": "10m0s"},
    })
}

fn shoot(pools: Vec<Value>, tolerations: Vec<Value>) -> Value {
    json!({"metadata": {"name": "s", "namespace": "garden-p"}, "spec": {
        "cloudProfile": {"kind": "CloudProfile", "name": "p"}, "region": "here", "purpose": "evaluation",
        "kubernetes": {"version": "1.31.0"}, "networking": {"type": "calico", "nodes": "10.250.0.0/16"},
        "provider": {"type": "local", "workers": pools}, "tolerations": tolerations,
    }})
}

fn garden() -> Snapshot {
    let mut garden = Snapshot::new(Knowledge::Everything);
    let mut project = serde_json::from_value(project(0)).unwrap();
    defaults::project(&mut project);
    garden.apply(GardenObject::from(project));
    let mut stored = serde_json::from_value(profile(50)).unwrap();
    defaults::cloud_profile(&mut stored);
    garden.apply(GardenObject::from(stored));
    garden
}

fn project(members: usize) -> Value {
    let member = |number: usize| json!({"kind": "User", "name": format!("user-{number}"), "role": "admin", "roles": ["viewer", "uam"]});
    let owner = json!({"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": "user-0"});
    json!({"metadata": {"name": "p"}, "spec": {
        "namespace": "garden-p", "owner": owner, "members": (0..members).map(member).collect::<Vec<_>>(),
    }})
}

/// Returns a request with the stored and the new object of a kind.
fn update(resource: &str, new: &Value, old: &Value) -> Vec<u8> {
    let resource =
        json!({"group": "core.gardener.cloud", "version": "v1beta1", "resource": resource});
    let namespace = new["metadata"]["namespace"].as_str().unwrap_or_default();
    let request = json!({
        "uid": "u", "resource": resource, "name": new["metadata"]["name"], "namespace": namespace, "operation": "UPDATE",
        "userInfo": {"username": "alice"}, "object": new, "oldObject": old,
    });
    let review =
        json!({"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": request});
    review.to_string().into_bytes()
}

/// Returns a configuration in which all findings deny.
fn every_rule() -> Config {
    let levels = rules::ALL.iter().map(|rule| (rule.id.to_owned(), Level::Deny));
    Config { levels: levels.collect(), ..Config::default() }
}

/// Returns the number of findings at both entry points.
fn findings(body: &[u8], garden: &Snapshot, config: &Config) -> usize {
    let request = Request::from_review(body).unwrap();
    let world = World {
        rules: rules::ALL.into(),
        garden,
        config,
        now: "2026-01-01T00:00:00Z".parse().unwrap(),
    };
    let judged = [EntryPoint::Mutate, EntryPoint::Validate].map(|entry_point| {
        match judge(entry_point, &request, &world) {
            Judgement::Review(review) => review.findings.len(),
            Judgement::Questions(_) => unreachable!("a whole garden has no questions"),
        }
    });
    judged.into_iter().sum()
}

/// Measures requests of all sizes.
fn grow(criterion: &mut Criterion, name: &str, body: impl Fn(usize) -> Vec<u8>) {
    let (garden, config) = (garden(), every_rule());
    let mut group = criterion.benchmark_group(name);
    group.sample_size(10);
    for size in SIZES {
        let body = body(size);
        group.throughput(Throughput::Elements(size as u64));
        group.bench_with_input(BenchmarkId::from_parameter(size), &body, |bencher, body| {
            bencher.iter(|| findings(black_box(body), &garden, &config));
        });
    }
    group.finish();
}

fn pools(criterion: &mut Criterion) {
    let shoot_with = |count: usize, image: &str, maximum: usize| {
        let pools = (0..count).map(|number| pool(number, image, maximum));
        shoot(pools.collect(), vec![])
    };
    grow(criterion, "pools", |count| {
        let (new, old) = (shoot_with(count, "1.1.5", 4), shoot_with(count, "1.1.5", 3));
        update("shoots", &new, &old)
    });
    // Several rules deny each pool.
    grow(criterion, "pools_refused", |count| {
        let mut new = shoot_with(count, "1.1.500", 3);
        for pool in new["spec"]["provider"]["workers"].as_array_mut().unwrap() {
            pool["kubernetes"]["version"] = json!("1.30.0");
            pool["updateStrategy"] = json!("AutoInPlaceUpdate");
        }
        update("shoots", &new, &shoot_with(count, "1.1.5", 3))
    });
}

fn tolerations(criterion: &mut Criterion) {
    let shoot_with = |count: usize, value: &str| {
        let toleration = |number| json!({"key": format!("key-{number}"), "value": value});
        shoot(vec![pool(0, "1.1.5", 3)], (0..count).map(toleration).collect())
    };
    grow(criterion, "tolerations", |count| {
        update("shoots", &shoot_with(count, "b"), &shoot_with(count, "a"))
    });
}

fn members(criterion: &mut Criterion) {
    grow(criterion, "members", |count| update("projects", &project(count + 1), &project(count)));
}

fn versions(criterion: &mut Criterion) {
    grow(criterion, "versions", |count| {
        let (mut new, old) = (profile(count), profile(count));
        new["metadata"]["labels"] = json!({"a": "b"});
        for version in new["spec"]["kubernetes"]["versions"].as_array_mut().unwrap() {
            version["classification"] = json!("supported");
        }
        update("cloudprofiles", &new, &old)
    });
}

criterion_group!(benches, pools, tolerations, members, versions);
