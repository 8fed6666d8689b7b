// SPDX-License-Identifier: Apache-2.0
//! Audit rules: findings that no write causes, and unused objects.

use garden_gate_core::config::{Config, Level};
use garden_gate_core::garden::{GardenObject, Knowledge, ObjectKey, Snapshot};
use garden_gate_core::rules;
use garden_gate_model::api::{GardenerVersion, Kind, Toleration};
use garden_gate_products::audit::{Auditor, Trigger};
use rstest::rstest;
use serde_json::value::to_raw_value;
use serde_json::{Value, json};

const NOW: &str = "2026-06-01T00:00:00Z";

fn garden(objects: &[(Kind, Value)]) -> Snapshot {
    let mut garden = Snapshot::new(Knowledge::Everything);
    for (kind, object) in objects {
        let text = object.to_string();
        let object = GardenObject::read(*kind, text.as_str()).unwrap();
        garden.apply(object.unwrap());
    }
    garden
}

fn profile(change: impl FnOnce(&mut Value)) -> (Kind, Value) {
    let mut profile = json!({
        "metadata": {"name": "p"},
        "spec": {
            "type": "stub",
            "kubernetes": {"versions": [
                {"version": "1.33.1"}, {"version": "1.32.1", "expirationDate": "2026-05-01T00:00:00Z"},
            ]},
            "machineImages": [{"name": "i", "updateStrategy": "major", "versions": [
                {"version": "1.0.0", "architectures": ["amd64"], "cri": [{"name": "containerd"}]},
            ]}],
            "machineTypes": [{"name": "t", "architecture": "amd64", "cpu": "1", "gpu": "0", "memory": "1Gi"}],
        },
    });
    change(&mut profile);
    (Kind::CloudProfile, profile)
}

fn project(tolerations: Value) -> (Kind, Value) {
    let spec = json!({"namespace": "garden-p", "tolerations": tolerations});
    (Kind::Project, json!({"metadata": {"name": "p"}, "spec": spec}))
}

fn shoot(change: impl FnOnce(&mut Value)) -> (Kind, Value) {
    let mut shoot = json!({
        "metadata": {"name": "s", "namespace": "garden-p"},
        "spec": {
            "cloudProfile": {"kind": "CloudProfile", "name": "p"},
            "kubernetes": {"version": "1.33.1"},
            "provider": {"type": "stub", "workers": [{
                "name": "a", "maximum": 1, "minimum": 1, "cri": {"name": "containerd"},
                "machine": {"type": "t", "image": {"name": "i", "version": "1.0.0"}},
            }]},
            "maintenance": {"timeWindow": {"begin": "220000+0000", "end": "230000+0000"}},
        },
        "status": {},
    });
    change(&mut shoot);
    (Kind::Shoot, shoot)
}

fn seed(taints: Value, visible: bool) -> (Kind, Value) {
    let seed = json!({
        "metadata": {"name": "e"},
        "spec": {"provider": {"type": "stub"}, "taints": taints, "settings": {"scheduling": {"visible": visible}}},
    });
    (Kind::Seed, seed)
}

/// Returns findings about the last object that no write causes, as `finding field`.
fn said(objects: &[(Kind, Value)]) -> Vec<String> {
    said_with(&Config::default(), objects)
}

fn said_with(config: &Config, objects: &[(Kind, Value)]) -> Vec<String> {
    let garden = garden(objects);
    let now = NOW.parse().unwrap();
    let auditor = Auditor::new(&garden, config, now);
    let (kind, object) = objects.last().unwrap();
    let text = |name: &str| object["metadata"][name].as_str().unwrap_or_default();
    let key = ObjectKey::new(*kind, text("namespace"), text("name"));
    let audited = auditor.object(&key, &to_raw_value(object).unwrap());
    let found = audited.review.findings.iter().zip(&audited.occasions);
    let standing = found.filter(|(finding, _)| finding.finding.starts_with("audit/"));
    let said = standing.map(|(finding, occasion)| {
        assert_eq!(*occasion, Trigger::Current);
        format!("{} {}", finding.finding, finding.field)
    });
    said.collect()
}

#[rstest]
#[case::nothing(json!({}), &[])]
#[case::by_hand(json!({"manualInPlaceUpdate": ["a"]}), &["manualInPlaceUpdate"])]
#[case::by_gardener(json!({"autoInPlaceUpdate": ["a"]}), &["autoInPlaceUpdate"])]
#[case::both(json!({"manualInPlaceUpdate": ["a"], "autoInPlaceUpdate": ["b"]}), &["autoInPlaceUpdate", "manualInPlaceUpdate"])]
#[case::none_left(json!({"manualInPlaceUpdate": [], "autoInPlaceUpdate": []}), &[])]
fn pools_that_wait_to_be_updated_in_place(#[case] pending: Value, #[case] fields: &[&str]) {
    let shoot = shoot(|it| {
        it["status"]["inPlaceUpdates"] = json!({"pendingWorkerUpdates": pending});
    });
    let expected = fields.iter().map(|field| {
        format!("audit/in-place-update-pending status.inPlaceUpdates.pendingWorkerUpdates.{field}")
    });
    assert_eq!(said(&[profile(|_| {}), shoot]), expected.collect::<Vec<_>>());
}

