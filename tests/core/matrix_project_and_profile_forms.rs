// SPDX-License-Identifier: Apache-2.0
//! Static validation of Projects and CloudProfiles, which an API server performs before it calls webhooks.

use garden_gate_core::admission::EntryPoints;
use garden_gate_core::garden::GardenObject;
use garden_gate_core::rules;
use garden_gate_model::api::Kind;
use rstest::rstest;
use serde_json::{Value, json};

use crate::judging::{Setup, request};

/// Returns findings of rules that run in `review` only, as `finding type field`.
fn told_in(setup: &Setup, request: &Value) -> Vec<String> {
    let review = setup.review_wholly(request);
    let of_review =
        |rule: &str| rules::find(rule).is_some_and(|it| it.entry_points != EntryPoints::All);
    let findings = review.findings.iter().filter(|it| of_review(it.rule));
    let told = findings.map(|it| format!("{} {:?} {}", it.finding, it.error, it.field));
    told.collect()
}

fn told(request: &Value) -> Vec<String> {
    told_in(&Setup::with_project(None), request)
}

fn profile(spec: Value) -> Value {
    let mut profile = json!({
        "apiVersion": "core.gardener.cloud/v1beta1",
        "kind": "CloudProfile",
        "metadata": {"name": "c"},
        "spec": {
            "type": "stub",
            "kubernetes": {"versions": [{"version": "1.34.1"}]},
            "machineImages": [{"name": "i", "versions": [{"version": "1.0.0", "capabilityFlavors": [{"architecture": ["amd64"]}]}]}],
            "machineTypes": [{"name": "m", "cpu": 1, "gpu": 0, "memory": "1Gi"}],
            "machineCapabilities": [{"name": "architecture", "values": ["amd64", "arm64"]}, {"name": "disk", "values": ["ssd"]}],
            "regions": [{"name": "eu"}],
        },
    });
    let spec = spec.as_object().unwrap().clone();
    profile["spec"].as_object_mut().unwrap().extend(spec);
    profile
}

fn capability(name: &str, values: &[&str]) -> Value {
    let architecture = json!({"name": "architecture", "values": ["amd64", "arm64"]});
    json!({"machineCapabilities": [architecture, {"name": name, "values": values}]})
}

fn typed(capabilities: &Value) -> Value {
    let machine_type = json!({
        "name": "m", "cpu": 1, "gpu": 0, "memory": "1Gi", "architecture": "amd64", "capabilities": capabilities,
    });
    json!({"machineTypes": [machine_type]})
}

/// The API server removes the capabilities of machine types and images in this case.
#[test]
fn definitions_of_capabilities_can_be_removed() {
    let old = profile(typed(&json!({"architecture": ["amd64"]})));
    let mut new = old.clone();
    new["spec"]["machineCapabilities"] = json!([]);
    new["spec"]["machineImages"][0]["versions"][0]["architectures"] = json!(["amd64"]);
    let updated = request("cloudprofiles", "UPDATE", &new, Some(&old));
    assert_eq!(told(&updated), Vec::<String>::new());
    let created = request("cloudprofiles", "CREATE", &new, None);
    let expected = "field/unfitting Forbidden spec.machineTypes[0].capabilities";
    assert_eq!(told(&created), [expected]);
}

#[rstest]
#[case::plain(json!({}), &[])]
#[case::label(json!({"type": "a/b"}), &["field/malformed Invalid metadata.labels"])]
#[case::no_architecture(
    json!({"machineCapabilities": [{"name": "disk", "values": ["ssd"]}]}),
    &["field/missing Required spec.machineCapabilities.architecture"]
)]
#[case::twice(capability("architecture", &["amd64", "arm64"]), &["field/repeated Duplicate spec.machineCapabilities[1].name"])]
#[case::reserved(capability("gardener-a", &["b"]), &["field/unfitting Forbidden spec.machineCapabilities[1].name"])]
#[case::nameless(capability("", &["b"]), &["field/missing Required spec.machineCapabilities"])]
#[case::prefixed(capability("a/b", &["b"]), &["field/malformed Invalid spec.machineCapabilities"])]
#[case::without_values(capability("a", &[]), &["field/missing Required spec.machineCapabilities.a"])]
#[case::empty_value(capability("a", &[""]), &["field/missing Required spec.machineCapabilities.a[0]"])]
#[case::malformed_value(capability("a", &["b", "c d"]), &["field/malformed Invalid spec.machineCapabilities.a[1]"])]
#[case::unknown_architecture(
    json!({"machineCapabilities": [{"name": "architecture", "values": ["amd64", "arm64", "s390"]}]}),
    &["field/unsupported-value Invalid spec.machineCapabilities.architecture"]
)]
#[case::of_a_type(typed(&json!({"architecture": ["amd64"]})), &[])]
#[case::unknown(typed(&json!({"gpu": ["a"]})), &["cloudprofile/machine-type-capabilities NotSupported spec.machineTypes[0].capabilities"])]
#[case::value(
    typed(&json!({"disk": ["hdd"]})),
    &["cloudprofile/machine-type-capabilities NotSupported spec.machineTypes[0].capabilities.disk[0]"]
)]
#[case::two_architectures(
    typed(&json!({"architecture": ["amd64", "arm64"]})),
    &["cloudprofile/machine-type-capabilities Invalid spec.machineTypes[0].capabilities.architecture"]
)]
#[case::other_architecture(
    typed(&json!({"architecture": ["arm64"]})),
    &["cloudprofile/machine-type-capabilities Invalid spec.machineTypes[0].architecture"]
)]
fn a_cloud_profile(#[case] spec: Value, #[case] expected: &[&str]) {
    let request = request("cloudprofiles", "CREATE", &profile(spec), None);
    assert_eq!(told(&request), expected);
}

