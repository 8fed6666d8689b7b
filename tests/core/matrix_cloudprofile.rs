// SPDX-License-Identifier: Apache-2.0
//! Valid CloudProfiles and their changes.

use crate::judging::{Setup, denials, request};
use crate::profiles::{in_garden, overlay, profile, shoot};
use garden_gate_model::api::GardenerVersion;
use rstest::rstest;
use serde_json::{Value, json};

const IMAGE: &str = "1.0.0 =supported";
const NONE: [&str; 0] = [];

fn setup(gate: bool) -> Setup {
    let mut setup = Setup::with_project(None);
    setup.now = crate::profiles::NOW;
    setup.config.feature_gates.version_classification_lifecycle = gate;
    setup
}

/// Returns denying findings (without the common prefix of ids), and the stored versions.
fn create(setup: &Setup, object: &Value) -> (Vec<String>, Vec<String>) {
    let review = setup.review(&request("cloudprofiles", "CREATE", object, None));
    let mut stored = object.clone();
    json_patch::patch(&mut stored, &review.patch).unwrap();
    let again = setup.review(&request("cloudprofiles", "CREATE", &stored, None));
    assert!(again.patch.is_empty());
    let names = |list: &Value| -> Vec<String> {
        let versions = list["versions"].as_array().unwrap().iter();
        versions.map(|v| v["version"].as_str().unwrap().to_owned()).collect()
    };
    let spec = &stored["spec"];
    let mut versions = names(&spec["kubernetes"]);
    versions.extend(names(&spec["machineImages"][0]));
    (short(denials(&review)), versions)
}

fn update(setup: &Setup, old: &Value, new: &Value) -> Vec<String> {
    let review = setup.review(&request("cloudprofiles", "UPDATE", new, Some(old)));
    assert!(review.patch.is_empty());
    short(denials(&review))
}

fn short(denials: Vec<String>) -> Vec<String> {
    let short = |denial: String| denial.replace("cloudprofile/", "");
    denials.into_iter().map(short).collect()
}

#[rstest]
#[case("1.31.1; 1.30.5", &["1.31.1", "1.30.5"])]
#[case("1.31.1; 1.30.5 @-1h", &["1.31.1"])]
#[case("1.31.1 @-1h; 1.30.5", &["1.30.5"])]
#[case("1.31.1; 1.30.5 =expired", &["1.31.1"])]
#[case("1.31.1; 1.30.5 @0", &["1.31.1", "1.30.5"])]
#[case("01.31.1", &["01.31.1"])]
#[case("1.30.1 =supported; 1.30.2; 1.31.0", &["1.30.1", "1.30.2", "1.31.0"])]
#[case("1.30.1 =supported; 1.31.1 =supported", &["1.30.1", "1.31.1"])]
#[case("1.30.1 =unavailable; 1.31.0", &["1.31.0"])]
#[case("1.30.0 [supported; expired -1d]; 1.31.0", &["1.31.0"])]
fn created_without_the_gate(#[case] kubernetes: &str, #[case] stored: &[&str]) {
    let (denied, mut versions) = create(&setup(false), &profile(kubernetes, IMAGE));
    assert_eq!(denied, NONE);
    assert_eq!(versions.pop().unwrap(), "1.0.0");
    assert_eq!(versions, stored);
}

