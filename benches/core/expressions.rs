// SPDX-License-Identifier: Apache-2.0
//! Costs of an expression of a policy on a Shoot with two worker pools.

use std::hint::black_box;

use criterion::{Criterion, criterion_group};
use garden_gate_cel::{Activation, Environment, Expression, ResultType, Value};
use serde_json::json;

fn shoot() -> serde_json::Value {
    let pool = |name: &str| {
        json!({
            "name": name, "minimum": 1, "maximum": 3, "maxSurge": 1, "maxUnavailable": 0,
            "machine": {"type": "m5.large", "image": {"name": "gardenlinux", "version": "1443.3.0"}},
            "volume": {"type": "gp3", "size": "50Gi"}, "zones": ["eu-west-1a", "eu-west-1b"],
            "cri": {"name": "containerd"}, "labels": {"team": "a"}
        })
    };
    json!({
        "apiVersion": "core.gardener.cloud/v1beta1", "kind": "Shoot",
        "metadata": {"name": "a", "namespace": "garden-a", "labels": {"team": "a"}},
        "spec": {
            "region": "eu-west-1", "kubernetes": {"version": "1.33.1"},
            "provider": {"type": "aws", "workers": [pool("one"), pool("two")]}
        }
    })
}

fn expression(criterion: &mut Criterion) {
    let shoot = shoot();
    let environment = Environment::admission();
    let mut group = criterion.benchmark_group("expressions");
    group.bench_function("convert_shoot", |bencher| {
        bencher.iter(|| Value::from_json(black_box(&shoot)));
    });
    let cases = [
        ("pool_sizes", "object.spec.provider.workers.all(w, w.maximum <= 50)"),
        ("field", "object.metadata.name != ''"),
        ("names", "object.spec.provider.workers.all(w, w.name.matches('^[a-z]+$'))"),
    ];
    let object = Value::from_json(&shoot);
    for (name, text) in cases {
        group.bench_function(format!("{name}_compile"), |bencher| {
            bencher.iter(|| {
                Expression::compile_as(black_box(text), &[ResultType::Bool], &environment).unwrap()
            });
        });
        let expression = Expression::compile(text, &environment).unwrap();
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                let activation = Activation::new().bind("object", object.clone());
                expression.evaluate(black_box(&activation)).unwrap()
            });
        });
    }
    group.finish();
}

criterion_group!(benches, expression);
