// SPDX-License-Identifier: Apache-2.0
//! Advice about versions, zones and constraints that Gardener's documentation demands and no admission checks.

use garden_gate_core::config::Profile;
use garden_gate_model::api::GardenerVersion;
use rstest::rstest;
use serde_json::{Value, json};

use crate::judging::{Setup, request};
use crate::matrix_workers::{ROLLING, pool, shoot};

const NOW: &str = "2026-01-01T00:00:00Z";

/// Returns the findings of these rules, as `finding@field`.
fn said(rules: &[&str], minor: u16, request: &Value) -> Vec<String> {
    let mut setup = Setup::with_project(None);
    setup.config.profile = Profile::Documented;
    setup.config.gardener_version = GardenerVersion::of_minor(minor);
    setup.now = NOW;
    let review = setup.review(request);
    let findings = review.findings.iter();
    let ours = findings.filter(|it| rules.contains(&it.rule));
    ours.map(|it| format!("{}@{}", it.finding, it.field)).collect()
}

const DROPPED: &str = "advice/kubernetes-version-dropped";

#[rstest]
#[case::oldest_of_140("1.30.14", None, 140, &[])]
#[case::dropped_by_141("1.30.14", None, 141, &["spec.kubernetes.version"])]
#[case::dropped_by_142("1.31.14", None, 142, &["spec.kubernetes.version"])]
#[case::oldest_of_142("1.32.1", None, 142, &[])]
#[case::newest_known("1.31.14", None, 150, &["spec.kubernetes.version"])]
#[case::pool("1.32.1", Some("1.31.14"), 142, &["spec.provider.workers[0].kubernetes.version"])]
#[case::supported_pool("1.33.1", Some("1.32.1"), 142, &[])]
fn kubernetes_version_of_a_shoot(
    #[case] version: &str,
    #[case] own: Option<&str>,
    #[case] minor: u16,
    #[case] expected: &[&str],
) {
    let mut pool = pool("a", ROLLING);
    if let Some(own) = own {
        pool["kubernetes"] = json!({"version": own});
    }
    let object = shoot(version, &[pool]);
    let expected: Vec<String> = expected.iter().map(|it| format!("{DROPPED}@{it}")).collect();
    let create = request("shoots", "CREATE", &object, None);
    assert_eq!(said(&[DROPPED], minor, &create), expected);
    let update = request("shoots", "UPDATE", &object, Some(&object));
    assert_eq!(said(&[DROPPED], minor, &update), expected);
}

fn profile(kubernetes: Value, images: Value) -> Value {
    json!({
        "metadata": {"name": "cp"},
        "spec": {
            "type": "t",
            "kubernetes": {"versions": kubernetes},
            "machineImages": [{"name": "os", "updateStrategy": "major", "versions": images}],
            "machineTypes": [{"name": "m", "cpu": "1", "gpu": "0", "memory": "1Gi"}],
        },
    })
}

const LISTED: &str = "advice/dropped-version-listed";

#[rstest]
#[case::listed(json!({"version": "1.31.14"}), true)]
#[case::expires_later(json!({"version": "1.31.14", "expirationDate": "2026-06-01T00:00:00Z"}), true)]
#[case::expired(json!({"version": "1.31.14", "expirationDate": "2025-06-01T00:00:00Z"}), false)]
#[case::supported(json!({"version": "1.32.1"}), false)]
fn dropped_version_of_a_profile(#[case] version: Value, #[case] expected: bool) {
    let object = profile(json!([{"version": "1.33.1"}, version]), json!([]));
    let found = format!("{LISTED}@spec.kubernetes.versions[1].version");
    let create = request("cloudprofiles", "CREATE", &object, None);
    let expected = Vec::from_iter(expected.then_some(found));
    assert_eq!(said(&[LISTED], 142, &create), expected);
    assert_eq!(said(&[LISTED], 140, &create), [""; 0]);
    let update = request("cloudprofiles", "UPDATE", &object, Some(&object));
    assert_eq!(said(&[LISTED], 142, &update), [""; 0]);
}