#[rstest]
#[case::kubernetes_latest_expiration("1.31.1 @-1h; 1.30.5 @+1d", &["kubernetes-latest-expiration Invalid spec.kubernetes.versions[].expirationDate"])]
#[case::kubernetes_latest_undetermined("1.31.1 @-1h", &["kubernetes-latest-undetermined Invalid spec.kubernetes.versions", "kubernetes-versions-missing Required spec.kubernetes.versions"])]
#[case::v("v1.31.1", &["kubernetes-version-malformed Invalid spec.kubernetes.versions[0]"])]
#[case::short("1.31", &["kubernetes-version-malformed Invalid spec.kubernetes.versions[0]"])]
#[case::prerelease("1.31.1-rc.1", &["kubernetes-version-malformed Invalid spec.kubernetes.versions[0]"])]
#[case::build("1.31.1+x", &["kubernetes-version-malformed Invalid spec.kubernetes.versions[0]"])]
#[case::kubernetes_latest_undetermined("a.b.c; 1.31.1 @+1d", &["kubernetes-latest-undetermined Invalid spec.kubernetes.versions", "kubernetes-version-malformed Invalid spec.kubernetes.versions[0]"])]
#[case::kubernetes_version_duplicate("1.31.1; 1.31.1", &["kubernetes-version-duplicate Duplicate spec.kubernetes.versions[1].version"])]
#[case::supported_overlap("1.30.1 =supported; 1.30.2 =supported; 1.31.0", &["supported-overlap Forbidden spec.kubernetes.versions[0]", "supported-overlap Forbidden spec.kubernetes.versions[1]"])]
#[case::supported_overlap("1.30.1 =supported; 1.30.2 =supported; 1.30.3 =supported", &["supported-overlap Forbidden spec.kubernetes.versions[0]", "supported-overlap Forbidden spec.kubernetes.versions[1]", "supported-overlap Forbidden spec.kubernetes.versions[2]"])]
#[case::classification_unsupported("1.30.1 =; 1.31.0", &["classification-unsupported NotSupported spec.kubernetes.versions[0].classification"])]
#[case::lifecycle_feature_gate("1.30.1 [preview]; 1.31.0", &["lifecycle-feature-gate Forbidden spec.kubernetes.versions[0].lifecycle"])]
fn refused_on_create(#[case] kubernetes: &str, #[case] denied: &[&str]) {
    assert_eq!(create(&setup(false), &profile(kubernetes, IMAGE)).0, denied);
}

#[rstest]
#[case::classification_expired_explicit("1.31.1; 1.30.5 =expired", &["classification-expired-explicit Forbidden spec.kubernetes.versions[1].classification"])]
#[case::nothing_said("1.31.1; 1.29.0 @-1y", &[])]
#[case::kubernetes_latest_expiration("1.32.0 =preview @+30d; 1.31.1", &["kubernetes-latest-expiration Invalid spec.kubernetes.versions[].expirationDate"])]
#[case::kubernetes_latest_expiration("1.31.1 @-1d", &["kubernetes-latest-expiration Invalid spec.kubernetes.versions[].expirationDate"])]
#[case::supported_overlap("1.31.1; 1.30.1 =supported @-1d; 1.30.2 =supported", &["supported-overlap Forbidden spec.kubernetes.versions[2]"])]
#[case::new("1.31.1; 1.30.1 =unavailable", &["classification-unsupported NotSupported spec.kubernetes.versions[1].classification"])]
#[case::listed("1.31.1 =unavailable", &["version-turned-unavailable Forbidden spec.kubernetes.versions[0]", "classification-unsupported NotSupported spec.kubernetes.versions[0].classification"])]
fn updated_without_the_gate(#[case] kubernetes: &str, #[case] denied: &[&str]) {
    let old = profile("1.31.1", IMAGE);
    assert_eq!(update(&setup(false), &old, &profile(kubernetes, IMAGE)), denied);
}

#[rstest]
#[case("1.32.0 [preview +1d]; 1.31.0", IMAGE, &["1.31.0", "1.0.0"])]
#[case("1.31.0", "1.0.0; 1.1.0 [preview +1d]", &["1.31.0", "1.0.0", "1.1.0"])]
#[case::lower("1.31.0; 1.30.0 [supported; deprecated +1d; expired +2d]", IMAGE, &["1.31.0", "1.30.0", "1.0.0"])]
#[case("1.31.0; 1.30.1 [supported]; 1.30.2 [supported]", IMAGE, &["1.31.0", "1.30.1", "1.30.2", "1.0.0"])]
fn created_with_the_gate(#[case] kubernetes: &str, #[case] image: &str, #[case] stored: &[&str]) {
    let (denied, versions) = create(&setup(true), &profile(kubernetes, image));
    assert_eq!(denied, NONE);
    assert_eq!(versions, stored);
}

