// SPDX-License-Identifier: Apache-2.0
//! Maintenance runs that admission refuses, and fields that a run drops.

use garden_gate_core::admission::{Rule, Verdict, World};
use garden_gate_core::config::{Config, Level, Profile};
use garden_gate_core::garden::{GardenObject, Knowledge, Snapshot};
use garden_gate_core::rules;
use garden_gate_model::api::{CloudProfile, Shoot};
use garden_gate_model::gardener::defaults;
use garden_gate_model::gardener::version::maintenance::run;
use garden_gate_products::forecast::{MaintainedShoot, after, dry_run};
use serde_json::{Value, json};

use crate::judging::{project, usual_rules};

const NOW: &str = "2026-01-15T21:30:00Z";
const PAST: &str = "2024-01-31T23:59:59Z";
const FUTURE: &str = "2026-06-01T12:00:00Z";

fn shoot(version: &str, auto: bool) -> Value {
    let machine = json!({"type": "large", "architecture": "amd64", "image": {"name": "os", "version": "1.0.0"}});
    json!({
        "apiVersion": "core.gardener.cloud/v1beta1",
        "kind": "Shoot",
        "metadata": {"name": "s", "namespace": "garden-p"},
        "spec": {
            "cloudProfile": {"kind": "CloudProfile", "name": "cp"},
            "kubernetes": {"version": version},
            "maintenance": {"autoUpdate": {"kubernetesVersion": auto, "machineImageVersion": auto}},
            "provider": {"workers": [{"name": "a", "minimum": 1, "maximum": 2, "machine": machine}]},
        },
    })
}

/// Returns the Shoot after a run, and the findings that refuse it.
fn maintained(
    shoot: &Value,
    kubernetes: Value,
    images: Value,
) -> (MaintainedShoot, Vec<&'static str>) {
    maintained_by(&usual_rules(), shoot, kubernetes, images)
}

