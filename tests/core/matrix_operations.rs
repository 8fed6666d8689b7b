// SPDX-License-Identifier: Apache-2.0
//! Operation annotations, force deletion and finalizers.

use rstest::rstest;
use serde_json::{Value, json};

use crate::judging::{denials, request};
use crate::matrix_hibernation::{setup, shoot, with};

const NOW: &str = "gardener.cloud/operation";
const MAINTENANCE: &str = "maintenance.gardener.cloud/operation";

pub(crate) fn annotated(object: Value, key: &str, value: &str) -> Value {
    with(object, &format!("/metadata/annotations/{}", key.replace('/', "~1")), json!(value))
}

fn last_operation(kind: &str, state: &str) -> Value {
    with(shoot(), "/status/lastOperation", json!({"type": kind, "state": state, "progress": 100}))
}

fn create(new: &Value) -> Vec<String> {
    short(&denials(&setup().review(&request("shoots", "CREATE", new, None))))
}

fn update(new: &Value, old: &Value) -> Vec<String> {
    short(&denials(&setup().review(&request("shoots", "UPDATE", new, Some(old)))))
}

/// Abbreviates the two annotations to `A` and `M`.
fn short(denials: &[String]) -> Vec<String> {
    let shorten = |line: &String| {
        line.replace(&format!("metadata.annotations[{NOW}]"), "A")
            .replace(&format!("metadata.annotations[{MAINTENANCE}]"), "M")
            .replace("shoot/", "")
    };
    denials.iter().map(shorten).collect()
}

/// Requests an operation on a stored Shoot.
fn asked(old: &Value, operation: &str) -> Vec<String> {
    update(&annotated(old.clone(), NOW, operation), old)
}

fn ready() -> Value {
    last_operation("Reconcile", "Succeeded")
}

#[test]
fn only_the_first_unknown_operation_is_named() {
    let new = annotated(shoot(), NOW, "foo;bar");
    let review = setup().review(&request("shoots", "CREATE", &new, None));
    assert_eq!(short(&denials(&review)), ["operation-unsupported NotSupported A"]);
    assert_eq!(review.findings[0].value, "foo");
}

#[test]
fn retry_excludes_other_operations() {
    let refused = ["operation-not-parallel Forbidden A"];
    assert_eq!(create(&annotated(shoot(), NOW, "retry;reconcile")), refused);
    assert_eq!(asked(&ready(), "retry;reconcile"), [""; 0]);
    assert_eq!(asked(&last_operation("Reconcile", "Failed"), "retry;reconcile"), refused);
}

#[test]
fn an_operation_without_a_name() {
    let refused = ["operation-unsupported NotSupported A"];
    assert_eq!(create(&annotated(shoot(), NOW, "reconcile;")), refused);
    assert_eq!(asked(&ready(), "reconcile;"), [""; 0]);
    assert_eq!(asked(&shoot(), "reconcile;"), refused);
}

#[test]
fn the_same_operation_in_both() {
    let both = |object| annotated(annotated(object, NOW, "reconcile"), MAINTENANCE, "reconcile");
    assert_eq!(
        create(&both(shoot())),
        ["operation-in-both-annotations Forbidden metadata.annotations"]
    );
    assert_eq!(update(&both(ready()), &ready()), [""; 0]);
}

#[rstest]
#[case::dropped("force-in-place-update;reconcile", &[])]
#[case::order_does_not_matter("reconcile; force-in-place-update", &[])]
#[case::kept("force-in-place-update;rotate-ca-start", &["force-in-place-update-not-alone Forbidden A"])]
#[case::only_the_first_misfit("bogus;force-in-place-update", &["operation-unsupported NotSupported A"])]
fn fields_cleaned_up_first_do_not_conflict_with_a_forced_update(
    #[case] operations: &str,
    #[case] expected: &[&str],
) {
    assert_eq!(asked(&ready(), operations), expected);
}