#[rstest]
#[case::latest(
    "1.31.0 [supported; deprecated +1d; expired +2d]",
    "kubernetes-latest-lifecycle-expired Invalid spec.kubernetes.versions[].lifecycle"
)]
#[case::lifecycle_start_missing(
    "1.31.0; 1.30.0 [preview; supported]",
    "lifecycle-start-missing Required spec.kubernetes.versions[1].lifecycle[1]"
)]
#[case::lifecycle_stage_order(
    "1.31.0; 1.30.0 [deprecated; supported +1h]",
    "lifecycle-stage-order Invalid spec.kubernetes.versions[1].lifecycle[1].classification"
)]
#[case::lifecycle_stage_duplicate(
    "1.31.0; 1.30.0 [supported; supported +1h]",
    "lifecycle-stage-duplicate Duplicate spec.kubernetes.versions[1].lifecycle[1].classification"
)]
#[case::lifecycle_mixed(
    "1.31.0; 1.30.0 =supported [supported]",
    "lifecycle-mixed Forbidden spec.kubernetes.versions[1]"
)]
#[case::supported_overlap(
    "1.31.0; 1.30.1 =supported; 1.30.2 [preview; supported +1y]",
    "supported-overlap Forbidden spec.kubernetes.versions[1]"
)]
#[case::stage_unknown(
    "1.31.0; 1.30.0 [foo]",
    "lifecycle-stage-unsupported NotSupported spec.kubernetes.versions[1].lifecycle[0].classification"
)]
fn refused_with_the_gate(#[case] kubernetes: &str, #[case] denied: &str) {
    assert_eq!(create(&setup(true), &profile(kubernetes, IMAGE)).0, [denied]);
}

#[rstest]
#[case::nothing_said("1.32.0 [preview +1d]; 1.31.0", &[])]
#[case::version_turned_unavailable("1.31.0 [supported +1h]", &["version-turned-unavailable Forbidden spec.kubernetes.versions[0]"])]
#[case::equal("1.31.0; 1.30.0 [preview -1h; supported -1h]", &[])]
#[case::before("1.31.0; 1.30.0 [preview +2h; supported +1h]", &["lifecycle-start-order Invalid spec.kubernetes.versions[1].lifecycle[1]"])]
fn updated_with_the_gate(#[case] kubernetes: &str, #[case] denied: &[&str]) {
    let old = profile("1.31.0", IMAGE);
    assert_eq!(update(&setup(true), &old, &profile(kubernetes, IMAGE)), denied);
}

#[test]
fn an_unavailable_version_is_dropped_on_create_before_its_order_matters() {
    let object = profile("1.31.0; 1.30.0 [preview +2h; supported +1h]", IMAGE);
    let (denied, versions) = create(&setup(true), &object);
    assert_eq!(denied, NONE);
    assert_eq!(versions, ["1.31.0", "1.0.0"]);
}

#[rstest]
#[case::nothing_said("1.0.0; 2.0.0 @+1d", &[])]
#[case::machine_image_versions_missing("1.0.0 @-1d", &["machine-image-versions-missing Required spec.machineImages[0].versions"])]
#[case::machine_images_latest_undetermined("a.b.c", &["machine-images-latest-undetermined Invalid spec.machineImages", "machine-image-version-malformed Invalid spec.machineImages[0].versions[0].version"])]
#[case::nothing_said("18.04.201906170; v1.2; 1.2.3-x+y", &[])]
#[case::machine_images_latest_undetermined("1.2.3.4", &["machine-images-latest-undetermined Invalid spec.machineImages", "machine-image-version-malformed Invalid spec.machineImages[0].versions[0].version"])]
fn image_versions(#[case] image: &str, #[case] denied: &[&str]) {
    assert_eq!(create(&setup(false), &profile("1.31.1", image)).0, denied);
}

#[test]
fn the_latest_image_version_may_expire_on_update() {
    let (old, new) = (profile("1.31.1", IMAGE), profile("1.31.1", "1.0.0; 2.0.0 @-1d"));
    assert_eq!(update(&setup(false), &old, &new), NONE);
}

