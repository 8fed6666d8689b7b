// SPDX-License-Identifier: Apache-2.0
//! The versions that maintenance chooses, and the time of the update.

use crate::profiles::Calendar;

use garden_gate_model::api::{CloudProfile, CloudProfileSpec, Shoot};
use garden_gate_model::gardener::defaults;
use garden_gate_model::gardener::version::maintenance::{
    Anomaly, Due, Forced, Incompatibility, Outcome, Run, Window, run, runs_at, when_forced,
};
use jiff::Timestamp;
use rstest::rstest;
use serde_json::{Value, json};

const NOW: &str = "2026-01-15T21:30:00Z";
const PAST: &str = "2024-01-31T23:59:59Z";
const FUTURE: &str = "2026-06-01T12:00:00Z";
const FAIL: &str = "fails";
const STAYS: &str = "stays";

fn now() -> Timestamp {
    NOW.parse().unwrap()
}

fn versions(texts: &[&str]) -> Value {
    let calendar = Calendar { now: NOW, past: PAST, soon: FUTURE };
    calendar.versions(&texts.join("; "))
}

const KP: [&str; 8] = [
    "1.33.0 =preview",
    "1.32.4",
    "1.32.3 =deprecated",
    "1.31.8 =deprecated @past",
    "1.31.7 =supported",
    "1.31.6 =deprecated @soon",
    "1.30.9 =deprecated @past",
    "1.29.12 =deprecated",
];

fn profile(kubernetes: &[&str], strategy: &str, images: &[&str]) -> CloudProfileSpec {
    let spec = json!({
        "kubernetes": {"versions": versions(kubernetes)},
        "machineImages": [{"name": "os", "updateStrategy": strategy, "versions": versions(images)}],
        "machineTypes": [{"name": "large"}],
    });
    let mut profile: CloudProfile = serde_json::from_value(json!({"spec": spec})).unwrap();
    defaults::cloud_profile(&mut profile);
    profile.spec
}

fn pool(name: &str, version: Option<&str>, image: &str) -> Value {
    json!({
        "name": name,
        "kubernetes": {"version": version},
        "machine": {"type": "large", "architecture": "amd64", "image": {"name": "os", "version": image}},
    })
}

fn shoot(version: &str, auto: bool, pools: Value) -> Shoot {
    let maintenance = json!({
        "autoUpdate": {"kubernetesVersion": auto, "machineImageVersion": auto},
        "timeWindow": {"begin": "220000+0100", "end": "230000+0100"},
    });
    let spec = json!({"kubernetes": {"version": version}, "maintenance": maintenance, "provider": {"workers": pools}});
    let mut shoot = serde_json::from_value(json!({"spec": spec})).unwrap();
    defaults::shoot(&mut shoot, "garden-dev");
    shoot
}

fn result(outcome: &Outcome) -> &str {
    if outcome.has_failed() {
        FAIL
    } else if outcome.is_updated() {
        outcome.after()
    } else {
        STAYS
    }
}

#[rstest]
#[case("1.31.6", false, &KP, STAYS, None)]
#[case("1.31.6", true, &KP, "1.31.7", Some(Due::Automatic))]
#[case("1.31.7", true, &["1.31.7 =supported", "1.31.9 =deprecated"], "1.31.9", Some(Due::Automatic))]
#[case("1.31.8", false, &KP, "1.32.4", Some(Due::Expired(Some(PAST.parse().unwrap()))))]
#[case("1.30.9", false, &["1.30.9 @past", "1.31.8 @past", "1.32.4"], "1.31.8", Some(Due::Expired(Some(PAST.parse().unwrap()))))]
#[case::next_window("1.31.8", false, &["1.30.9 @past", "1.31.8 @past", "1.32.4"], "1.32.4", Some(Due::Expired(Some(PAST.parse().unwrap()))))]
#[case::absent("1.30.9", false, &["1.30.9 @past", "1.32.4"], FAIL, Some(Due::Expired(Some(PAST.parse().unwrap()))))]
#[case::preview("1.30.9", false, &["1.30.9 @past", "1.31.0 =preview"], FAIL, Some(Due::Expired(Some(PAST.parse().unwrap()))))]
#[case("1.31.5", false, &KP, "1.31.7", Some(Due::Missing))]
#[case("1.31.7", true, &["1.31.7", "1.31.9 [supported soon]"], "1.31.9", Some(Due::Automatic))]
fn the_control_plane(
    #[case] version: &str,
    #[case] auto: bool,
    #[case] offered: &[&str],
    #[case] expected: &str,
    #[case] due: Option<Due>,
) {
    let run = run(&shoot(version, auto, json!([])), &profile(offered, "major", &[]), now());
    assert_eq!(result(&run.kubernetes), expected);
    assert_eq!(run.kubernetes.due, due);
    assert_eq!(run.has_failures(), expected == FAIL);
}

