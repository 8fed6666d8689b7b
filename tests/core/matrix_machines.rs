// SPDX-License-Identifier: Apache-2.0
//! Machines, volumes and zones of worker pools, compared with the profile.

use garden_gate_core::garden::{GardenObject, Knowledge, Snapshot};
use garden_gate_model::api::CloudProfile;
use rstest::rstest;
use serde_json::{Value, from_value, json};

use crate::judging::{Setup, request};

fn profile() -> GardenObject {
    let profile = json!({"metadata": {"name": "c"}, "spec": {
        "type": "stratus",
        "limits": {"maxNodesTotal": 8},
        "regions": [
            {"name": "eu", "zones": [
                {"name": "eu-a"},
                {"name": "eu-b", "unavailableMachineTypes": ["large"], "unavailableVolumeTypes": ["fast"]},
                {"name": "eu-c"},
            ]},
            {"name": "us"},
        ],
        "machineTypes": [
            {"name": "small", "architecture": "amd64", "cpu": "2", "memory": "4Gi", "storage": {"type": "fast", "minSize": "40Gi"}},
            {"name": "large", "architecture": "amd64", "cpu": 16, "memory": "64Gi"},
            {"name": "arm", "architecture": "arm64", "cpu": "2", "memory": "4Gi"},
            {"name": "old", "architecture": "amd64", "cpu": "2", "memory": "4Gi", "usable": false},
        ],
        "volumeTypes": [
            {"name": "fast", "minSize": "20Gi"},
            {"name": "slow", "usable": true},
            {"name": "gone", "usable": false},
        ],
    }});
    from_value::<CloudProfile>(profile).unwrap().into()
}

fn shoot() -> Value {
    json!({
        "apiVersion": "core.gardener.cloud/v1beta1",
        "kind": "Shoot",
        "metadata": {"name": "web", "namespace": "garden-p"},
        "spec": {
            "cloudProfile": {"name": "c"},
            "region": "eu",
            "kubernetes": {"version": "1.34.7"},
            "provider": {"type": "stratus", "workers": [{
                "name": "pool", "minimum": 2, "maximum": 3, "maxSurge": 1,
                "machine": {"type": "small", "architecture": "amd64", "image": {"name": "i", "version": "1.0.0"}},
                "volume": {"type": "slow", "size": "50Gi"},
                "zones": ["eu-a", "eu-b"],
            }]},
        },
    })
}

/// Returns the Shoot with other values; `null` removes a field.
fn with(changes: &[(&str, Value)]) -> Value {
    let mut shoot = shoot();
    for (pointer, value) in changes {
        let (parent, name) = pointer.rsplit_once('/').unwrap();
        let parent = shoot.pointer_mut(parent).unwrap();
        match (parent, name.parse::<usize>()) {
            (Value::Array(items), Ok(index)) if index == items.len() => items.push(value.clone()),
            (Value::Array(items), Ok(index)) => items[index] = value.clone(),
            (parent, _) => parent[name] = value.clone(),
        }
    }
    shoot
}

/// Returns findings as `finding@field`, with their help.
fn told(new: &Value, old: Option<&Value>) -> Vec<(String, String)> {
    let mut setup = Setup::with_project(None);
    setup.garden = Snapshot::new(Knowledge::Everything);
    setup.garden.apply(profile());
    let operation = if old.is_some() { "UPDATE" } else { "CREATE" };
    let review = setup.review_wholly(&request("shoots", operation, new, old));
    let rules = [
        "shoot/region-unsupported",
        "shoot/machine-type-unsupported",
        "shoot/volume-unsupported",
        "shoot/zones-unsupported",
        "shoot/kube-reserved",
        "shoot/nodes-above-limit",
        "shoot/internal-api-version",
    ];
    let findings = review.findings.iter().filter(|it| rules.contains(&it.rule));
    let told = findings.map(|it| {
        let place = it.field.replace("spec.provider.workers", "workers");
        (format!("{}@{place}", it.finding), format!("{}; {}", it.message, it.help))
    });
    told.collect()
}

const POOL: &str = "/spec/provider/workers/0";

fn of_pool(field: &str, value: Value) -> Value {
    with(&[(&format!("{POOL}{field}"), value)])
}

