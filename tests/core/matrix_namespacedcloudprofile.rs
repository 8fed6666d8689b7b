// SPDX-License-Identifier: Apache-2.0
//! Overrides and extensions in NamespacedCloudProfiles.

use crate::judging::{Setup, denials, request};
use crate::profiles::{date, in_garden, overlay, profile, shoot, versions};
use rstest::rstest;
use serde_json::{Value, json};

const NONE: [&str; 0] = [];
const KUBERNETES: &str = "1.31.1; 1.30.5; 1.29.0 @-1d";
const IMAGE: &str = "2.0.0; 1.0.0; 0.9.0 @-1d";

/// Returns the parent `p`, and a user with every verb.
fn setup() -> Setup {
    let mut setup = Setup::with_project(None).user("root", &["system:masters"]);
    setup.now = crate::profiles::NOW;
    let parent = profile(KUBERNETES, IMAGE);
    setup.garden.apply(in_garden("CloudProfile", &parent));
    setup
}

/// Returns denials, and the stored spec.
fn create(setup: &Setup, object: &Value) -> (Vec<String>, Value) {
    write(setup, "CREATE", object, None)
}

fn update(setup: &Setup, old: &Value, new: &Value) -> (Vec<String>, Value) {
    write(setup, "UPDATE", new, Some(old))
}

fn write(
    setup: &Setup,
    operation: &str,
    object: &Value,
    old: Option<&Value>,
) -> (Vec<String>, Value) {
    let review = setup.review(&request("namespacedcloudprofiles", operation, object, old));
    let mut stored = object.clone();
    json_patch::patch(&mut stored, &review.patch).unwrap();
    let short = |denial: String| denial.replace("namespacedcloudprofile/", "");
    let denials = denials(&review).into_iter().map(short).collect();
    (denials, stored["spec"].take())
}

fn kubernetes(list: &str) -> Value {
    overlay("p", json!({"kubernetes": {"versions": versions(list)}}))
}

fn image(list: &str) -> Value {
    overlay("p", json!({"machineImages": [{"name": "img", "versions": versions(list)}]}))
}

#[rstest]
#[case::nothing_said(kubernetes("1.30.5 @+30d"), &[])]
#[case::no_date(kubernetes("1.30.5"), &["kubernetes-override-no-expiration Forbidden spec.kubernetes.versions[0].expirationDate"])]
#[case::classified(kubernetes("1.30.5 =deprecated @+30d"), &["kubernetes-classification Forbidden spec.kubernetes.versions[0].classification"])]
#[case::unknown(kubernetes("1.28.0 @+30d"), &["kubernetes-override-unknown Forbidden spec.kubernetes.versions[0]"])]
#[case::merged_invalid(kubernetes("1.31.1 @+30d"), &["merged-invalid Invalid status.cloudProfileSpec.kubernetes.versions[].expirationDate"])]
#[case::date(image("1.0.0 @+1d"), &[])]
#[case::no_date(image("1.0.0"), &["image-override-no-expiration Invalid spec.machineImages[0].versions[0].expirationDate"])]
#[case::new_version_without_cri(image("3.0.0"), &["merged-invalid Required status.cloudProfileSpec.machineImages[0].versions[3].cri"])]
fn created(#[case] object: Value, #[case] denied: &[&str]) {
    assert_eq!(create(&setup(), &object).0, denied);
}

#[test]
fn what_is_dropped_with_its_image_does_not_move_what_is_dropped_without() {
    let mut object = image("1.0.0 @+1d; 0.9.0 @-1d");
    let images = object["spec"]["machineImages"].as_array_mut().unwrap();
    images.insert(0, json!({"name": "own", "versions": versions("1.0.0 @-1d")}));
    let (denied, stored) = create(&setup(), &object);
    assert_eq!(denied, NONE);
    assert_eq!(stored["machineImages"], image("1.0.0 @+1d")["spec"]["machineImages"]);
}

#[test]
fn each_version_is_reported_separately() {
    let denied = [
        "merged-invalid Required status.cloudProfileSpec.machineImages[0].versions[3].cri",
        "merged-invalid Required status.cloudProfileSpec.machineImages[0].versions[4].cri",
    ];
    assert_eq!(create(&setup(), &image("3.0.0; 4.0.0")).0, denied);
}