const EXTENDED: &str = "advice/dropped-version-extended";

#[rstest]
#[case::extended("1.31.14", "2026-06-01T00:00:00Z", true)]
#[case::ended("1.31.14", "2025-06-01T00:00:00Z", false)]
#[case::supported("1.32.14", "2026-06-01T00:00:00Z", false)]
fn dropped_version_of_a_namespaced_profile(
    #[case] version: &str,
    #[case] date: &str,
    #[case] expected: bool,
) {
    let versions = json!([{"version": version, "expirationDate": date}]);
    let object = json!({
        "metadata": {"name": "n", "namespace": "garden-p"},
        "spec": {"parent": {"kind": "CloudProfile", "name": "cp"}, "kubernetes": {"versions": versions}},
    });
    let found = format!("{EXTENDED}@spec.kubernetes.versions[0].version");
    let create = request("namespacedcloudprofiles", "CREATE", &object, None);
    let expected = Vec::from_iter(expected.then_some(found));
    assert_eq!(said(&[EXTENDED], 142, &create), expected);
}

const UNDATED: [&str; 2] =
    ["advice/deprecated-without-expiration", "advice/deprecated-image-without-expiration"];

#[rstest]
#[case::without_a_date(json!({"classification": "deprecated"}), true)]
#[case::with_a_date(json!({"classification": "deprecated", "expirationDate": "2026-06-01T00:00:00Z"}), false)]
#[case::supported(json!({"classification": "supported"}), false)]
#[case::unclassified(json!({}), false)]
#[case::lifecycle(json!({"lifecycle": [{"classification": "supported"}, {"classification": "deprecated", "startTime": "2025-06-01T00:00:00Z"}]}), true)]
#[case::lifecycle_with_an_end(json!({"lifecycle": [{"classification": "deprecated"}, {"classification": "expired", "startTime": "2026-06-01T00:00:00Z"}]}), false)]
#[case::lifecycle_to_come(json!({"lifecycle": [{"classification": "supported"}, {"classification": "deprecated", "startTime": "2026-06-01T00:00:00Z"}]}), false)]
fn deprecated_version_without_a_date(#[case] stage: Value, #[case] expected: bool) {
    let with = |version: &str| {
        let mut stage = stage.clone();
        stage["version"] = json!(version);
        stage
    };
    let object = profile(json!([with("1.33.1")]), json!([with("1.0.0")]));
    let found = [
        "advice/deprecated-without-expiration@spec.kubernetes.versions[0]",
        "advice/deprecated-without-expiration@spec.machineImages[0].versions[0]",
    ];
    let expected = if expected { &found[..] } else { &[] };
    let create = request("cloudprofiles", "CREATE", &object, None);
    assert_eq!(said(&UNDATED, 150, &create), expected);
    let update = request("cloudprofiles", "UPDATE", &object, Some(&object));
    assert_eq!(said(&UNDATED, 150, &update), [""; 0]);
    let before = profile(json!([{"version": "1.33.1"}]), json!([{"version": "1.0.0"}]));
    let update = request("cloudprofiles", "UPDATE", &object, Some(&before));
    assert_eq!(said(&UNDATED, 150, &update), expected);
    let overlay = json!({
        "metadata": {"name": "n", "namespace": "garden-p"},
        "spec": {
            "parent": {"kind": "CloudProfile", "name": "cp"},
            "machineImages": [{"name": "own", "versions": [with("1.0.0")]}],
        },
    });
    let create = request("namespacedcloudprofiles", "CREATE", &overlay, None);
    let found = "advice/deprecated-image-without-expiration@spec.machineImages[0].versions[0]";
    let expected = Vec::from_iter((!expected.is_empty()).then_some(found));
    assert_eq!(said(&UNDATED, 150, &create), expected);
}

