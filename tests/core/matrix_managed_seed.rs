// SPDX-License-Identifier: Apache-2.0
//! Shoots that are registered as Seeds.

use rstest::rstest;
use serde_json::{Value, from_value, json};

use crate::judging::{Setup, request};
use garden_gate_core::garden::{GardenObject, Knowledge, Snapshot};
use garden_gate_model::api::ManagedSeed;

fn managed_seed(name: &str, shoot: &str, config: Value) -> GardenObject {
    let object = json!({
        "metadata": {"name": name, "namespace": "garden-p"},
        "spec": {"shoot": {"name": shoot}, "gardenlet": {"config": config}},
    });
    from_value::<ManagedSeed>(object).unwrap().into()
}

/// Returns a ManagedSeed with control planes in two zones.
fn in_zones(name: &str) -> GardenObject {
    let config = json!({"seedConfig": {"spec": {"provider": {"zones": ["a", "b"]}}}});
    managed_seed(name, "web", config)
}

fn shoot() -> Value {
    let pool = |name: &str, zones: Value| json!({"name": name, "minimum": 1, "maximum": 2, "zones": zones});
    json!({
        "metadata": {"name": "web", "namespace": "garden-p"},
        "spec": {
            "kubernetes": {"version": "1.34.7", "verticalPodAutoscaler": {"enabled": true}},
            "networking": {"type": "calico", "nodes": "10.0.0.0/16"},
            "provider": {"type": "stratus", "workers": [pool("one", json!(["a", "c"])), pool("two", json!(["b"]))]},
        },
    })
}

/// Returns findings about a change or a deletion, as `finding type@field`.
fn told(seeds: Vec<GardenObject>, new: Option<&Value>) -> Vec<String> {
    let mut setup = Setup::with_project(None);
    setup.garden = Snapshot::new(Knowledge::Everything);
    for seed in seeds {
        setup.garden.apply(seed);
    }
    let old = shoot();
    let mut sent = request("shoots", "UPDATE", new.unwrap_or(&old), Some(&old));
    if new.is_none() {
        sent["operation"] = json!("DELETE");
        sent["object"] = Value::Null;
    }
    let review = setup.review_wholly(&sent);
    let findings = review.findings.iter().filter(|it| it.rule == "shoot/managed-seed");
    let told = findings.map(|it| {
        let finding = it.finding.trim_start_matches("shoot/managed-seed-");
        format!("{finding} {:?}@{}", it.error, it.field)
    });
    told.collect()
}

fn with(path: &str, value: Value) -> Value {
    let mut shoot = shoot();
    *shoot.pointer_mut(path).unwrap() = value;
    shoot
}

const NODES: &str = "/spec/networking/nodes";
const AUTOSCALER: &str = "/spec/kubernetes/verticalPodAutoscaler";
const ZONES: &str = "/spec/provider/workers/0/zones";
const POOLS: &str = "/spec/provider/workers";

#[rstest]
#[case::a_label(with("/metadata", json!({"name": "web", "namespace": "garden-p", "labels": {"a": "b"}})), &[])]
#[case::other_nodes(with(NODES, json!("10.1.0.0/16")), &["nodes Invalid@spec.networking.nodes"])]
#[case::no_nodes(with(NODES, Value::Null), &["nodes Invalid@spec.networking.nodes"])]
#[case::no_autoscaler(with(AUTOSCALER, Value::Null), &["autoscaler Invalid@spec.kubernetes.verticalPodAutoscaler.enabled"])]
#[case::autoscaler_off(with(AUTOSCALER, json!({"enabled": false})), &["autoscaler Invalid@spec.kubernetes.verticalPodAutoscaler.enabled"])]
#[case::another_zone(with(ZONES, json!(["a", "d"])), &[])]
#[case::a_zone_of_the_seed(with(ZONES, json!(["c"])), &["zone Forbidden@spec.providers.workers"])]
#[case::a_zone_that_another_pool_has(with(POOLS, json!([{"name": "one", "zones": ["a", "b"]}])), &[])]
#[case::all_pools(with(POOLS, json!([])), &["zone Forbidden@spec.providers.workers", "zone Forbidden@spec.providers.workers"])]
fn a_seed_stays(#[case] new: Value, #[case] expected: &[&str]) {
    assert_eq!(told(vec![in_zones("eu")], Some(&new)), expected);
    let of_another = managed_seed("eu", "api", json!({}));
    assert_eq!(told(vec![of_another], Some(&new)), [""; 0]);
    assert_eq!(told(vec![], Some(&new)), [""; 0]);
}

#[test]
fn a_seed_has_no_ingress_addon() {
    let mut new = shoot();
    let expected = "ingress Invalid@spec.addons.nginxIngress.enabled";
    for (is_on, expected) in [(true, vec![expected.to_owned()]), (false, vec![])] {
        new["spec"]["addons"] = json!({"nginxIngress": {"enabled": is_on}});
        assert_eq!(told(vec![in_zones("eu")], Some(&new)), expected);
    }
}

#[test]
fn a_seed_is_not_deleted() {
    assert_eq!(told(vec![in_zones("eu")], None), ["deleted Forbidden@metadata.name"]);
    let of_another = managed_seed("eu", "api", json!({}));
    assert_eq!(told(vec![of_another], None), [""; 0]);
}

#[test]
fn unknown_seed_of_a_managed_seed_is_undetermined() {
    let ambiguous = ["ambiguous Forbidden@metadata.name"];
    let two = vec![in_zones("eu"), in_zones("us")];
    assert_eq!(told(two, Some(&shoot())), ambiguous);
    let none = managed_seed("eu", "web", json!({}));
    assert_eq!(told(vec![none], Some(&shoot())), ambiguous);
}