#[rstest]
#[case::impossible("False", json!([{"start": "0 20 * * *"}]), false, true)]
#[case::unknown("Unknown", json!([{"start": "0 20 * * *"}]), false, true)]
#[case::possible("True", json!([{"start": "0 20 * * *"}]), false, false)]
#[case::no_schedule("False", json!([]), false, false)]
#[case::only_wakes("False", json!([{"end": "0 7 * * *"}]), false, false)]
#[case::asleep("False", json!([{"start": "0 20 * * *"}]), true, false)]
fn a_schedule_that_has_no_effect(
    #[case] status: &str,
    #[case] schedules: Value,
    #[case] enabled: bool,
    #[case] is_said: bool,
) {
    let shoot = shoot(|it| {
        it["spec"]["hibernation"] = json!({"enabled": enabled, "schedules": schedules});
        it["status"]["constraints"] =
            json!([{"type": "HibernationPossible", "status": status, "message": "why"}]);
    });
    let expected = ["audit/hibernation-impossible spec.hibernation.schedules"];
    let expected = &expected[..usize::from(is_said)];
    assert_eq!(said(&[profile(|_| {}), shoot]), expected);
}

#[rstest]
#[case("MaintenancePreconditionsSatisfied", "maintenance-preconditions")]
#[case("CRDsWithProblematicConversionWebhooks", "conversion-webhooks")]
#[case("ManagedResourcesHonored", "managed-resources-ignored")]
#[case("PreservedFailedMachinesAbsent", "failed-machines-preserved")]
#[case("AutomaticCredentialsRotationPossible", "automatic-rotation-impossible")]
fn constraint_that_is_not_true(#[case] kind: &str, #[case] finding: &str) {
    let with = |status: &str| {
        let shoot = shoot(|it| {
            it["status"]["constraints"] =
                json!([{"type": kind, "status": status, "message": "why"}]);
        });
        said(&[profile(|_| {}), shoot])
    };
    assert_eq!(with("False"), [format!("audit/{finding} status.constraints")]);
    assert_eq!(with("Unknown").len(), 1);
    assert_eq!(with("True"), [""; 0]);
}

#[rstest]
#[case::dropped_by_the_upgrade("1.31.4", 140, 142, true)]
#[case::dropped_before("1.29.4", 140, 142, false)]
#[case::supported("1.32.4", 140, 142, false)]
#[case::same_minimum("1.31.4", 142, 150, false)]
fn upgrade_lists_shoots_whose_version_it_drops(
    #[case] version: &str,
    #[case] from: u16,
    #[case] to: u16,
    #[case] expected: bool,
) {
    let config =
        |minor| Config { gardener_version: GardenerVersion::of_minor(minor), ..Config::default() };
    let (kind, object) = shoot(|it| it["spec"]["kubernetes"]["version"] = json!(version));
    let garden = garden(&[profile(|_| {}), (kind, object.clone())]);
    let [before, after] = [from, to].map(config);
    let auditor = Auditor::new(&garden, &after, NOW.parse().unwrap()).compared_with(&before);
    let key = ObjectKey::new(kind, "garden-p", "s");
    let audited = auditor.object(&key, &to_raw_value(&object).unwrap());
    let mut findings = audited.review.findings.iter();
    let is_dropped = |id: &str| id == "advice/kubernetes-version-dropped";
    assert_eq!(findings.any(|it| is_dropped(it.finding)), expected);
}

#[rstest]
#[case("v1.31.4", 141, false)]
#[case("v1.31.4", 142, true)]
#[case("", 142, false)]
fn seed_with_a_dropped_version(#[case] version: &str, #[case] minor: u16, #[case] expected: bool) {
    let (kind, mut seed) = seed(json!([]), true);
    seed["status"] = json!({"kubernetesVersion": version});
    let config = Config { gardener_version: GardenerVersion::of_minor(minor), ..Config::default() };
    let found = "audit/seed-kubernetes-version-dropped status.kubernetesVersion".to_owned();
    let expected = Vec::from_iter(expected.then_some(found));
    assert_eq!(said_with(&config, &[(kind, seed)]), expected);
}

