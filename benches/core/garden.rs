// SPDX-License-Identifier: Apache-2.0
//! Compares gardens with few and many Shoots: the cost of a verdict must not depend on their number.

use std::hint::black_box;

use criterion::{BatchSize, BenchmarkId, Criterion, criterion_group};
use garden_gate_core::admission::{EntryPoint, Judgement, Request, Verdict, World, judge};
use garden_gate_core::config::Config;
use garden_gate_core::garden::{GardenObject, Knowledge, Snapshot};
use garden_gate_core::rules;
use garden_gate_model::gardener::defaults;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

const SIZES: [usize; 2] = [100, 100_000];
const SEEDS: usize = 10;

fn read<T: DeserializeOwned>(value: Value) -> T {
    serde_json::from_value(value).unwrap()
}

fn shoot(index: usize) -> Value {
    json!({
        "metadata": {"name": format!("shoot-{index}"), "namespace": format!("garden-{}", index % 1_000)},
        "spec": {
            "cloudProfile": {"name": "c"},
            "seedName": format!("seed-{}", index % SEEDS),
            "kubernetes": {"version": "1.34.1"},
            "provider": {"type": "aws"},
            "networking": {"pods": "100.64.0.0/11", "services": "100.96.0.0/13"},
        },
    })
}

/// Returns a garden with this many Shoots, distributed over seeds with free capacity.
fn garden(shoots: usize) -> Snapshot {
    let mut garden = Snapshot::new(Knowledge::Everything);
    let mut project = read(json!({"metadata": {"name": "p"}, "spec": {"namespace": "garden-0"}}));
    defaults::project(&mut project);
    garden.apply(GardenObject::from(project));
    let profile: garden_gate_model::api::CloudProfile = read(json!({
        "metadata": {"name": "c"},
        "spec": {"kubernetes": {"versions": [{"version": "1.34.1"}]}},
    }));
    garden.apply(GardenObject::from(profile));
    for index in 0..SEEDS {
        let seed = json!({
            "metadata": {"name": format!("seed-{index}")},
            "spec": {"provider": {"type": "aws", "region": "eu"}},
            "status": {"allocatable": {"shoots": 1_000_000}},
        });
        let mut seed = read(seed);
        defaults::seed(&mut seed);
        garden.apply(GardenObject::from(seed));
    }
    for index in 0..shoots {
        garden.apply(GardenObject::Shoot(read(shoot(index))));
    }
    garden
}

/// Creates a Shoot on a seed, which requires a lookup of its capacity.
fn capacity(criterion: &mut Criterion) {
    let mut object = shoot(0);
    object["metadata"]["name"] = json!("new");
    let review = json!({
        "apiVersion": "admission.k8s.io/v1",
        "kind": "AdmissionReview",
        "request": {
            "uid": "u",
            "resource": {"group": "core.gardener.cloud", "version": "v1beta1", "resource": "shoots"},
            "operation": "CREATE",
            "name": "new",
            "namespace": "garden-0",
            "userInfo": {"username": "operator", "groups": ["system:masters"]},
            "object": object,
        },
    });
    let body = review.to_string();
    let request = Request::from_review(body.as_bytes()).unwrap();
    let config = Config::default();
    let now = "2026-01-01T00:00:00Z".parse().unwrap();
    let mut group = criterion.benchmark_group("capacity_of_a_seed");
    for size in SIZES {
        let garden = garden(size);
        let world = World { rules: rules::ALL.into(), garden: &garden, config: &config, now };
        let verdict = || match judge(EntryPoint::Validate, black_box(&request), &world) {
            Judgement::Review(review) => review,
            Judgement::Questions(_) => unreachable!("a whole garden has no questions"),
        };
        let review = verdict();
        assert_eq!(review.verdict(), Verdict::Allowed, "{review:?}");
        group.bench_function(BenchmarkId::from_parameter(size), |bencher| {
            bencher.iter(verdict);
        });
    }
    group.finish();
}

/// Moves a Shoot from one seed to another in the index.
fn event(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("event_of_a_shoot");
    for size in SIZES {
        let mut garden = garden(size);
        let mut seed = 0;
        group.bench_function(BenchmarkId::from_parameter(size), |bencher| {
            bencher.iter_batched(
                || {
                    seed = (seed + 1) % SEEDS;
                    let mut moved = shoot(7);
                    moved["spec"]["seedName"] = json!(format!("seed-{seed}"));
                    GardenObject::Shoot(read(moved))
                },
                |moved| garden.apply(black_box(moved)),
                BatchSize::SmallInput,
            );
        });
    }
    group.finish();
}

criterion_group!(benches, capacity, event);