#[rstest]
#[case::as_offered(shoot(), &[])]
#[case::region(with(&[("/spec/region", json!("eus"))]), &["shoot/region-unsupported@spec.region"])]
#[case::region_without_zones(with(&[("/spec/region", json!("us"))]), &["shoot/region-without-zones@workers[0].zones[0]", "shoot/region-without-zones@workers[0].zones[1]"])]
#[case::no_zones(of_pool("/zones", json!([])), &[])]
#[case::unknown_zone(of_pool("/zones/1", json!("eu-d")), &["shoot/zone-unknown@workers[0].zones[1]"])]
#[case::zone_twice(of_pool("/zones/1", json!("eu-a")), &["shoot/zone-twice@workers[0].zones[1]"])]
#[case::unknown_zone_twice(of_pool("/zones", json!(["x", "x"])), &["shoot/zone-unknown@workers[0].zones[0]", "shoot/zone-twice@workers[0].zones[1]", "shoot/zone-unknown@workers[0].zones[1]"])]
#[case::unknown_type(of_pool("/machine/type", json!("smal")), &["shoot/machine-type-unknown@workers[0].machine.type"])]
#[case::unusable_type(of_pool("/machine/type", json!("old")), &["shoot/machine-type-unusable@workers[0].machine.type"])]
#[case::type_not_in_a_zone(of_pool("/machine/type", json!("large")), &["shoot/machine-type-unusable@workers[0].machine.type"])]
#[case::type_in_all_zones(with(&[("/spec/provider/workers/0/machine/type", json!("large")), ("/spec/provider/workers/0/zones", json!(["eu-a", "eu-c"]))]), &[])]
#[case::other_architecture(of_pool("/machine/type", json!("arm")), &["shoot/machine-type-unusable@workers[0].machine.type"])]
#[case::unknown_volume(of_pool("/volume/type", json!("fats")), &["shoot/volume-type-unknown@workers[0].volume.type"])]
#[case::unusable_volume(of_pool("/volume/type", json!("gone")), &["shoot/volume-type-unusable@workers[0].volume.type"])]
#[case::volume_not_in_a_zone(of_pool("/volume/type", json!("fast")), &["shoot/volume-type-unusable@workers[0].volume.type"])]
#[case::no_volume_type(of_pool("/volume", json!({"size": "1Gi"})), &[])]
#[case::below_what_the_machine_asks_for(with(&[("/spec/provider/workers/0/volume", json!({"type": "fast", "size": "39Gi"})), ("/spec/provider/workers/0/zones", json!(["eu-a"]))]), &["shoot/volume-too-small@workers[0].volume.size"])]
#[case::as_large_as_the_machine_asks_for(with(&[("/spec/provider/workers/0/volume", json!({"type": "fast", "size": "40960Mi"})), ("/spec/provider/workers/0/zones", json!(["eu-a"]))]), &[])]
#[case::below_what_the_volume_asks_for(with(&[("/spec/provider/workers/0/machine/type", json!("large")), ("/spec/provider/workers/0/volume", json!({"type": "fast", "size": "19Gi"})), ("/spec/provider/workers/0/zones", json!(["eu-a"]))]), &["shoot/volume-too-small@workers[0].volume.size"])]
#[case::reserved_cpu(of_pool("/kubernetes", json!({"kubelet": {"kubeReserved": {"cpu": "2000m", "memory": "1Gi"}}})), &["shoot/kube-reserved@workers[0].kubernetes.kubelet"])]
#[case::reserved_memory(of_pool("/kubernetes", json!({"kubelet": {"kubeReserved": {"memory": "5G"}}})), &["shoot/kube-reserved@workers[0].kubernetes.kubelet"])]
#[case::reserved_less(of_pool("/kubernetes", json!({"kubelet": {"kubeReserved": {"cpu": "1999m", "memory": "4000Mi"}}})), &[])]
#[case::reserved_of_the_shoot(with(&[("/spec/kubernetes/kubelet", json!({"kubeReserved": {"cpu": 3}})), ("/spec/provider/workers/0/kubernetes", json!({}))]), &["shoot/kube-reserved@workers[0].kubernetes.kubelet"])]
#[case::reserved_of_the_shoot_in_a_pool_without_section(with(&[("/spec/kubernetes/kubelet", json!({"kubeReserved": {"cpu": 3}}))]), &[])]
#[case::as_many_nodes_as_allowed(of_pool("/minimum", json!(8)), &[])]
#[case::more_nodes_than_allowed(of_pool("/minimum", json!(9)), &["shoot/nodes-above-limit@workers"])]
#[case::nodes_beyond_32_bits(with(&[("/spec/provider/workers/0/minimum", json!(i32::MAX)), ("/spec/provider/workers/1", json!({"name": "other", "minimum": i32::MAX, "machine": {"type": "small", "architecture": "amd64"}}))]), &[])]
#[case::another_infrastructure(with(&[("/spec/provider/type", json!("nimbus")), ("/spec/provider/workers/0/machine/type", json!("x"))]), &[])]
#[case::internal_of_the_infrastructure(with(&[("/spec/provider/infrastructureConfig", json!({"apiVersion": "stratus/__internal", "kind": "I"}))]), &["shoot/internal-api-version@spec.provider.infrastructureConfig"])]
#[case::internal_without_group(with(&[("/spec/networking", json!({"providerConfig": {"apiVersion": "__internal"}}))]), &["shoot/internal-api-version@spec.networking.providerConfig"])]
#[case::internal_of_a_runtime(of_pool("/cri", json!({"name": "containerd", "containerRuntimes": [{"type": "g", "providerConfig": {"apiVersion": "g/__internal"}}]})), &["shoot/internal-api-version@workers[0].cri.containerRuntimes[0].providerConfig"])]
#[case::published(of_pool("/providerConfig", json!({"apiVersion": "stratus/v1"})), &[])]
#[case::no_version_at_all(of_pool("/providerConfig", json!({"apiVersion": "a/b/__internal"})), &[])]
fn a_new_shoot_has_what_its_profile_offers(#[case] shoot: Value, #[case] expected: &[&str]) {
    let told = told(&shoot, None);
    let told: Vec<_> = told.iter().map(|(finding, _)| finding.as_str()).collect();
    assert_eq!(told, expected);
}