#[rstest]
#[case::replaced("t", &["x"], &["y"], "removed")]
#[case::removed("t", &["x", "y"], &["x"], "removed")]
#[case::first_removed("t", &["x", "y"], &["y"], "removed")]
#[case::all_removed("t", &["x"], &[], "removed")]
#[case::replaced_in_between("t", &["x", "y"], &["x", "z", "y"], "reordered")]
#[case::reordered("t", &["x", "y"], &["y", "x"], "reordered")]
#[case::put_first("t", &["x"], &["y", "x"], "reordered")]
#[case::appended("t", &["x"], &["x", "y"], "")]
#[case::unchanged("t", &["x"], &["x"], "")]
#[case::new("t", &[], &["x"], "")]
#[case::refused_by_the_extension("aws", &["x"], &["y"], "")]
fn zones_of_a_pool(
    #[case] provider: &str,
    #[case] old: &[&str],
    #[case] new: &[&str],
    #[case] expected: &str,
) {
    let of = |zones: &[&str], maximum: u32| {
        let mut pool = pool("a", ROLLING);
        pool["zones"] = json!(zones);
        pool["minimum"] = json!(0);
        pool["maximum"] = json!(maximum);
        let mut shoot = shoot("1.33.1", &[pool]);
        shoot["spec"]["provider"]["type"] = json!(provider);
        shoot
    };
    let rule = "shoot/worker-zones-changed";
    let found = format!("shoot/worker-zones-{expected}@spec.provider.workers[0].zones");
    let update = request("shoots", "UPDATE", &of(new, 3), Some(&of(old, 3)));
    let expected = Vec::from_iter((!expected.is_empty()).then_some(found));
    assert_eq!(said(&[rule], 150, &update), expected);
    let without_machines = request("shoots", "UPDATE", &of(new, 0), Some(&of(old, 0)));
    assert_eq!(said(&[rule], 150, &without_machines), [""; 0]);
}

fn with_constraint(mut shoot: Value, kind: &str, status: &str) -> Value {
    shoot["status"] = json!({"constraints": [{"type": kind, "status": status, "message": "why"}]});
    shoot
}

#[rstest]
#[case::violated("False", "n", true)]
#[case::unknown("Unknown", "n", true)]
#[case::satisfied("True", "n", false)]
#[case::nothing_rolls("False", "m", false)]
fn change_that_rolls_while_webhooks_interfere(
    #[case] status: &str,
    #[case] machine: &str,
    #[case] expected: bool,
) {
    let kind = "MaintenancePreconditionsSatisfied";
    let old = with_constraint(shoot("1.33.1", &[pool("a", ROLLING)]), kind, status);
    let mut new = old.clone();
    new["spec"]["provider"]["workers"][0]["machine"]["type"] = json!(machine);
    let rule = "advice/maintenance-preconditions";
    let update = request("shoots", "UPDATE", &new, Some(&old));
    let expected = Vec::from_iter(expected.then(|| format!("{rule}@spec.provider.workers")));
    assert_eq!(said(&[rule], 150, &update), expected);
}

#[rstest]
#[case::violated("False", "", true)]
#[case::satisfied("True", "", false)]
#[case::rotated("False", "Prepared", false)]
#[case::rotated_before("False", "Completed", true)]
fn certificate_authority_that_expires(
    #[case] status: &str,
    #[case] phase: &str,
    #[case] expected: bool,
) {
    let kind = "CACertificateValiditiesAcceptable";
    let mut object = with_constraint(shoot("1.33.1", &[]), kind, status);
    if !phase.is_empty() {
        let rotation = json!({"certificateAuthorities": {"phase": phase}});
        object["status"]["credentials"] = json!({"rotation": rotation});
    }
    let rule = "advice/ca-certificates-expiring";
    let update = request("shoots", "UPDATE", &object, Some(&object));
    let expected = Vec::from_iter(expected.then(|| format!("{rule}@status.constraints")));
    assert_eq!(said(&[rule], 150, &update), expected);
}