#[test]
fn a_new_expired_override_is_dropped() {
    let (denied, stored) = create(&setup(), &kubernetes("1.30.5 @-1d"));
    assert_eq!(denied, NONE);
    assert_eq!(stored["kubernetes"]["versions"], json!([]));
    let (denied, stored) = update(&setup(), &kubernetes(""), &kubernetes("1.30.5 @-1d"));
    assert_eq!(denied, NONE);
    assert_eq!(stored["kubernetes"]["versions"], json!([]));
}

#[test]
fn an_expired_override_stays_only_as_it_is() {
    let mut old = kubernetes("1.30.5 @-2d");
    old["status"]["cloudProfileSpec"]["kubernetes"]["versions"] = versions("1.30.5 @-2d");
    let (denied, _) = update(&setup(), &old, &kubernetes("1.30.5 @-1d"));
    assert_eq!(
        denied,
        ["kubernetes-override-expired Forbidden spec.kubernetes.versions[0].expirationDate"]
    );
    let (denied, _) = update(&setup(), &old, &kubernetes("1.30.5 @-2d; 1.29.0 @+1d"));
    assert_eq!(denied, NONE);
}

#[test]
fn a_version_with_a_lifecycle_cannot_be_overridden() {
    let mut setup = setup();
    setup.config.feature_gates.version_classification_lifecycle = true;
    let parent = profile("1.31.1; 1.30.5 [supported; expired +1y]", IMAGE);
    setup.garden.apply(in_garden("CloudProfile", &parent));
    let denied = ["merged-invalid Forbidden status.cloudProfileSpec.kubernetes.versions[1]"];
    assert_eq!(create(&setup, &kubernetes("1.30.5 @+1d")).0, denied);
}

#[test]
fn an_override_of_an_image_version_sets_only_the_date() {
    let mut object = image("1.0.0 @+1d");
    object["spec"]["machineImages"][0]["versions"][0]["cri"] = json!([{"name": "containerd"}]);
    let denied = ["image-override-fields Forbidden spec.machineImages[0].versions[0].cri"];
    assert_eq!(create(&setup(), &object).0, denied);
}

#[test]
fn the_date_of_an_image_override_may_be_removed() {
    let (denied, _) = update(&setup(), &image("1.0.0 @+1d"), &image("1.0.0"));
    assert_eq!(denied, NONE);
}

#[test]
fn the_update_strategy_of_a_listed_image_stays() {
    let old = image("1.0.0 @+1d");
    let mut new = old.clone();
    new["spec"]["machineImages"][0]["updateStrategy"] = json!("minor");
    let denied = ["image-update-strategy-frozen Forbidden spec.machineImages[0].updateStrategy"];
    assert_eq!(update(&setup(), &old, &new).0, denied);
}

#[test]
fn more_than_the_date_of_a_listed_image_version_stays() {
    let old = image("1.0.0 @+1d");
    let denied = ["image-version-frozen Forbidden spec.machineImages[0].versions[0]"];
    assert_eq!(update(&setup(), &old, &image("1.0.0 =preview @+1d")).0, denied);
    assert_eq!(update(&setup(), &old, &image("1.0.0 @+2d")).0, NONE);
}

#[rstest]
#[case::kubelet("kubeletVersionConstraint", json!(">= 1.30"))]
#[case::in_place_updates("inPlaceUpdates", json!({"supported": true}))]
fn field_of_a_listed_image_version_stays(#[case] field: &str, #[case] value: Value) {
    let old = image("1.0.0 @+1d");
    let mut new = old.clone();
    new["spec"]["machineImages"][0]["versions"][0][field] = value;
    let denied = "image-version-frozen Forbidden spec.machineImages[0].versions[0]";
    let found = update(&setup(), &old, &new).0;
    assert!(found.iter().any(|it| it == denied), "{found:?}");
}

#[test]
fn an_expired_image_override_stays_only_as_it_is() {
    let mut old = image("1.0.0 @-2d");
    old["status"]["cloudProfileSpec"]["machineImages"] = old["spec"]["machineImages"].clone();
    let denied =
        ["image-override-expired Invalid spec.machineImages[0].versions[0].expirationDate"];
    assert_eq!(update(&setup(), &old, &image("1.0.0 @-1d")).0, denied);
    let mut same = old.clone();
    same["metadata"]["labels"] = json!({"a": "b"});
    assert_eq!(update(&setup(), &old, &same).0, NONE);
}