#[rstest]
#[case("1.31.7", &["1.31.7 =supported", "1.31.9 =deprecated"], Anomaly::SupportedToDeprecated)]
#[case("1.30.9", &["1.30.9 @past", "1.31.8 @past"], Anomaly::ExpiredTarget)]
#[case("1.31.7", &["1.31.7", "1.31.9 [supported soon]"], Anomaly::UnavailableTarget)]
fn what_looks_unintended_is_said(
    #[case] version: &str,
    #[case] offered: &[&str],
    #[case] oddity: Anomaly,
) {
    let run = run(&shoot(version, true, json!([])), &profile(offered, "major", &[]), now());
    assert_eq!(run.kubernetes.oddities, [oddity]);
}

fn with_pool(control_plane: &str, own: &str, offered: &[&str]) -> Run {
    let pools = json!([pool("a", Some(own), "1.0.0")]);
    let shoot = shoot(control_plane, false, pools);
    run(&shoot, &profile(offered, "major", &["1.0.0"]), now())
}

#[test]
fn a_pool_does_not_pass_the_control_plane() {
    let offered = ["1.31.8 @past", "1.32.4", "1.32.5"];
    let run = with_pool("1.32.4", "1.31.8", &offered);
    assert_eq!(result(&run.kubernetes), STAYS);
    assert_eq!(result(run.pools[0].kubernetes.as_ref().unwrap()), "1.32.4");
}

#[test]
fn pools_follow_a_control_plane_that_is_updated_in_the_same_run() {
    let run = with_pool("1.31.8", "1.31.8", &KP);
    assert_eq!(result(&run.kubernetes), "1.32.4");
    assert_eq!(result(run.pools[0].kubernetes.as_ref().unwrap()), "1.32.4");
}

#[rstest]
#[case::nothing_said("patch", "1.0.0", &["1.0.0 @past", "2.1.0", "1.2.1", "1.2.0"], "1.2.1", &[])]
#[case::fails("patch", "1.0.0", &["1.0.0 @past", "2.1.0"], FAIL, &[])]
#[case("patch", "1.0.0", &["1.0.0 @past", "1.1.1 =preview", "1.1.0 @past", "1.4.1"], "1.1.0", &[Anomaly::ExpiredTarget])]
#[case::without("patch", "1.0.0", &["1.0.0 @past", "1.1.1 =preview", "1.4.1"], "1.4.1", &[])]
#[case("patch", "1.4.0", &["1.4.0 @past", "1.5.0 =preview", "1.6.0", "1.6.1 @past"], "1.6.1", &[Anomaly::ExpiredDespiteBetter])]
#[case("patch", "1.4.0", &["1.4.0 @past", "1.7.0", "1.7.1 @past", "2.5.0"], "1.7.1", &[Anomaly::ExpiredDespiteBetter])]
#[case::with_1_8("patch", "1.4.0", &["1.4.0 @past", "1.7.0", "1.7.1 @past", "2.5.0", "1.8.0"], "1.7.0", &[])]
#[case::lower_major("patch", "2.4.0", &["2.4.0 @past", "2.7.0", "2.7.1 @past", "1.5.0"], "2.7.1", &[Anomaly::ExpiredDespiteBetter])]
#[case::nothing_said("minor", "1.12.2", &["1.12.2 @past", "2.0.0 =preview", "3.0.0", "3.1.0"], "3.1.0", &[])]
#[case::nothing_said("major", "1.13.1", &["1.13.1 @past", "1.16.1", "1.17.1 =deprecated"], "1.16.1", &[])]
#[case::fails("major", "1.13.1", &["1.13.1 @past", "1.12.0"], FAIL, &[])]
fn a_forced_image(
    #[case] strategy: &str,
    #[case] current: &str,
    #[case] offered: &[&str],
    #[case] expected: &str,
    #[case] oddities: &[Anomaly],
) {
    let shoot = shoot("1.32.4", false, json!([pool("a", None, current)]));
    let run = run(&shoot, &profile(&KP, strategy, offered), now());
    let image = run.pools[0].image.as_ref().unwrap();
    assert_eq!(result(image), expected);
    assert_eq!(image.oddities, oddities);
    assert!(image.is_forced());
}