#[rstest]
#[case::region("/spec/region", "gone", None)]
#[case::machine_type("/spec/provider/workers/0/machine/type", "gone-too", None)]
#[case::volume_type("/spec/provider/workers/0/volume/type", "gone", None)]
#[case::zone("/spec/provider/workers/0/zones/1", "eu-d", None)]
fn unchanged_machines_are_not_checked_again(
    #[case] pointer: &str,
    #[case] value: &str,
    #[case] expected: Option<&str>,
) {
    let old = with(&[(pointer, json!(value))]);
    let purpose = ("/spec/purpose", json!("testing"));
    let new = with(&[(pointer, json!(value)), purpose]);
    let told: Vec<_> = told(&new, Some(&old)).into_iter().map(|(finding, _)| finding).collect();
    assert_eq!(told, Vec::from_iter(expected.map(ToOwned::to_owned)));
}

#[test]
fn unchanged_size_is_checked() {
    let small = [("/spec/provider/workers/0/volume", json!({"type": "fast", "size": "1Gi"}))];
    let (old, mut new) = (with(&small), with(&small));
    assert_eq!(told(&new, Some(&old)), []);
    new["spec"]["purpose"] = json!("testing");
    let [(finding, _)] = &told(&new, Some(&old))[..] else {
        panic!("one finding was expected");
    };
    assert_eq!(finding, "shoot/volume-too-small@workers[0].volume.size");
}

#[rstest]
#[case::nearest_first(of_pool("/machine/type", json!("smal")), "the profile does not list machine type `smal`, which pool `pool` names; the profile offers `small`")]
#[case::every_reason(with(&[("/spec/provider/workers/0/machine/type", json!("arm")), ("/spec/provider/workers/0/machine/architecture", json!("amd64"))]), "machine type `arm` of pool `pool` has the architecture `arm64`, and the pool `amd64`; the profile offers `small`")]
#[case::one_is_nearest(of_pool("/zones/1", json!("eu-bb")), "region `eu` has no zone `eu-bb`, which pool `pool` names; did you mean `eu-b`? the profile offers `eu-b`, `eu-c`")]
#[case::zones(of_pool("/zones/1", json!("eu-d")), "region `eu` has no zone `eu-d`, which pool `pool` names; the profile offers `eu-b`, `eu-c`")]
#[case::nothing_to_offer(with(&[("/spec/provider/workers/0/machine/architecture", json!("riscv")), ("/spec/provider/workers/0/machine/type", json!("old"))]), "machine type `old` of pool `pool` is not usable, and has the architecture `amd64`, and the pool `riscv`; the profile offers no machine type for such a pool; use another profile")]
#[case::size(with(&[("/spec/provider/workers/0/volume", json!({"type": "fast", "size": "1Gi"})), ("/spec/provider/workers/0/zones", json!(["eu-a"]))]), "the volume of pool `pool` has the size `1Gi`, and the profile asks for `40Gi` at least; write `40Gi` or more")]
#[case::nodes(of_pool("/minimum", json!(9)), "the worker pools have 9 nodes at least, and the profile allows 8; lower the `minimum` of some pools")]
fn message_names_the_error_and_available_values(#[case] shoot: Value, #[case] expected: &str) {
    let told = told(&shoot, None);
    let told: Vec<_> = told.iter().map(|(_, said)| said.as_str()).collect();
    assert_eq!(told, [expected]);
}
