// SPDX-License-Identifier: Apache-2.0
//! Requests that are judged on connection threads, and those that take too long for that.

use garden_gate_core::admission::{
    EntryPoint, Judgement, Request, Review, World, judge, judge_quickly,
};
use garden_gate_core::config::Config;
use garden_gate_core::garden::{GardenObject, Knowledge, Snapshot};
use garden_gate_core::rules;
use garden_gate_model::api::Kind;
use rstest::rstest;
use serde_json::{Value, json};

use crate::judging::{project, request};

/// Nearly the maximum length of a list.
const MANY: usize = 9_900;
/// Number of pools or tolerations, which are looked up among [`MANY`].
const SOME: usize = 20;

fn object(kind: Kind, value: &Value) -> GardenObject {
    let object = GardenObject::read(kind, value.to_string().as_str());
    object.unwrap().unwrap()
}

fn image(versions: usize) -> Value {
    let version =
        |patch: usize| json!({"version": format!("1.0.{patch}"), "architectures": ["amd64"]});
    let versions: Vec<Value> = (0..versions).map(version).collect();
    json!({"name": "i", "versions": versions})
}

fn spec(images: usize) -> Value {
    json!({
        "type": "stratus",
        "kubernetes": {"versions": [{"version": "1.34.7"}, {"version": "1.34.6"}]},
        "machineImages": [image(images)],
        "machineTypes": [{"name": "small", "cpu": "2", "gpu": "0", "memory": "4Gi"}],
        "volumeTypes": [{"name": "slow", "class": "standard"}],
        "regions": [{"name": "eu", "zones": [{"name": "a"}]}],
    })
}

fn cloud_profile(images: usize) -> Value {
    json!({
        "apiVersion": "core.gardener.cloud/v1beta1", "kind": "CloudProfile",
        "metadata": {"name": "c"}, "spec": spec(images),
    })
}

/// Returns a garden in which Shoots of one namespace may use a CloudProfile and a NamespacedCloudProfile.
fn garden(cloud: usize, overlay: usize, merged: Option<usize>) -> Snapshot {
    let mut garden = Snapshot::new(Knowledge::Everything);
    garden.apply(project("p", json!({"namespace": "garden-p"})));
    garden.apply(object(Kind::CloudProfile, &cloud_profile(cloud)));
    let status = merged.map(|images| json!({"cloudProfileSpec": spec(images)}));
    let profile = json!({
        "metadata": {"name": "n", "namespace": "garden-p"},
        "spec": {"parent": {"kind": "CloudProfile", "name": "c"}, "machineImages": [image(overlay)]},
        "status": status,
    });
    garden.apply(object(Kind::NamespacedCloudProfile, &profile));
    garden
}

fn shoot(name: &str, kind: &str, pools: usize) -> Value {
    let pool = |number: usize| {
        json!({
            "name": format!("pool-{number}"), "minimum": 1, "maximum": 1, "maxSurge": 1,
            "volume": {"type": "slow", "size": "50Gi"},
            "machine": {"type": "small", "architecture": "amd64", "image": {"name": "i", "version": "1.0.0"}},
        })
    };
    let pools: Vec<Value> = (0..pools).map(pool).collect();
    let profile = if kind == "CloudProfile" { "c" } else { "n" };
    json!({
        "apiVersion": "core.gardener.cloud/v1beta1", "kind": "Shoot",
        "metadata": {"name": name, "namespace": "garden-p"},
        "spec": {
            "cloudProfile": {"kind": kind, "name": profile}, "region": "eu",
            "credentialsBindingName": "trial", "kubernetes": {"version": "1.34.7"},
            "provider": {"type": "stratus", "workers": pools},
        },
    })
}

fn create(kind: &str, pools: usize) -> Value {
    request("shoots", "CREATE", &shoot("s", kind, pools), None)
}

/// Judges with all rules of an endpoint, once quickly and once without a limit.
fn judged(entry_point: EntryPoint, garden: &Snapshot, request: &Value) -> (Option<Review>, Review) {
    let mut request = request.clone();
    request["uid"] = json!("uid");
    request["userInfo"] = json!({"username": "alice"});
    let review =
        json!({"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": request});
    let body = review.to_string();
    let request = Request::from_review(body.as_bytes()).unwrap();
    let config = Config::default();
    let world = World {
        rules: rules::ALL.into(),
        garden,
        config: &config,
        now: "2026-01-01T00:00:00Z".parse().unwrap(),
    };
    let review = |judgement| match judgement {
        Judgement::Review(review) => review,
        Judgement::Questions(questions) => panic!("it asks {questions:?}"),
    };
    let quick = judge_quickly(entry_point, &request, &world);
    (quick.map(review), review(judge(entry_point, &request, &world)))
}