#[rstest]
#[case::first("1.12.2", "1.12.3", &[Anomaly::DeprecatedPatchFirst])]
#[case::then("1.12.3", "1.15.1", &[])]
#[case::never_to_the_next_major("1.15.1", STAYS, &[])]
fn an_automatic_minor_update(
    #[case] current: &str,
    #[case] expected: &str,
    #[case] oddities: &[Anomaly],
) {
    let offered = ["1.12.2 =deprecated", "1.12.3 =deprecated", "1.15.1", "2.0.0"];
    let shoot = shoot("1.32.4", true, json!([pool("a", None, current)]));
    let run = run(&shoot, &profile(&["1.32.4"], "minor", &offered), now());
    let image = run.pools[0].image.as_ref().unwrap();
    assert_eq!((result(image), &image.oddities[..]), (expected, oddities));
    assert_eq!(image.due, Some(Due::Automatic));
}

#[test]
fn an_image_that_no_longer_admits_the_kubelet_is_forced() {
    let mut spec = profile(&KP, "major", &["1.0.0", "1.1.0"]);
    spec.machine_images[0].versions[0].kubelet_version_constraint = Some(">= 1.33".into());
    let shoot = shoot("1.31.7", false, json!([pool("a", None, "1.0.0")]));
    let run = run(&shoot, &spec, now());
    let image = run.pools[0].image.as_ref().unwrap();
    assert_eq!(result(image), "1.1.0");
    assert_eq!(image.due, Some(Due::Unfit(Incompatibility::KubeletConstraint)));
}

#[test]
fn an_unknown_machine_type_ends_the_images_from_there_on() {
    let mut unknown = pool("b", None, "1.0.0");
    unknown["machine"]["type"] = json!("unknown");
    let pools = json!([pool("a", None, "1.0.0"), unknown, pool("c", None, "1.0.0")]);
    let shoot = shoot("1.32.4", true, pools);
    let run = run(&shoot, &profile(&KP, "major", &["1.0.0", "1.1.0"]), now());
    let images: Vec<&str> = run.pools.iter().flat_map(|it| &it.image).map(result).collect();
    assert_eq!(images, ["1.1.0", STAYS, STAYS]);
    assert_eq!(run.images_stop_at, Some(1));
}

#[test]
fn an_image_chosen_for_the_old_kubernetes_version_is_flagged() {
    let mut spec = profile(&KP, "major", &["1.0.0 @past", "1.1.0"]);
    spec.machine_images[0].versions[1].kubelet_version_constraint = Some("< 1.32".into());
    let shoot = shoot("1.31.8", false, json!([pool("a", None, "1.0.0")]));
    let run = run(&shoot, &spec, now());
    let image = run.pools[0].image.as_ref().unwrap();
    assert_eq!((result(&run.kubernetes), result(image)), ("1.32.4", "1.1.0"));
    assert_eq!(image.oddities, [Anomaly::ChosenForOldKubernetes]);
}

#[rstest]
#[case::inside("2026-01-15T21:20:00Z", "2026-01-15T21:20:00Z", "2026-01-16T21:45:00Z")]
#[case::before_the_window("2026-01-15T12:00:00Z", "2026-01-15T21:00:00Z", "2026-01-15T21:45:00Z")]
#[case::in_the_margin("2026-01-15T21:50:00Z", "2026-01-16T21:00:00Z", "2026-01-16T21:45:00Z")]
fn when_an_expiry_takes_effect(
    #[case] expires: Timestamp,
    #[case] earliest: Timestamp,
    #[case] latest: Timestamp,
) {
    let spec = json!({"version": "1.31.6", "expirationDate": expires});
    let version: garden_gate_model::api::ExpirableVersion = serde_json::from_value(spec).unwrap();
    let window = Window::of(&shoot("1.31.6", false, json!([])));
    let before = "2026-01-01T00:00:00Z".parse().unwrap();
    let forced = when_forced(&version, window, before);
    assert_eq!(forced, Forced::Later { expires, earliest, latest });
}

#[test]
fn when_maintenance_runs() {
    let noon = "2026-01-15T12:00:00Z".parse().unwrap();
    let mut object = shoot("1.31.6", false, json!([]));
    assert_eq!((runs_at(&object, noon), runs_at(&object, now())), (false, true));
    let annotations = &mut object.metadata.annotations;
    let operations = "reconcile; maintain".to_owned();
    annotations.insert("gardener.cloud/operation".to_owned(), operations);
    assert!(runs_at(&object, noon));
    object.metadata.deletion_timestamp = Some(noon.to_string());
    assert!(!runs_at(&object, now()));
}