#[test]
fn a_spec_that_only_says_its_defaults_does_not_keep_operations() {
    let new = annotated(ready(), NOW, "retry;reconcile");
    let defaults = with(new.clone(), "/spec/schedulerName", json!("default-scheduler"));
    assert_eq!(update(&defaults, &ready()), [""; 0]);
    let changed = with(new, "/spec/region", json!("r"));
    let old = with(ready(), "/spec/region", json!("q"));
    assert!(update(&changed, &old).contains(&"operation-not-parallel Forbidden A".to_owned()));
}

#[rstest]
#[case("1.33.5", false)]
#[case("1.34.0", true)]
#[case("1.34.0-rc.1", true)]
fn the_end_of_rotations_in_two_steps(#[case] version: &str, #[case] denied: bool) {
    let old = with(ready(), "/spec/kubernetes/version", json!(version));
    let operation = "rotate-etcd-encryption-key-start";
    let expected: &[&str] =
        if denied { &["operation-etcd-split-rotation Forbidden A"] } else { &[] };
    assert_eq!(asked(&old, operation), expected);
    let review = setup().review(&request(
        "shoots",
        "UPDATE",
        &annotated(old.clone(), NOW, operation),
        Some(&old),
    ));
    assert!(
        review
            .findings
            .iter()
            .any(|finding| finding.finding == "shoot/warn-etcd-split-rotation-op")
    );
}

#[rstest]
#[case(shoot(), true)]
#[case(last_operation("Create", "Processing"), true)]
#[case(last_operation("Reconcile", "Error"), false)]
fn a_rotation_needs_a_shoot_that_was_created(#[case] old: Value, #[case] denied: bool) {
    let expected: &[&str] = if denied { &["operation-context Forbidden A"] } else { &[] };
    assert_eq!(asked(&old, "rotate-ca-start"), expected);
}

#[test]
fn incompatible_operations() {
    let operations = "rotate-credentials-start;rotate-ca-start-without-workers-rollout";
    assert_eq!(asked(&ready(), operations), ["operation-incompatible Forbidden A"]);
}

#[test]
fn rotation_in_one_step_excludes_that_in_two() {
    let old = with(ready(), "/spec/kubernetes/version", json!("1.33.5"));
    let operations = "rotate-etcd-encryption-key;rotate-etcd-encryption-key-start";
    let refused = "operation-incompatible Forbidden A".to_owned();
    assert!(asked(&old, operations).contains(&refused));
}

#[test]
fn rotation_of_all_credentials_is_completed_once_it_is_prepared() {
    let refused = "operation-context Forbidden A".to_owned();
    assert!(asked(&ready(), "rotate-credentials-complete").contains(&refused));
    let rotation = json!({
        "certificateAuthorities": {"phase": "Prepared"},
        "serviceAccountKey": {"phase": "Prepared"},
        "etcdEncryptionKey": {"phase": "Prepared"},
    });
    let prepared = with(ready(), "/status/credentials/rotation", rotation);
    assert_eq!(asked(&prepared, "rotate-credentials-complete"), [""; 0]);
}

#[test]
fn the_maintenance_window_does_it_anyway() {
    let new = annotated(ready(), MAINTENANCE, "rotate-credentials-start");
    let new = annotated(new, NOW, "rotate-ca-start");
    assert_eq!(update(&new, &ready()), ["operation-conflicts-with-maintenance Forbidden A"]);
}

#[rstest]
#[case("rotate-ssh-keypair", &[])]
#[case("rotate-credentials-start", &["operation-while-hibernated Forbidden A"])]
#[case("rollout-workers=a", &["operation-while-hibernated Forbidden A"])]
fn asleep(#[case] operation: &str, #[case] expected: &[&str]) {
    let old = with(ready(), "/status/hibernated", json!(true));
    assert_eq!(asked(&old, operation), expected);
}

