// SPDX-License-Identifier: Apache-2.0
//! Costs of evaluating a CloudProfile, with few and many Shoots, and compared with parsing.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, criterion_group};
use garden_gate_core::admission::{EntryPoint, Judgement, Request, Review, World, judge};
use garden_gate_core::config::Config;
use garden_gate_core::garden::{GardenObject, Knowledge, Snapshot};
use garden_gate_core::rules;
use garden_gate_model::api::CloudProfile;
use garden_gate_model::gardener::defaults;
use serde_json::{Value, json};

/// Returns a profile with these numbers of Kubernetes versions, images, and versions per image.
fn profile(kubernetes: usize, images: usize, versions: usize) -> Value {
    let kubernetes: Vec<Value> = (0..kubernetes)
        .map(|patch| json!({"version": format!("1.{}.{patch}", 30 + patch % 5)}))
        .collect();
    let of_image = |image: usize| -> Vec<Value> {
        let version = |patch: usize| json!({"version": format!("{image}.1.{patch}"), "architectures": ["amd64"], "cri": [{"name": "containerd"}]});
        (0..versions).map(version).collect()
    };
    let images: Vec<Value> = (0..images)
        .map(|image| json!({"name": format!("image-{image}"), "updateStrategy": "major", "versions": of_image(image)}))
        .collect();
    let spec = json!({
        "type": "local",
        "kubernetes": {"versions": kubernetes},
        "machineImages": images,
        "machineTypes": [{"name": "large", "cpu": "2", "gpu": "0", "memory": "8Gi"}],
        "regions": [{"name": "here"}],
    });
    json!({"apiVersion": "core.gardener.cloud/v1beta1", "kind": "CloudProfile", "metadata": {"name": "p"}, "spec": spec})
}

fn update(new: &Value, old: &Value) -> Vec<u8> {
    let resource =
        json!({"group": "core.gardener.cloud", "version": "v1beta1", "resource": "cloudprofiles"});
    let request = json!({"uid": "u", "resource": resource, "name": "p", "operation": "UPDATE", "object": new, "oldObject": old});
    let review =
        json!({"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": request});
    review.to_string().into_bytes()
}

/// Returns a garden whose Shoots all run the first Kubernetes version of the profile.
fn garden(shoots: usize, profile: &Value) -> Snapshot {
    let mut garden = Snapshot::new(Knowledge::Everything);
    let mut stored = serde_json::from_value(profile.clone()).unwrap();
    defaults::cloud_profile(&mut stored);
    garden.apply(GardenObject::from(stored));
    for number in 0..shoots {
        let metadata =
            json!({"name": format!("s{number}"), "namespace": format!("garden-{}", number % 1000)});
        let spec = json!({"cloudProfile": {"kind": "CloudProfile", "name": "p"}, "kubernetes": {"version": "1.30.0"}});
        let shoot = json!({"metadata": metadata, "spec": spec});
        garden.apply(GardenObject::Shoot(serde_json::from_value(shoot).unwrap()));
    }
    garden
}

fn verdict(body: &[u8], garden: &Snapshot, config: &Config) -> Review {
    let now = "2026-01-01T00:00:00Z".parse().unwrap();
    let request = Request::from_review(body).unwrap();
    let world = World { rules: rules::ALL.into(), garden, config, now };
    match judge(EntryPoint::Validate, &request, &world) {
        Judgement::Review(review) => review,
        Judgement::Questions(_) => unreachable!("a whole garden has no questions"),
    }
}

fn removing_a_version_in_use(criterion: &mut Criterion) {
    let old = profile(10, 2, 10);
    let mut new = old.clone();
    new["spec"]["kubernetes"]["versions"].as_array_mut().unwrap().remove(0);
    let (body, config) = (update(&new, &old), Config::default());
    let mut group = criterion.benchmark_group("remove_version_in_use");
    for shoots in [100, 100_000] {
        let garden = garden(shoots, &old);
        let denied = verdict(&body, &garden, &config)
            .findings
            .iter()
            .any(|f| f.finding == "cloudprofile/kubernetes-version-in-use");
        assert!(denied);
        group.bench_with_input(BenchmarkId::new("shoots", shoots), &garden, |bencher, garden| {
            bencher.iter(|| verdict(black_box(&body), garden, &config));
        });
    }
    group.finish();
}

fn a_very_large_profile(criterion: &mut Criterion) {
    let old = profile(10, 50, 500);
    let mut new = old.clone();
    new["metadata"]["labels"] = json!({"a": "b"});
    let (body, garden, config) = (update(&new, &old), garden(0, &old), Config::default());
    let mut group = criterion.benchmark_group("50_images_with_500_versions");
    group.sample_size(20);
    group.bench_function("parse_only", |bencher| {
        bencher.iter(|| serde_json::from_slice::<Value>(black_box(&body)).unwrap());
    });
    // A review without its verdict: both objects parsed to their models.
    group.bench_function("read", |bencher| {
        bencher.iter(|| {
            let request = Request::from_review(black_box(&body)).unwrap();
            let objects = [request.object, request.old_object];
            objects.map(|raw| serde_json::from_str::<CloudProfile>(raw.unwrap().get()).unwrap())
        });
    });
    group.bench_function("parse_and_judge", |bencher| {
        bencher.iter(|| verdict(black_box(&body), &garden, &config));
    });
    group.finish();
}

criterion_group!(benches, removing_a_version_in_use, a_very_large_profile);