#[rstest]
#[case::malformed("/versions/0/inPlaceUpdates", json!({"supported": true, "minVersionForUpdate": "a.b"}), &["in-place-min-version Invalid spec.machineImages[0].versions[0].minVersionForInPlaceUpdate"])]
#[case::short("/versions/0/inPlaceUpdates", json!({"supported": true, "minVersionForUpdate": "1.0"}), &[])]
#[case::higher("/versions/0/inPlaceUpdates", json!({"supported": true, "minVersionForUpdate": "9.0.0"}), &[])]
#[case::unsupported("/versions/0/inPlaceUpdates", json!({"supported": false, "minVersionForUpdate": "0.9.0"}), &[])]
#[case::absent("/updateStrategy", Value::Null, &[])]
#[case::empty("/updateStrategy", json!(""), &["update-strategy NotSupported spec.machineImages[0].updateStrategy"])]
#[case::unknown("/updateStrategy", json!("latest"), &["update-strategy NotSupported spec.machineImages[0].updateStrategy"])]
#[case::list("/versions/0/kubeletVersionConstraint", json!(">= 1.29, < 1.31"), &[])]
#[case::empty("/versions/0/kubeletVersionConstraint", json!(""), &["kubelet-constraint Invalid spec.machineImages[0].versions[0].kubeletVersionConstraint"])]
#[case::word("/versions/0/kubeletVersionConstraint", json!("foo"), &["kubelet-constraint Invalid spec.machineImages[0].versions[0].kubeletVersionConstraint"])]
#[case::cri_unknown("/versions/0/cri", json!([{"name": "docker"}]), &["machine-image-cri NotSupported spec.machineImages[0].versions[0].cri[0].name"])]
#[case::cri_twice("/versions/0/cri", json!([{"name": "containerd"}, {"name": "containerd"}]), &["machine-image-cri Duplicate spec.machineImages[0].versions[0].cri[1]"])]
#[case::runtime_twice("/versions/0/cri", json!([{"name": "containerd", "containerRuntimes": [{"type": "g"}, {"type": "g"}]}]), &["machine-image-cri Duplicate spec.machineImages[0].versions[0].cri[0].containerRuntimes[1].type"])]
#[case::runtime_prefixed("/versions/0/cri", json!([{"name": "containerd", "containerRuntimes": [{"type": "a/g"}]}]), &["machine-image-cri Invalid spec.machineImages[0].versions[0].cri[0].containerRuntimes[0].type"])]
#[case::architecture("/versions/0/architectures", json!(["amd64", "x86"]), &["machine-image-architectures NotSupported spec.machineImages[0].versions[0].architectures[1]"])]
#[case::flavors_without_capabilities("/versions/0/capabilityFlavors", json!([{"architecture": ["amd64"]}]), &["machine-image-flavors Forbidden spec.machineImages[0].versions[0].capabilityFlavors"])]
#[case::nameless("/name", json!(""), &["machine-image-name Required spec.machineImages[0].name"])]
#[case::prefixed("/name", json!("a/b"), &["machine-image-name Invalid spec.machineImages[0].name"])]
fn image_fields(#[case] pointer: &str, #[case] value: Value, #[case] denied: &[&str]) {
    let mut object = profile("1.31.1", IMAGE);
    let (parent, field) = pointer.rsplit_once('/').unwrap();
    let image = format!("/spec/machineImages/0{parent}");
    object.pointer_mut(&image).unwrap()[field] = value;
    assert_eq!(create(&setup(false), &object).0, denied);
}