#[rstest]
#[case::used(json!([{"key": "k"}]), json!([{"key": "k"}]), &[])]
#[case::used_with_any_value(json!([{"key": "k"}]), json!([{"key": "k", "value": "v"}]), &[])]
#[case::used_with_its_value(json!([{"key": "k", "value": "v"}]), json!([{"key": "k", "value": "v"}]), &[])]
#[case::used_with_another_value(json!([{"key": "k", "value": "v"}]), json!([{"key": "k", "value": "w"}]), &[0])]
#[case::unused(json!([{"key": "k"}, {"key": "l"}]), json!([{"key": "k"}]), &[1])]
#[case::nobody(json!([{"key": "k"}]), json!([]), &[0])]
fn unused_whitelist_entry(
    #[case] whitelist: Value,
    #[case] tolerations: Value,
    #[case] unused: &[usize],
) {
    let used = shoot(|it| it["spec"]["tolerations"] = tolerations);
    // Objects of another Project do not count.
    let other = shoot(|it| {
        it["metadata"]["namespace"] = json!("garden-q");
        it["spec"]["tolerations"] = json!([{"key": "k"}, {"key": "k", "value": "v"}, {"key": "l"}]);
    });
    let project = project(json!({"whitelist": whitelist}));
    let expected = unused
        .iter()
        .map(|index| format!("audit/whitelist-entry-unused spec.tolerations.whitelist[{index}]"));
    let said = said(&[profile(|_| {}), used, other, project]);
    assert_eq!(said, expected.collect::<Vec<_>>());
}

#[rstest]
#[case::taint(json!([{"key": "k"}]), json!([{"key": "k"}]), false)]
#[case::its_value(json!([{"key": "k", "value": "v"}]), json!([{"key": "k", "value": "v"}]), false)]
#[case::another_value(json!([{"key": "k", "value": "v"}]), json!([{"key": "k", "value": "w"}]), true)]
#[case::no_taint(json!([]), json!([{"key": "k"}]), true)]
fn a_default_toleration_for_no_taint(
    #[case] taints: Value,
    #[case] defaults: Value,
    #[case] is_said: bool,
) {
    let expected = ["audit/default-toleration-unused spec.tolerations.defaults[0]"];
    let expected = &expected[..usize::from(is_said)];
    let said = said(&[seed(taints, true), project(json!({"defaults": defaults}))]);
    assert_eq!(said, expected);
}

#[test]
fn unused_exposure_class() {
    let class = (Kind::ExposureClass, json!({"metadata": {"name": "x"}, "handler": "x"}));
    let used = shoot(|it| it["spec"]["exposureClassName"] = json!("x"));
    let others = shoot(|it| it["spec"]["exposureClassName"] = json!("y"));
    let unused = ["audit/exposure-class-unused metadata.name"];
    assert_eq!(said(&[used, class.clone()]), Vec::<String>::new());
    assert_eq!(said(&[others, class.clone()]), unused);
    assert_eq!(said(&[class]), unused);
}

#[test]
fn unused_namespaced_cloud_profile() {
    let overlay = (
        Kind::NamespacedCloudProfile,
        json!({
            "metadata": {"name": "n", "namespace": "garden-p"},
            "spec": {"parent": {"kind": "CloudProfile", "name": "p"}},
        }),
    );
    let follows = |namespace: &str| {
        shoot(|it| {
            it["metadata"]["namespace"] = json!(namespace);
            it["spec"]["cloudProfile"] = json!({"kind": "NamespacedCloudProfile", "name": "n"});
        })
    };
    let unused = ["audit/namespaced-cloud-profile-unused metadata.name"];
    let own = [profile(|_| {}), follows("garden-p"), overlay.clone()];
    assert_eq!(said(&own), Vec::<String>::new());
    let others = [profile(|_| {}), follows("garden-q"), overlay];
    assert_eq!(said(&others), unused);
}

#[rstest]
#[case::tolerated(json!([{"key": "k"}]), json!([{"key": "k", "value": "v"}]), true, &[], false)]
#[case::nobody(json!([{"key": "k"}]), json!([{"key": "l"}]), true, &[], true)]
#[case::another_value(json!([{"key": "k", "value": "v"}]), json!([{"key": "k", "value": "w"}]), true, &[], true)]
#[case::by_default(json!([{"key": "k"}]), json!([]), true, &["k"], false)]
#[case::not_scheduled(json!([{"key": "k"}]), json!([]), false, &[], false)]
fn taint_without_tolerations(
    #[case] taints: Value,
    #[case] tolerations: Value,
    #[case] visible: bool,
    #[case] defaults: &[&str],
    #[case] is_said: bool,
) {
    let mut config = Config::default();
    config.tolerations.defaults = defaults.iter().map(|key| Toleration::bare(key)).collect();
    let shoot = shoot(|it| it["spec"]["tolerations"] = tolerations);
    let expected = ["audit/taint-untolerated spec.taints[0]"];
    let expected = &expected[..usize::from(is_said)];
    let said = said_with(&config, &[profile(|_| {}), shoot, seed(taints, visible)]);
    assert_eq!(said, expected);
}