#[test]
fn a_new_image_needs_an_update_strategy() {
    let mut own = json!({"name": "own", "versions": versions("1.0.0")});
    own["versions"][0]["cri"] = json!([{"name": "containerd"}]);
    own["versions"][0]["architectures"] = json!(["amd64"]);
    let mut object = overlay("p", json!({"machineImages": [own]}));
    let denied =
        ["merged-invalid Required status.cloudProfileSpec.machineImages[1].updateStrategy"];
    assert_eq!(create(&setup(), &object).0, denied);
    object["spec"]["machineImages"][0]["updateStrategy"] = json!("major");
    assert_eq!(create(&setup(), &object).0, NONE);
    object["spec"]["machineImages"][0]["versions"] = json!([]);
    let denied =
        ["cloudprofile/machine-image-versions-missing Required spec.machineImages[0].versions"];
    assert_eq!(create(&setup(), &object).0, denied);
}

#[test]
fn an_own_image_that_is_wrong_is_not_merged() {
    let mut own = json!({"name": "own", "updateStrategy": "", "versions": versions("1.0.0")});
    own["versions"][0]["cri"] = json!([{"name": "containerd"}]);
    own["versions"][0]["architectures"] = json!(["amd64"]);
    let object = overlay("p", json!({"machineImages": [own]}));
    let denied = ["cloudprofile/update-strategy NotSupported spec.machineImages[0].updateStrategy"];
    assert_eq!(create(&setup(), &object).0, denied);
}

#[test]
fn an_image_that_is_listed_twice_is_merged_twice() {
    let mut object = image("3.0.0");
    let second = image("1.0.0 @+1d")["spec"]["machineImages"][0].take();
    object["spec"]["machineImages"].as_array_mut().unwrap().push(second);
    let denied = [
        "cloudprofile/machine-image-duplicate Duplicate spec.machineImages[1]",
        "merged-invalid Required status.cloudProfileSpec.machineImages[0].versions[3].cri",
    ];
    assert_eq!(create(&setup(), &object).0, denied);
}

#[test]
fn a_repetition_of_the_parent_is_gone_after_the_merge() {
    let mut setup = setup();
    let parent = profile("1.31.1; 1.30.5; 1.30.5", IMAGE);
    setup.garden.apply(in_garden("CloudProfile", &parent));
    assert_eq!(create(&setup, &kubernetes("1.30.5 @+1d")).0, NONE);
}

#[test]
fn an_image_with_only_expired_overrides_is_dropped() {
    let (denied, stored) = create(&setup(), &image("1.0.0 @-1d; 2.0.0 @-1d"));
    assert_eq!(denied, NONE);
    assert_eq!(stored["machineImages"], json!([]));
}

fn user_of_n(kubernetes: &str, image: &str) -> Value {
    shoot(&json!({
        "cloudProfile": {"kind": "NamespacedCloudProfile", "name": "n"},
        "kubernetes": {"version": kubernetes},
        "provider": {"workers": [{"name": "a", "minimum": 2, "machine": {"image": {"name": "img", "version": image}}}]},
    }))
}

#[rstest]
#[case::expired("1.29.0 @+1d", "1.29.0", &["kubernetes-override-in-use Forbidden spec.kubernetes.versions"])]
#[case::valid("1.30.5 @+1d", "1.30.5", &[])]
#[case::unused("1.29.0 @+1d", "1.31.1", &[])]
fn an_override_is_removed(#[case] list: &str, #[case] used: &str, #[case] denied: &[&str]) {
    let mut setup = setup();
    setup.garden.apply(in_garden("Shoot", &user_of_n(used, "2.0.0")));
    assert_eq!(update(&setup, &kubernetes(list), &overlay("p", json!({}))).0, denied);
}

#[rstest]
#[case::machine_image_version_in_use("3.0.0", &["machine-image-version-in-use Forbidden spec.machineImages"])]
#[case::expired_in_parent("0.9.0 @+1d", &["machine-image-version-in-use Forbidden spec.machineImages"])]
#[case::valid_in_parent("1.0.0 @+1d", &[])]
fn an_image_version_is_removed(#[case] list: &str, #[case] denied: &[&str]) {
    let mut setup = setup();
    let used = list.split(' ').next().unwrap();
    setup.garden.apply(in_garden("Shoot", &user_of_n("1.31.1", used)));
    assert_eq!(update(&setup, &image(list), &overlay("p", json!({}))).0, denied);
}

