// SPDX-License-Identifier: Apache-2.0
//! Costs of a verdict without network and TLS, compared with only parsing the same body.

use std::fs;
use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group};
use garden_gate_core::admission::{EntryPoint, Judgement, Request, World, judge};
use garden_gate_core::config::Config;
use garden_gate_core::garden::{GardenObject, Knowledge, Snapshot};
use garden_gate_core::rules;
use garden_gate_model::api::Shoot;
use garden_gate_model::gardener::defaults;
use serde_json::{Value, json};

/// Returns the body of a real API server's request to `/validate` for a changed Shoot.
fn body() -> Vec<u8> {
    let file = fs::read_to_string("tests/requests/002-validate-update-shoots.json").unwrap();
    serde_json::from_str::<Value>(&file).unwrap()["review"].to_string().into_bytes()
}

fn garden() -> Snapshot {
    let project = json!({"metadata": {"name": "dev"}, "spec": {"namespace": "garden-dev"}});
    let mut project = serde_json::from_value(project).unwrap();
    defaults::project(&mut project);
    let mut garden = Snapshot::new(Knowledge::Everything);
    garden.apply(GardenObject::from(project));
    garden
}

fn verdict(criterion: &mut Criterion) {
    let (body, garden, config) = (body(), garden(), Config::default());
    let now = "2026-01-01T00:00:00Z".parse().unwrap();
    let world = World { rules: rules::ALL.into(), garden: &garden, config: &config, now };
    let mut group = criterion.benchmark_group("shoot_update");
    group.throughput(Throughput::Bytes(body.len() as u64));
    group.bench_function("parse_only", |bencher| {
        bencher.iter(|| serde_json::from_slice::<Value>(black_box(&body)).unwrap());
    });
    group.bench_function("parse_and_judge", |bencher| {
        bencher.iter(|| {
            let request = Request::from_review(black_box(&body)).unwrap();
            match judge(EntryPoint::Validate, &request, &world) {
                Judgement::Review(review) => review.verdict(),
                Judgement::Questions(_) => unreachable!("a whole garden has no questions"),
            }
        });
    });
    group.finish();
}

/// Returns a recorded change of a Shoot, extended with worker pools to 19 KB.
fn large_body() -> Vec<u8> {
    let file = fs::read_to_string("tests/requests/013-mutate-update-shoots.json").unwrap();
    let mut review = serde_json::from_str::<Value>(&file).unwrap()["review"].take();
    for number in 0.. {
        let body = review.to_string().into_bytes();
        if body.len() >= 19_000 {
            return body;
        }
        for object in ["object", "oldObject"] {
            let provider = &mut review["request"][object]["spec"]["provider"];
            let mut pool = provider["workers"][0].clone();
            pool["name"] = json!(format!("pool-{number}"));
            provider["workers"].as_array_mut().unwrap().push(pool);
        }
    }
    unreachable!("each round makes it longer")
}

/// Measures parsing both objects of a review: as a `Value`, and as the model of a Shoot.
fn deserialise(criterion: &mut Criterion) {
    let body = large_body();
    let mut group = criterion.benchmark_group("deserialise_19_kb_shoot");
    group.throughput(Throughput::Bytes(body.len() as u64));
    group.bench_function("value", |bencher| {
        bencher.iter(|| serde_json::from_slice::<Value>(black_box(&body)).unwrap());
    });
    group.bench_function("model", |bencher| {
        bencher.iter(|| {
            let request = Request::from_review(black_box(&body)).unwrap();
            let objects = [request.object, request.old_object];
            objects.map(|raw| serde_json::from_str::<Shoot>(raw.unwrap().get()).unwrap())
        });
    });
    group.finish();
}

criterion_group!(benches, verdict, deserialise);