#[test]
fn no_maintenance_while_deleting() {
    let operation = "rotate-ca-complete";
    let old = ready();
    let new = annotated(old.clone(), MAINTENANCE, operation);
    assert_eq!(update(&new, &old), ["operation-context Forbidden M"]);
    let deleting =
        |object| with(object, "/metadata/deletionTimestamp", json!("2026-01-01T00:00:00Z"));
    assert_eq!(update(&deleting(new), &deleting(old)), [""; 0]);
}

#[rstest]
#[case("rollout-workers", &["operation-pools Invalid A"])]
#[case("rollout-workers=", &["operation-pools Required A", "operation-pools Invalid A"])]
#[case("rollout-workers=*,a", &["operation-pools Forbidden A", "operation-pools Invalid A"])]
#[case("rollout-workers=a,a", &["operation-pools Duplicate A"])]
#[case("rollout-workers=inplace", &["rollout-workers-in-place Invalid A"])]
#[case("rollout-workers=*", &["rollout-workers-in-place Invalid A"])]
fn pools(#[case] operation: &str, #[case] expected: &[&str]) {
    let in_place = json!({
        "name": "inplace",
        "updateStrategy": "AutoInPlaceUpdate",
        "machine": {"image": {"name": "x", "version": "1.0.0"}},
    });
    let old = with(
        ready(),
        "/spec/provider/workers",
        json!([ready()["spec"]["provider"]["workers"][0], in_place]),
    );
    assert_eq!(asked(&old, operation), expected);
}

#[test]
fn all_pools() {
    assert_eq!(asked(&ready(), "rollout-workers=*"), [""; 0]);
}

#[test]
fn a_rollout_waits_for_the_rotation() {
    let old = with(
        ready(),
        "/status/credentials/rotation/certificateAuthorities/phase",
        json!("Prepared"),
    );
    assert_eq!(asked(&old, "rotate-rollout-workers=a"), ["operation-context Forbidden A"]);
}

#[test]
fn force_deletion() {
    let force =
        |object, value| annotated(object, "confirmation.gardener.cloud/force-deletion", value);
    let deleting = with(shoot(), "/metadata/deletionTimestamp", json!("2026-01-01T00:00:00Z"));
    let failed =
        |code: &str| with(deleting.clone(), "/status/lastErrors", json!([{"codes": [code]}]));
    let field = "Forbidden metadata.annotations[confirmation.gardener.cloud/force-deletion]";
    let no_code = format!("force-deletion-no-error-code {field}");
    assert_eq!(
        update(&force(shoot(), "T"), &shoot()),
        [no_code.clone(), format!("force-deletion-not-deleting {field}")]
    );
    let webhook = failed("ERR_PROBLEMATIC_WEBHOOK");
    assert_eq!(update(&force(webhook.clone(), "T"), &webhook), [no_code]);
    let configuration = failed("ERR_CONFIGURATION_PROBLEM");
    assert_eq!(update(&force(configuration.clone(), "T"), &configuration), [""; 0]);
    assert_eq!(
        update(&force(configuration.clone(), "false"), &force(configuration, "T")),
        [format!("force-deletion-removed {field}")]
    );
}

#[test]
fn finalizers() {
    let with_finalizer = |object| with(object, "/metadata/finalizers", json!(["gardener"]));
    assert_eq!(
        create(&with_finalizer(shoot())),
        ["finalizer-on-create Forbidden metadata.finalizers[0]"]
    );
    let deleting = |state: &str, progress: i32, id: &str| {
        let last = json!({"type": "Delete", "state": state, "progress": progress});
        with(with(shoot(), "/status/lastOperation", last), "/status/technicalID", json!(id))
    };
    let deleted = |progress: i32, id: &str| deleting("Succeeded", progress, id);
    for (old, denied) in [
        (deleting("Processing", 100, "x"), true),
        (deleted(99, "x"), true),
        (deleted(100, "x"), false),
        (deleted(99, ""), false),
    ] {
        let expected: &[&str] =
            if denied { &["finalizer-removal Forbidden metadata.finalizers"] } else { &[] };
        assert_eq!(update(&old, &with_finalizer(old.clone())), expected);
    }
}