fn is_quick(entry_point: EntryPoint, garden: &Snapshot, request: &Value) -> bool {
    let (quick, review) = judged(entry_point, garden, request);
    if let Some(quick) = &quick {
        assert_eq!(format!("{quick:?}"), format!("{review:?}"));
    }
    let all = format!("{review:?}");
    assert!(!all.contains("too much work"), "{all}");
    quick.is_some()
}

#[rstest]
#[case::small_cloud_profile(garden(20, 20, None), "CloudProfile", SOME, true)]
#[case::usual_cloud_profile(garden(2_000, 20, None), "CloudProfile", SOME, true)]
#[case::large_cloud_profile(garden(MANY, 20, None), "CloudProfile", SOME, false)]
#[case::large_cloud_profile_for_one_pool(garden(MANY, 20, None), "CloudProfile", 1, true)]
#[case::merged_by_the_controller(garden(20, 20, Some(40)), "NamespacedCloudProfile", SOME, true)]
#[case::large_and_merged_by_the_controller(
    garden(20, MANY, Some(MANY)),
    "NamespacedCloudProfile",
    SOME,
    false
)]
fn shoot_judged_quickly_by_size_of_its_profile(
    #[case] garden: Snapshot,
    #[case] kind: &str,
    #[case] pools: usize,
    #[case] expected: bool,
    #[values(EntryPoint::Mutate, EntryPoint::Validate)] entry_point: EntryPoint,
) {
    assert_eq!(is_quick(entry_point, &garden, &create(kind, pools)), expected);
}

#[rstest]
fn profile_never_merged_quickly(
    #[values(EntryPoint::Mutate, EntryPoint::Validate)] entry_point: EntryPoint,
) {
    let garden = garden(20, 20, None);
    let create = create("NamespacedCloudProfile", 1);
    assert!(!is_quick(entry_point, &garden, &create), "nobody has merged it yet");
    assert!(is_quick(entry_point, &garden, &create), "it was merged meanwhile");
    let mut garden = garden.clone();
    garden.apply(object(Kind::CloudProfile, &cloud_profile(21)));
    assert!(!is_quick(entry_point, &garden, &create), "its parent has changed");
}

#[rstest]
#[case::few_shoots(10, true)]
#[case::many_shoots(20_000, false)]
fn removed_version_judged_quickly_by_number_of_shoots(
    #[case] shoots: usize,
    #[case] expected: bool,
) {
    let mut garden = garden(2, 2, Some(4));
    for number in 0..shoots {
        let shoot = shoot(&format!("s-{number}"), "CloudProfile", 1);
        garden.apply(object(Kind::Shoot, &shoot));
    }
    let old = cloud_profile(2);
    let mut new = old.clone();
    new["spec"]["kubernetes"]["versions"] = json!([{"version": "1.34.6"}]);
    let update = request("cloudprofiles", "UPDATE", &new, Some(&old));
    assert_eq!(is_quick(EntryPoint::Validate, &garden, &update), expected);
    let (_, review) = judged(EntryPoint::Validate, &garden, &update);
    assert!(format!("{review:?}").contains("kubernetes-version-in-use"));
}

#[test]
fn removed_version_not_judged_quickly_with_large_overlays() {
    let garden = garden(2, MANY, Some(4));
    let old = cloud_profile(2);
    let mut new = old.clone();
    new["spec"]["machineImages"] = json!([image(1)]);
    let update = request("cloudprofiles", "UPDATE", &new, Some(&old));
    assert!(!is_quick(EntryPoint::Validate, &garden, &update));
}

#[test]
fn shoot_not_judged_quickly_with_a_large_whitelist() {
    let mut garden = garden(20, 20, None);
    let whitelist: Vec<Value> = (0..MANY).map(|key| json!({"key": format!("k{key}")})).collect();
    let tolerations = json!({"whitelist": whitelist});
    let large = json!({"namespace": "garden-p", "tolerations": tolerations});
    let mut create = create("CloudProfile", 1);
    let tolerations: Vec<Value> = (0..SOME).map(|key| json!({"key": format!("k{key}")})).collect();
    create["object"]["spec"]["tolerations"] = json!(tolerations);
    assert!(is_quick(EntryPoint::Validate, &garden, &create));
    garden.apply(project("p", large));
    assert!(!is_quick(EntryPoint::Validate, &garden, &create));
}