#[test]
fn reported_capability_value_has_its_position() {
    let request = request("cloudprofiles", "CREATE", &profile(capability("a", &[""])), None);
    let review = Setup::with_project(None).review_wholly(&request);
    let pointers: Vec<&str> = review.findings.iter().map(|it| &*it.pointer).collect();
    assert!(pointers.contains(&"/spec/machineCapabilities/1/values/0"), "{pointers:?}");
}

fn project(spec: &Value) -> Value {
    json!({
        "apiVersion": "core.gardener.cloud/v1beta1",
        "kind": "Project",
        "metadata": {"name": "team"},
        "spec": spec,
    })
}

/// Gardener replaces labels of extensions, but not those of Projects.
#[rstest]
#[case::replaced("cloudprofiles", profile(json!({})), &[])]
#[case::kept("projects", project(&json!({})), &["field/malformed Invalid metadata.labels"])]
fn malformed_label_is_refused_unless_gardener_replaces_it(
    #[case] resource: &str,
    #[case] mut object: Value,
    #[case] expected: &[&str],
) {
    object["metadata"]["labels"] = json!({"provider.extensions.gardener.cloud/a b": "true"});
    assert_eq!(told(&request(resource, "CREATE", &object, None)), expected);
}

const TAKEN: &str = "project/namespace-taken Forbidden spec.namespace";

#[rstest]
#[case::of_another("stored", "CREATE", &[TAKEN])]
#[case::set_now("stored", "UPDATE", &[TAKEN])]
#[case::own("team", "CREATE", &[])]
#[case::that_comes_along("new", "CREATE", &[])]
fn a_namespace_is_that_of_one_project(
    #[case] other: &str,
    #[case] operation: &str,
    #[case] expected: &[&str],
) {
    let mut setup = Setup::with_project(None);
    let stored = (other != "new").then_some("2026-01-01T00:00:00Z");
    let other = json!({
        "metadata": {"name": other, "creationTimestamp": stored}, "spec": {"namespace": "garden-x"},
    });
    let other = GardenObject::read(Kind::Project, other.to_string().as_str());
    setup.garden.apply(other.unwrap().unwrap());
    let (new, old) = (project(&json!({"namespace": "garden-x"})), project(&json!({})));
    let old = (operation == "UPDATE").then_some(&old);
    let request = request("projects", operation, &new, old);
    assert_eq!(told_in(&setup, &request), expected);
}

#[rstest]
#[case::stored(json!({"namespace": "garden-x"}), None)]
#[case::in_deletion(json!({}), Some("2026-01-01T00:00:00Z"))]
fn namespace_of_another_project_is_refused_once(#[case] old: Value, #[case] deleted: Option<&str>) {
    let mut setup = Setup::with_project(None);
    let other = json!({
        "metadata": {"name": "stored", "creationTimestamp": "2026-01-01T00:00:00Z"}, "spec": {"namespace": "garden-x"},
    });
    let other = GardenObject::read(Kind::Project, other.to_string().as_str());
    setup.garden.apply(other.unwrap().unwrap());
    let [old, new] = [old, json!({"namespace": "garden-x"})].map(|spec| {
        let mut project = project(&spec);
        project["metadata"]["deletionTimestamp"] = json!(deleted);
        project
    });
    let found = told_in(&setup, &request("projects", "UPDATE", &new, Some(&old)));
    assert!(!found.contains(&TAKEN.to_owned()), "{found:?}");
}

#[rstest]
#[case::removed("", 1)]
#[case::changed("Failed", 0)]
fn the_phase_of_a_project_stays_set(#[case] phase: &str, #[case] refusals: usize) {
    let with = |phase: &str| {
        let mut project = project(&json!({}));
        project["status"] = json!({"phase": phase});
        project
    };
    let mut request = request("projects", "UPDATE", &with(phase), Some(&with("Ready")));
    request["subResource"] = json!("status");
    let expected = "field/missing Invalid status.phase";
    assert_eq!(told(&request), vec![expected; refusals]);
}

#[test]
fn an_owner_who_becomes_a_member_is_judged_as_one() {
    let new = project(&json!({"owner": {"kind": "Robot", "name": "r"}, "members": []}));
    let request = request("projects", "CREATE", &new, None);
    let expected = [
        "field/unsupported-value NotSupported spec.members[0].kind",
        "field/unsupported-value NotSupported spec.owner.kind",
    ];
    assert_eq!(told(&request), expected);
}

#[test]
fn who_creates_a_project_is_not_a_member_under_two_names() {
    let robot = json!({"kind": "ServiceAccount", "namespace": "garden-p", "name": "robot"});
    let new = project(&json!({"members": [robot]}));
    let mut setup = Setup::with_project(None);
    setup.user = "system:serviceaccount:garden-p:robot";
    let request = request("projects", "CREATE", &new, None);
    assert_eq!(told_in(&setup, &request), ["field/repeated Duplicate spec.members[1]"]);
}
