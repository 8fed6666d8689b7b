// SPDX-License-Identifier: Apache-2.0
//! Rotation of credentials by maintenance, and its obstacles.

use garden_gate_products::forecast::Class;
use rstest::rstest;
use serde_json::{Value, json};

use crate::forecast_windows::{Case, IMAGE, case};

#[test]
fn credentials_are_rotated_when_their_period_has_passed() {
    let credentials = json!({"credentials": {"sshKeypair": {"rotationPeriod": "720h"}, "observability": {"rotationPeriod": "0s"}}});
    let case = case("1.31.6", IMAGE).with("/spec/maintenance", "autoRotation", credentials).with(
        "",
        "status",
        json!({"lastOperation": {"type": "Reconcile", "state": "Succeeded"}}),
    );
    let forecast = case.forecast();
    let days = forecast.windows.iter().map(|it| it.earliest.strftime("%F").to_string());
    let days: Vec<String> = days.collect();
    assert_eq!(days, ["2026-01-31", "2026-03-02", "2026-04-01"]);
    assert!(!forecast.windows[0].is_blocked());
    let event = &forecast.windows[0].events[0];
    assert_eq!((event.from.as_str(), event.class), ("rotate-ssh-keypair", Class::Regular));
    assert_eq!(event.cause, "automatic rotation of the SSH key pair is on, every 30 days");
}

#[rstest]
#[case::no_access_to_nodes("/spec/provider", "workersSettings", json!({"sshAccess": {"enabled": false}}))]
#[case::a_failed_shoot("/status", "lastOperation", json!({"type": "Reconcile", "state": "Failed"}))]
#[case::rotated_lately("/status", "credentials", json!({"rotation": {"sshKeypair": {"lastCompletionTime": "2026-04-01T00:00:00Z"}}}))]
fn credentials_are_not_rotated(#[case] pointer: &str, #[case] field: &str, #[case] value: Value) {
    let credentials = json!({"credentials": {"sshKeypair": {"rotationPeriod": "720h"}}});
    let status = json!({"lastOperation": {"type": "Reconcile", "state": "Succeeded"}});
    let case = case("1.31.6", IMAGE)
        .with("/spec/maintenance", "autoRotation", credentials)
        .with("", "status", status)
        .with(pointer, field, value);
    assert_eq!(case.told(), [""; 0]);
}

/// Rotates the ETCD encryption key every 30 days, with this status.
fn rotating(version: &'static str, status: Value) -> Case {
    let credentials = json!({"credentials": {"etcdEncryptionKey": {"rotationPeriod": "720h"}}});
    let status = json!({
        "lastOperation": {"type": "Reconcile", "state": "Succeeded"},
        "credentials": {"rotation": {"etcdEncryptionKey": status}},
    });
    let case = case(version, IMAGE).with("/spec/maintenance", "autoRotation", credentials);
    case.with("", "status", status)
}

const STARTS: [&str; 2] = [
    "2026-02-14 operation rotate-etcd-encryption-key→? regular",
    "2026-03-16 operation rotate-etcd-encryption-key→? regular",
];
const FAILS: [&str; 1] = ["2026-01-31 operation rotate-etcd-encryption-key→? no update possible"];

#[rstest]
#[case::prepared_by_hand("1.33.1", json!({"phase": "Prepared"}), &FAILS)]
#[case::begun_by_hand("1.33.1", json!({"phase": "Preparing"}), &FAILS)]
#[case::being_completed("1.33.1", json!({"phase": "Completing"}), &STARTS)]
#[case::completed_by_gardener("1.33.1", json!({"phase": "Prepared", "autoCompleteAfterPrepared": true}), &STARTS)]
#[case::nobody_completes_it_any_more("1.34.1", json!({"phase": "Prepared"}), &STARTS)]
fn a_rotation_that_is_under_way_goes_first(
    #[case] version: &'static str,
    #[case] status: Value,
    #[case] expected: &[&str],
) {
    assert_eq!(rotating(version, status).told(), expected);
}

#[test]
fn uncompleted_rotation_is_reported_with_the_fix() {
    let forecast = rotating("1.33.1", json!({"phase": "Prepared"})).forecast();
    let event = &forecast.windows[0].events[0];
    assert_eq!(
        event.cause,
        "automatic rotation of the ETCD encryption key is on, every 30 days, but one is under way and nobody has completed it"
    );
    assert_eq!(
        event.advice,
        "complete it, once its phase is `Prepared`, with the operation `rotate-etcd-encryption-key-complete`"
    );
    let waits = "the rotation of the ETCD encryption key waits for the operation `rotate-etcd-encryption-key-complete`, which maintenance does not start by itself";
    assert_eq!(forecast.remarks, [waits]);
}

#[test]
fn a_rotation_that_is_completed_in_a_window_is_followed_by_others() {
    let annotations =
        json!({"maintenance.gardener.cloud/operation": "rotate-etcd-encryption-key-complete"});
    let case = rotating("1.33.1", json!({"phase": "Prepared"})).with(
        "/metadata",
        "annotations",
        annotations,
    );
    assert_eq!(case.forecast().remarks, [""; 0]);
    assert_eq!(
        case.told(),
        [
            "2026-01-15 operation rotate-etcd-encryption-key-complete→? regular",
            "2026-02-14 operation rotate-etcd-encryption-key→? regular",
            "2026-03-16 operation rotate-etcd-encryption-key→? regular",
        ]
    );
}

#[test]
fn a_rotation_that_is_begun_by_hand_keeps_the_next_from_starting() {
    let annotations =
        json!({"maintenance.gardener.cloud/operation": "rotate-etcd-encryption-key-start"});
    let case = rotating("1.33.1", json!({"lastCompletionTime": "2025-12-01T00:00:00Z"})).with(
        "/metadata",
        "annotations",
        annotations,
    );
    assert_eq!(
        case.told(),
        [
            "2026-01-15 operation rotate-etcd-encryption-key-start→? regular",
            "2026-01-16 operation rotate-etcd-encryption-key→? no update possible",
        ]
    );
}

#[test]
fn an_update_to_kubernetes_1_34_completes_a_rotation() {
    let case = rotating("1.33.1 @soon; 1.34.1", json!({"phase": "Prepared"}));
    assert_eq!(
        case.told(),
        [
            "2026-01-31 operation rotate-etcd-encryption-key→? no update possible",
            "2026-02-01 control plane 1.33.1→1.34.1 forced",
            "2026-03-03 operation rotate-etcd-encryption-key→? regular",
            "2026-04-02 operation rotate-etcd-encryption-key→? regular",
        ]
    );
}

#[rstest]
#[case::certificates(
    "certificateAuthorities",
    "Prepared",
    &["the rotation of the certificate authorities waits for the operation `rotate-ca-complete`, which maintenance does not start by itself"]
)]
#[case::pools(
    "serviceAccountKey",
    "WaitingForWorkersRollout",
    &["the rotation of the service account key waits for the operation `rotate-rollout-workers`, which maintenance does not start by itself"]
)]
#[case::goes_on("certificateAuthorities", "Preparing", &[])]
#[case::is_done("serviceAccountKey", "Completed", &[])]
fn rotation_that_waits_for_a_user_is_noted(
    #[case] credentials: &str,
    #[case] phase: &str,
    #[case] expected: &[&str],
) {
    let rotation = json!({"rotation": {credentials: {"phase": phase}}});
    let case = case("1.31.6", IMAGE).with("", "status", json!({"credentials": rotation}));
    assert_eq!(case.forecast().remarks, expected);
}