#[rstest]
#[case::no_flavor(json!({}), &["machine-image-flavors Required spec.machineImages[0].versions[0].capabilityFlavors"])]
#[case::no_architecture(json!({"capabilityFlavors": [{"gpu": ["yes"]}]}), &["machine-image-flavors Required spec.machineImages[0].versions[0].capabilityFlavors[0].architecture"])]
#[case::two_architectures(json!({"capabilityFlavors": [{"architecture": ["amd64", "arm64"]}]}), &["machine-image-flavors Invalid spec.machineImages[0].versions[0].capabilityFlavors[0].architecture"])]
#[case::undefined(json!({"capabilityFlavors": [{"architecture": ["amd64"], "disk": ["fast"]}]}), &["machine-image-flavors NotSupported spec.machineImages[0].versions[0].capabilityFlavors[0]"])]
#[case::value(json!({"capabilityFlavors": [{"architecture": ["amd64"], "gpu": ["yes", "no"]}]}), &["machine-image-flavors NotSupported spec.machineImages[0].versions[0].capabilityFlavors[0].gpu[1]"])]
#[case::contradiction(json!({"architectures": ["arm64"], "capabilityFlavors": [{"architecture": ["amd64"]}]}), &["machine-image-architectures Invalid spec.machineImages[0].versions[0].architectures"])]
#[case::fine(json!({"architectures": ["amd64"], "capabilityFlavors": [{"architecture": ["amd64"], "gpu": ["yes"]}]}), &[])]
fn capabilities(#[case] version: Value, #[case] denied: &[&str]) {
    let mut object = profile("1.31.1", IMAGE);
    object["spec"]["machineCapabilities"] = json!([{"name": "architecture", "values": ["amd64", "arm64"]}, {"name": "gpu", "values": ["yes"]}]);
    let target = &mut object["spec"]["machineImages"][0]["versions"][0];
    for (field, value) in version.as_object().unwrap() {
        target[field] = value.clone();
    }
    assert_eq!(create(&setup(false), &object).0, denied);
}

#[rstest]
#[case::never("9999-12-31T23:59:59Z", &[])]
#[case::no_time_to_go("2099-12-31t23:59:59z", &["object/undecodable TypeInvalid spec.kubernetes.versions[1].expirationDate"])]
fn dates_are_read_as_go_reads_them(#[case] date: &str, #[case] denied: &[&str]) {
    let mut object = profile("1.31.1; 1.30.5", IMAGE);
    object["spec"]["kubernetes"]["versions"][1]["expirationDate"] = json!(date);
    assert_eq!(create(&setup(false), &object).0, denied);
}

#[test]
fn of_several_definitions_of_a_capability_the_last_counts() {
    let mut object = profile("1.31.1", IMAGE);
    object["spec"]["machineCapabilities"] = json!([
        {"name": "architecture", "values": ["amd64", "arm64"]},
        {"name": "architecture", "values": ["arm64"]},
    ]);
    object["spec"]["machineImages"][0]["versions"][0]["architectures"] = json!(["amd64"]);
    let denied = [
        "machine-image-architectures Invalid spec.machineImages[0].versions[0].architectures",
        "machine-image-architectures NotSupported spec.machineImages[0].versions[0].architectures[0]",
    ];
    assert_eq!(create(&setup(false), &object).0, denied);
}

#[test]
fn the_name_of_an_image_and_its_version_collide_across_images() {
    let mut object = profile("1.31.1", "1-2.0.0");
    object["spec"]["machineImages"][0]["name"] = json!("foo");
    let second = json!({"name": "foo-1", "versions": [{"version": "2.0.0"}]});
    let images = object["spec"]["machineImages"].as_array_mut().unwrap();
    images.push(second);
    let denied = ["machine-image-version-duplicate Duplicate spec.machineImages[1].versions[0]"];
    assert_eq!(create(&setup(false), &object).0, denied);
    let second = json!({"name": "foo", "versions": [{"version": "3.0.0"}]});
    object["spec"]["machineImages"][1] = second;
    let denied = ["machine-image-duplicate Duplicate spec.machineImages[1]"];
    assert_eq!(create(&setup(false), &object).0, denied);
}