#[test]
fn a_limit_is_not_below_what_shoots_have_at_least() {
    let mut setup = setup();
    setup.garden.apply(in_garden("Shoot", &user_of_n("1.31.1", "2.0.0")));
    let limited = |limit: u8| overlay("p", json!({"limits": {"maxNodesTotal": limit}}));
    let denied = ["limit-below-shoot-minimum Forbidden spec.limits.maxNodesTotal"];
    assert_eq!(update(&setup, &overlay("p", json!({})), &limited(1)).0, denied);
    assert_eq!(update(&setup, &overlay("p", json!({})), &limited(2)).0, NONE);
}

#[rstest]
#[case::zero(0, &["cloudprofile/limit-not-positive Invalid spec.limits.maxNodesTotal"])]
#[case::one(1, &[])]
fn a_limit_is_positive(#[case] limit: u8, #[case] denied: &[&str]) {
    let object = overlay("p", json!({"limits": {"maxNodesTotal": limit}}));
    assert_eq!(create(&setup(), &object).0, denied);
}

#[test]
fn the_parent_is_immutable() {
    let mut setup = setup();
    let mut other = profile(KUBERNETES, IMAGE);
    other["metadata"]["name"] = json!("q");
    setup.garden.apply(in_garden("CloudProfile", &other));
    let (old, new) = (overlay("p", json!({})), overlay("q", json!({})));
    assert_eq!(update(&setup, &old, &new).0, ["parent-changed Invalid spec.parent"]);
}

#[test]
fn what_is_unchanged_is_not_compared_with_its_parent() {
    let old = kubernetes("1.31.1 @+30d");
    let mut new = old.clone();
    new["metadata"]["deletionTimestamp"] = json!(date("0"));
    assert_eq!(update(&setup(), &old, &new).0, NONE);
    let mut labelled = old.clone();
    labelled["metadata"]["labels"] = json!({"a": "b"});
    let denied =
        ["merged-invalid Invalid status.cloudProfileSpec.kubernetes.versions[].expirationDate"];
    assert_eq!(update(&setup(), &old, &labelled).0, denied);
    // An API server stores no empty list, so a written one is a change.
    assert_eq!(update(&setup(), &old, &old).0, NONE);
    let mut empty = old.clone();
    empty["spec"]["machineImages"] = json!([]);
    assert_eq!(update(&setup(), &empty, &old).0, denied);
    let image = json!({"name": "img", "updateStrategy": "major", "versions": []});
    empty["spec"]["machineImages"] = json!([image]);
    assert_eq!(update(&setup(), &empty, &empty).0, denied);
}

#[test]
fn a_parent_must_exist() {
    let denied = ["parent-missing NotFound spec.parent.name"];
    assert_eq!(create(&setup(), &overlay("missing", json!({}))).0, denied);
    let mut object = overlay("", json!({}));
    object["spec"]["parent"]["kind"] = json!("Other");
    let denied = [
        "parent NotSupported spec.parent.kind",
        "parent Required spec.parent.name",
        "parent-missing NotFound spec.parent.name",
    ];
    assert_eq!(create(&setup(), &object).0, denied);
}

#[rstest]
#[case::defined(json!({"architecture": ["amd64"]}), &[])]
#[case::unknown(json!({"disk": ["ssd"]}), &["merged-invalid NotSupported status.cloudProfileSpec.machineTypes[0].capabilities"])]
fn own_machine_types_fit_the_capabilities_of_the_parent(
    #[case] capabilities: Value,
    #[case] denied: &[&str],
) {
    let mut setup = setup();
    let mut parent = profile(KUBERNETES, IMAGE);
    let values = json!(["amd64"]);
    parent["spec"]["machineCapabilities"] = json!([{"name": "architecture", "values": values}]);
    parent["spec"]["machineTypes"] = json!([]);
    setup.garden.apply(in_garden("CloudProfile", &parent));
    let own = json!({"machineTypes": [{"name": "own", "capabilities": capabilities}]});
    assert_eq!(create(&setup, &overlay("p", own)).0, denied);
}