/// As `maintained`, with a selection of rules.
fn maintained_by(
    rules: &[&'static Rule],
    shoot: &Value,
    kubernetes: Value,
    images: Value,
) -> (MaintainedShoot, Vec<&'static str>) {
    let spec = json!({
        "kubernetes": {"versions": kubernetes},
        "machineImages": [{"name": "os", "versions": images}],
        "machineTypes": [{"name": "large"}],
    });
    let profile = json!({"metadata": {"name": "cp"}, "spec": spec});
    let mut profile: CloudProfile = serde_json::from_value(profile).unwrap();
    defaults::cloud_profile(&mut profile);
    let mut typed: Shoot = serde_json::from_value(shoot.clone()).unwrap();
    defaults::shoot(&mut typed, "garden-p");
    let now = NOW.parse().unwrap();
    let mut garden = Snapshot::new(Knowledge::Everything);
    garden.apply(project("p", json!({"namespace": "garden-p"})));
    garden.apply(GardenObject::from(profile.clone()));
    let config = Config { profile: Profile::Gardener, ..Config::default() };
    let world = World { rules: rules.into(), garden: &garden, config: &config, now };
    let after = after(shoot, &run(&typed, &profile.spec, now), &world);
    let review = dry_run(shoot, &after.shoot, &world).unwrap();
    let denials = review.findings.iter().filter(|it| it.level == Level::Deny);
    let ids: Vec<&str> = denials.map(|it| it.finding).collect();
    assert_eq!(ids.is_empty(), review.verdict() == Verdict::Allowed);
    (after, ids)
}

#[test]
fn a_run_that_admission_accepts() {
    let versions = json!([{"version": "1.31.8", "expirationDate": PAST}, {"version": "1.32.4"}]);
    let images = json!([{"version": "1.0.0", "expirationDate": PAST}, {"version": "1.1.0"}]);
    let (after, blocked) = maintained(&shoot("1.31.8", false), versions, images);
    assert!(blocked.is_empty(), "{blocked:?}");
    assert_eq!(after.shoot["spec"]["kubernetes"]["version"], "1.32.4");
}

#[test]
fn an_image_chosen_for_the_old_kubernetes_version_blocks_the_run() {
    let versions = json!([{"version": "1.31.8", "expirationDate": PAST}, {"version": "1.32.4"}]);
    let images = json!([
        {"version": "1.0.0", "expirationDate": PAST},
        {"version": "1.1.0", "kubeletVersionConstraint": "< 1.32"},
    ]);
    let (_, blocked) = maintained(&shoot("1.31.8", false), versions, images);
    assert_eq!(blocked, ["shoot/machine-image-kubelet-constraint"]);
}

#[test]
fn an_unavailable_image_blocks_the_run_and_an_unavailable_kubernetes_version_does_not() {
    let coming = |version: &str| json!({"version": version, "lifecycle": [{"classification": "supported", "startTime": FUTURE}]});
    let shoot = shoot("1.31.7", true);
    let kubernetes = json!([{"version": "1.31.7"}, coming("1.31.9")]);
    let images = json!([{"version": "1.0.0"}]);
    let (after, blocked) = maintained(&shoot, kubernetes, images);
    assert!(blocked.is_empty(), "{blocked:?}");
    assert_eq!(after.shoot["spec"]["kubernetes"]["version"], "1.31.9");
    let images = json!([{"version": "1.0.0"}, coming("1.1.0")]);
    let (_, blocked) = maintained(&shoot, json!([{"version": "1.31.7"}]), images);
    assert_eq!(blocked, ["shoot/machine-image-unavailable"]);
}

#[test]
fn a_run_drops_what_the_new_version_does_not_know() {
    let mut object = shoot("1.34.1", false);
    object["spec"]["addons"] = json!({"kubernetesDashboard": {"enabled": false}});
    object["spec"]["dns"] = json!({"providers": [{"secretName": "x", "type": "y"}]});
    object["spec"]["kubernetes"]["kubeControllerManager"] = json!({"podEvictionTimeout": "1m"});
    let versions = json!([{"version": "1.34.1", "expirationDate": PAST}, {"version": "1.35.0"}]);
    let (after, _) = maintained(&object, versions, json!([{"version": "1.0.0"}]));
    let removed: Vec<&str> = after.removed.iter().map(|it| &*it.pointer).collect();
    assert_eq!(removed, ["/spec/addons", "/spec/dns/providers/0/secretName"]);
    assert_eq!(after.shoot["spec"]["dns"], json!({"providers": [{"type": "y"}]}));
    assert!(after.migration.is_none());
}

#[test]
fn a_secret_binding_is_migrated_at_1_34() {
    let mut object = shoot("1.33.1", false);
    object["spec"]["secretBindingName"] = json!("account");
    let versions = json!([{"version": "1.33.1", "expirationDate": PAST}, {"version": "1.34.0"}]);
    let images = json!([{"version": "1.0.0"}]);
    let (after, _) = maintained(&object, versions.clone(), images.clone());
    assert!(after.migration.is_some());
    object["spec"]["credentialsBindingName"] = json!("account");
    let (after, _) = maintained(&object, versions, images);
    assert!(after.migration.is_none());
}

/// Of the fields that the new version forbids, a run drops some, replaces the SecretBinding, and fails on the others.
#[test]
fn a_field_that_the_new_version_forbids_blocks_the_run_unless_the_run_sees_to_it() {
    let forbidden = [rules::find("shoot/removed-fields").unwrap()];
    let images = json!([{"version": "1.0.0"}]);
    let blocked = |object: &Value, versions: [&str; 2]| {
        let versions =
            json!([{"version": versions[0], "expirationDate": PAST}, {"version": versions[1]}]);
        maintained_by(&forbidden, object, versions, images.clone()).1
    };
    let mut object = shoot("1.31.8", false);
    object["spec"]["kubernetes"]["clusterAutoscaler"] = json!({"ignoreTaints": ["a"]});
    assert_eq!(blocked(&object, ["1.31.8", "1.32.4"]), ["field/removed"]);
    let mut object = shoot("1.33.1", false);
    object["spec"]["secretBindingName"] = json!("account");
    assert!(blocked(&object, ["1.33.1", "1.34.0"]).is_empty());
    object["spec"]["credentialsBindingName"] = json!("account");
    assert_eq!(blocked(&object, ["1.33.1", "1.34.0"]), ["field/removed"]);
}