#[rstest]
#[case("1.0.0", json!({"machineImage": {"name": "img"}}), Some("Invalid spec.bastion.machineImage.name"))]
#[case("1.0.0 =supported @-1d", json!({"machineImage": {"name": "img"}}), Some("Invalid spec.bastion.machineImage.name"))]
#[case::preview("1.0.0 =preview", json!({"machineImage": {"name": "img", "version": "1.0.0"}}), Some("Invalid spec.bastion.machineImage.version"))]
#[case::empty(IMAGE, json!({}), Some("Invalid spec.bastion"))]
#[case::type_unknown(IMAGE, json!({"machineType": {"name": "huge"}}), Some("Invalid spec.bastion.machineType.name"))]
#[case::image_unknown(IMAGE, json!({"machineImage": {"name": "other"}}), Some("Invalid spec.bastion.machineImage.name"))]
#[case::version_unknown(IMAGE, json!({"machineImage": {"name": "img", "version": "9.0.0"}}), Some("Invalid spec.bastion.machineImage.version"))]
#[case::architecture(IMAGE, json!({"machineType": {"name": "arm"}, "machineImage": {"name": "img", "version": "1.0.0"}}), Some("Invalid spec.bastion.machineImage.version"))]
#[case::fine(IMAGE, json!({"machineType": {"name": "small"}, "machineImage": {"name": "img"}}), None)]
fn bastions(#[case] image: &str, #[case] bastion: Value, #[case] denied: Option<&str>) {
    let mut object = profile("1.31.1", image);
    object["spec"]["bastion"] = bastion;
    let denied: Vec<String> =
        denied.iter().map(|denied| format!("bastion-image {denied}")).collect();
    // The date is now in the past, and the update only changes a label.
    let mut labelled = object.clone();
    labelled["metadata"]["labels"] = json!({"a": "b"});
    assert_eq!(update(&setup(false), &object, &labelled), denied);
}

#[rstest]
#[case::only_the_profile_has_it("arm", json!({"architecture": ["amd64"]}), true)]
#[case::nobody_has_it("odd", json!({"architecture": ["amd64"]}), false)]
#[case::a_flavor_has_it("odd", json!({"architecture": ["riscv64"]}), true)]
fn bastions_of_a_profile_with_capabilities(
    #[case] machine_type: &str,
    #[case] flavor: Value,
    #[case] fits: bool,
) {
    let mut object = profile("1.31.1", IMAGE);
    object["spec"]["machineTypes"] = json!([
        {"name": "arm", "capabilities": {"architecture": ["arm64"]}},
        {"name": "odd", "capabilities": {"architecture": ["riscv64"]}},
    ]);
    object["spec"]["machineCapabilities"] =
        json!([{"name": "architecture", "values": ["amd64", "arm64"]}]);
    object["spec"]["machineImages"][0]["versions"][0]["capabilityFlavors"] = json!([flavor]);
    object["spec"]["bastion"] =
        json!({"machineType": {"name": machine_type}, "machineImage": {"name": "img"}});
    let denied = create(&setup(false), &object).0;
    let bastion = "bastion-image Invalid spec.bastion.machineImage.name";
    assert_eq!(!denied.iter().any(|it| it == bastion), fits, "{denied:?}");
}

const IN_USE: &str = "kubernetes-version-in-use Forbidden spec.kubernetes.versions";

fn uses(spec: &Value) -> Value {
    shoot(spec)
}

/// Removes 1.30.5 from the profile `p` of a garden with these objects.
fn remove_version(objects: &[(&str, Value)]) -> Vec<String> {
    let mut setup = setup(false);
    for (kind, object) in objects {
        setup.garden.apply(in_garden(kind, object));
    }
    let (old, new) = (profile("1.31.1; 1.30.5", IMAGE), profile("1.31.1", IMAGE));
    update(&setup, &old, &new)
}

#[rstest]
#[case(json!({"cloudProfileName": "p"}), &[IN_USE])]
#[case::nothing_said(json!({"cloudProfileName": "p", "cloudProfile": {"kind": "CloudProfile", "name": "q"}}), &[])]
#[case(json!({"cloudProfile": {"name": "p"}}), &[IN_USE])]
#[case::nothing_said(json!({"cloudProfileName": "p", "kubernetes": {"version": "1.31.1"}, "provider": {"workers": [{"name": "a", "kubernetes": {"version": "1.30.5"}}]}}), &[])]
fn a_version_that_a_shoot_uses(#[case] spec: Value, #[case] denied: &[&str]) {
    assert_eq!(remove_version(&[("Shoot", uses(&spec))]), denied);
}

#[test]
fn what_is_being_deleted_uses_and_loses_nothing() {
    let mut shoot = uses(&json!({"cloudProfileName": "p"}));
    shoot["metadata"]["deletionTimestamp"] = json!(crate::profiles::NOW);
    assert_eq!(remove_version(&[("Shoot", shoot)]), NONE);
    let mut setup = setup(false);
    setup.garden.apply(in_garden("Shoot", &uses(&json!({"cloudProfileName": "p"}))));
    let (old, mut new) = (profile("1.31.1; 1.30.5", IMAGE), profile("1.31.1", IMAGE));
    new["metadata"]["deletionTimestamp"] = json!(crate::profiles::NOW);
    assert_eq!(update(&setup, &old, &new), NONE);
}