#[rstest]
#[case::fits(json!({}), false)]
#[case::architecture(json!({"architectures": ["arm64"]}), true)]
#[case::admits(json!({"kubeletVersionConstraint": ">= 1.33"}), false)]
#[case::admits_only_what_expired(json!({"kubeletVersionConstraint": "< 1.33"}), true)]
#[case::expired(json!({"kubeletVersionConstraint": "< 1.33", "expirationDate": "2026-05-01T00:00:00Z"}), false)]
fn an_image_version_that_no_pool_can_run(#[case] change: Value, #[case] is_said: bool) {
    let profile = profile(|it| {
        let version = it["spec"]["machineImages"][0]["versions"][0].as_object_mut();
        version.unwrap().extend(change.as_object().unwrap().clone());
    });
    let expected = ["audit/image-version-unusable spec.machineImages[0].versions[0]"];
    assert_eq!(said(&[profile]), &expected[..usize::from(is_said)]);
}

#[test]
fn an_image_version_without_a_usable_machine_type() {
    let profile = profile(|it| it["spec"]["machineTypes"][0]["usable"] = json!(false));
    let expected = ["audit/image-version-unusable spec.machineImages[0].versions[0]"];
    assert_eq!(said(&[profile]), expected);
}

#[rstest]
#[case::consecutive(&["1.33.1", "1.32.1"], false)]
#[case::a_gap(&["1.33.1", "1.31.1"], true)]
#[case::one_alone(&["1.33.1"], false)]
fn minor_version_without_successor(#[case] versions: &[&str], #[case] is_said: bool) {
    let profile = profile(|it| {
        // The lower version has expired, and Shoots still use it.
        let versions = versions.iter().enumerate().map(|(index, version)| match index {
            0 => json!({"version": version}),
            _ => json!({"version": version, "expirationDate": "2026-05-01T00:00:00Z"}),
        });
        it["spec"]["kubernetes"]["versions"] = versions.collect();
    });
    let expected = ["audit/minor-gap spec.kubernetes.versions"];
    assert_eq!(said(&[profile]), &expected[..usize::from(is_said)]);
}

/// Returns a Shoot whose Kubernetes version has expired.
fn expired(change: impl FnOnce(&mut Value)) -> (Kind, Value) {
    shoot(|it| {
        it["spec"]["kubernetes"]["version"] = json!("1.32.1");
        change(it);
    })
}

/// Returns findings about maintenance from one rule, since these Shoots are too small for the others.
fn meeting_only(rule: &str, objects: &[(Kind, Value)]) -> Vec<String> {
    let mut config = Config::default();
    let others =
        rules::ALL.iter().filter(|it| it.id != rule).filter(|it| !it.id.starts_with("audit/"));
    for finding in others.flat_map(|it| it.findings) {
        config.levels.insert(finding.id.to_owned(), Level::Off);
    }
    said_with(&config, objects)
}

#[test]
fn maintenance_that_can_do_what_it_has_to() {
    let objects = [profile(|_| {}), project(json!({})), expired(|_| {})];
    let said = meeting_only("shoot/machine-image-kubelet-constraint", &objects);
    assert_eq!(said, Vec::<String>::new());
}

#[test]
fn maintenance_that_has_nothing_to_go_to() {
    let profile =
        profile(|it| it["spec"]["kubernetes"]["versions"][0]["version"] = json!("1.34.1"));
    let expected = ["audit/no-update-possible spec.kubernetes.version"];
    assert_eq!(said(&[profile, project(json!({})), expired(|_| {})]), expected);
}

#[test]
fn maintenance_that_is_refused() {
    let profile = profile(|it| {
        it["spec"]["machineImages"][0]["versions"][0]["kubeletVersionConstraint"] = json!("< 1.33");
    });
    let expected = ["audit/maintenance-blocked spec.kubernetes.version"];
    let objects = [profile, project(json!({})), expired(|_| {})];
    let said = meeting_only("shoot/machine-image-kubelet-constraint", &objects);
    assert_eq!(said, expected);
}

#[test]
fn objects_in_deletion_are_neither_maintained_nor_recreated() {
    let profile =
        profile(|it| it["spec"]["kubernetes"]["versions"][0]["version"] = json!("1.34.1"));
    let deleted = expired(|it| it["metadata"]["deletionTimestamp"] = json!("2026-05-01T00:00:00Z"));
    assert_eq!(said(&[profile, project(json!({})), deleted]), Vec::<String>::new());
}