#[test]
fn a_shoot_counts_through_a_namespaced_cloud_profile() {
    let shoot = uses(&json!({"cloudProfile": {"kind": "NamespacedCloudProfile", "name": "n"}}));
    let mut child = overlay("p", json!({}));
    let objects = [("Shoot", shoot.clone()), ("NamespacedCloudProfile", child.clone())];
    assert_eq!(remove_version(&objects), [IN_USE]);
    child["metadata"]["deletionTimestamp"] = json!(crate::profiles::NOW);
    let objects = [("Shoot", shoot), ("NamespacedCloudProfile", child)];
    assert_eq!(remove_version(&objects), NONE);
}

#[test]
fn a_namespaced_cloud_profile_of_the_same_name_elsewhere_does_not_count() {
    let mut shoot = uses(&json!({"cloudProfile": {"kind": "NamespacedCloudProfile", "name": "n"}}));
    shoot["metadata"]["namespace"] = json!("garden-q");
    let mut other = overlay("q", json!({}));
    other["metadata"]["namespace"] = json!("garden-q");
    let objects = [
        ("Shoot", shoot),
        ("NamespacedCloudProfile", overlay("p", json!({}))),
        ("NamespacedCloudProfile", other),
    ];
    assert_eq!(remove_version(&objects), NONE);
}

#[test]
fn a_version_that_a_child_overrides_is_in_use() {
    let child = overlay("p", json!({"kubernetes": {"versions": [{"version": "1.30.5"}]}}));
    let denied = ["kubernetes-version-in-use-by-namespaced Forbidden spec.kubernetes.versions"];
    assert_eq!(remove_version(&[("NamespacedCloudProfile", child)]), denied);
}

fn images(list: Value) -> Value {
    let mut object = profile("1.31.1", IMAGE);
    object["spec"]["machineImages"] = list;
    object
}

fn image(name: &str, versions: &str) -> Value {
    json!({"name": name, "versions": crate::profiles::versions(versions)})
}

#[rstest]
#[case::machine_image_removed_in_use_by_namespaced(json!([image("img", "1.0.0"), image("x", "1.0.0")]), json!([image("img", "1.0.0")]), &["machine-image-removed-in-use-by-namespaced Forbidden spec.machineImages"])]
#[case::image(json!([image("img", "1.0.0")]), json!([image("img", "1.0.0"), image("x", "1.0.0")]), &["machine-image-added-collides Forbidden spec.machineImages"])]
#[case::version(json!([image("x", "1.0.0")]), json!([image("x", "1.0.0; 9.0.0")]), &[])]
#[case::version(json!([image("x", "1.0.0; 9.0.0")]), json!([image("x", "1.0.0")]), &["machine-image-version-in-use-by-namespaced Forbidden spec.machineImages"])]
fn images_that_a_child_has(#[case] old: Value, #[case] new: Value, #[case] denied: &[&str]) {
    let mut setup = setup(false);
    let child = overlay("p", json!({"machineImages": [image("x", "9.0.0")]}));
    setup.garden.apply(in_garden("NamespacedCloudProfile", &child));
    assert_eq!(update(&setup, &images(old), &images(new)), denied);
}

#[test]
fn an_image_version_in_use_is_refused_and_the_pool_is_named() {
    let mut setup = setup(false);
    setup.garden.apply(in_garden("Shoot", &uses(&json!({"cloudProfileName": "p"}))));
    let (old, new) =
        (profile("1.31.1; 1.30.5", "2.0.0; 1.0.0"), profile("1.31.1; 1.30.5", "2.0.0"));
    let review = setup.review(&request("cloudprofiles", "UPDATE", &new, Some(&old)));
    let denied = ["machine-image-version-in-use Forbidden spec.machineImages"];
    assert_eq!(short(denials(&review)), denied);
    assert!(review.findings[0].message.contains("`garden-p/s (worker pool b)`"));
}

#[test]
fn a_machine_type_in_use_may_go() {
    let mut setup = setup(false);
    setup.garden.apply(in_garden("Shoot", &uses(&json!({"cloudProfileName": "p"}))));
    let old = profile("1.31.1; 1.30.5", IMAGE);
    let mut new = old.clone();
    new["spec"]["machineTypes"] = json!([]);
    assert_eq!(update(&setup, &old, &new), NONE);
}

#[test]
fn a_profile_in_use_may_be_deleted() {
    let mut setup = setup(false);
    setup.garden.apply(in_garden("Shoot", &uses(&json!({"cloudProfileName": "p"}))));
    let mut request = request("cloudprofiles", "DELETE", &profile("1.31.1; 1.30.5", IMAGE), None);
    request["oldObject"] = request["object"].take();
    assert_eq!(denials(&setup.review(&request)), NONE);
}

#[rstest]
#[case::too_large(json!(2_147_483_648_i64), &["object/undecodable TypeInvalid spec.limits.maxNodesTotal"])]
#[case::below(json!(4), &["limit-below-shoot-minimum Forbidden spec.limits.maxNodesTotal"])]
#[case::enough(json!(5), &[])]
#[case::zero(json!(0), &["limit-not-positive Invalid spec.limits.maxNodesTotal", "limit-below-shoot-minimum Forbidden spec.limits.maxNodesTotal"])]
fn limits(#[case] limit: Value, #[case] denied: &[&str]) {
    let mut setup = setup(false);
    setup.garden.apply(in_garden("Shoot", &uses(&json!({"cloudProfileName": "p"}))));
    let old = profile("1.31.1; 1.30.5", IMAGE);
    let mut new = old.clone();
    new["spec"]["limits"] = json!({"maxNodesTotal": limit});
    assert_eq!(update(&setup, &old, &new), denied);
}

#[test]
fn a_limit_is_not_lowered() {
    let mut old = profile("1.31.1", IMAGE);
    old["spec"]["limits"] = json!({"maxNodesTotal": 10});
    let mut new = old.clone();
    new["spec"]["limits"] = json!({"maxNodesTotal": 9});
    let denied = ["limit-lowered Invalid spec.limits.maxNodesTotal"];
    assert_eq!(update(&setup(false), &old, &new), denied);
    assert_eq!(update(&setup(false), &new, &old), NONE);
}

#[rstest]
#[case::only_architectures(json!({"architecture": ["arm64"]}), false)]
#[case::others_too(json!({"architecture": ["arm64"], "gpu": ["yes"]}), true)]
#[case::others_without_values(json!({"architecture": ["arm64"], "gpu": []}), true)]
fn capabilities_in_use(#[case] flavor: Value, #[case] refused: bool) {
    let mut setup = setup(false);
    let mut image = image("x", "9.0.0");
    image["versions"][0]["capabilityFlavors"] = json!([flavor]);
    let child = overlay("p", json!({"machineImages": [image]}));
    setup.garden.apply(in_garden("NamespacedCloudProfile", &child));
    let mut old = profile("1.31.1", IMAGE);
    old["spec"]["machineImages"][0]["versions"][0]["capabilityFlavors"] =
        json!([{"architecture": ["amd64"]}]);
    let mut new = old.clone();
    let gpu = json!({"name": "gpu", "values": ["yes"]});
    old["spec"]["machineCapabilities"] =
        json!([{"name": "architecture", "values": ["amd64", "arm64"]}, gpu]);
    new["spec"]["machineCapabilities"] =
        json!([{"name": "architecture", "values": ["amd64"]}, gpu]);
    let denied = ["capability-in-use-by-namespaced Forbidden spec.machineCapabilities"];
    assert_eq!(update(&setup, &old, &new), &denied[..usize::from(refused)]);
    // Before 1.146, the other capabilities of NamespacedCloudProfiles did not matter.
    setup.config.gardener_version = GardenerVersion::of_minor(145);
    setup.config.feature_gates.cloud_profile_capabilities = Some(true);
    assert_eq!(update(&setup, &old, &new), denied);
}
