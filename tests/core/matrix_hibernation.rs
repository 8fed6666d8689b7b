// SPDX-License-Identifier: Apache-2.0
//! Hibernation, its schedules, and changes that are forbidden during hibernation or wake-up.

use rstest::rstest;
use serde_json::{Value, json};

use crate::judging::{Setup, denials, request};

pub(crate) fn setup() -> Setup {
    Setup::with_project(None)
}

/// Returns a Shoot with one pool that is not hibernated.
pub(crate) fn shoot() -> Value {
    json!({
        "metadata": {"name": "s", "namespace": "garden-p"},
        "spec": {
            "kubernetes": {"version": "1.33.5"},
            "provider": {"workers": [{"name": "a", "machine": {"type": "large", "architecture": "amd64", "image": {"name": "os", "version": "1.0.0"}}}]},
        },
    })
}

/// Returns the object with a value at a JSON pointer; parents are created.
pub(crate) fn with(mut object: Value, pointer: &str, value: Value) -> Value {
    let mut place = &mut object;
    for step in pointer.split('/').skip(1) {
        let step = step.replace("~1", "/");
        place = match step.parse::<usize>() {
            Ok(index) => &mut place[index],
            Err(_) => &mut place[step],
        };
    }
    *place = value;
    object
}

fn asleep(object: Value) -> Value {
    with(object, "/spec/hibernation/enabled", json!(true))
}

fn constrained(status: &str) -> Value {
    let constraint =
        json!({"type": "HibernationPossible", "status": status, "message": "webhook x"});
    with(shoot(), "/status/constraints", json!([constraint]))
}

fn update(new: &Value, old: &Value) -> Vec<String> {
    denials(&setup().review(&request("shoots", "UPDATE", new, Some(old))))
}

const CONSTRAINT: &str = "shoot/hibernation-constraint Forbidden spec.hibernation.enabled";

#[rstest]
#[case("False", true)]
#[case("Unknown", true)]
#[case("Progressing", true)]
#[case("Foo", true)]
#[case("True", false)]
fn falling_asleep_needs_the_constraint(#[case] status: &str, #[case] denied: bool) {
    let old = constrained(status);
    let expected: &[&str] = if denied { &[CONSTRAINT] } else { &[] };
    assert_eq!(update(&asleep(old.clone()), &old), expected);
}

#[test]
fn without_the_constraint_a_shoot_may_sleep() {
    assert_eq!(update(&asleep(shoot()), &shoot()), [""; 0]);
}

#[test]
fn a_forged_status_does_not_count() {
    assert_eq!(update(&asleep(constrained("True")), &constrained("False")), [CONSTRAINT]);
}

#[test]
fn staying_asleep_and_waking_up_are_free() {
    let old = asleep(constrained("False"));
    let awake = with(old.clone(), "/spec/hibernation/enabled", json!(false));
    let without = with(old.clone(), "/spec/hibernation", Value::Null);
    assert_eq!(update(&old, &old), [""; 0]);
    for new in [awake, without] {
        let review = setup().review(&request("shoots", "UPDATE", &new, Some(&old)));
        assert_eq!(denials(&review), [""; 0]);
        let mut after = new;
        json_patch::patch(&mut after, &review.patch).unwrap();
        assert_eq!(
            after["metadata"]["annotations"]["shoot.gardener.cloud/tasks"],
            "deployInfrastructure,deployDNSRecordInternal,deployDNSRecordExternal,deployDNSRecordIngress"
        );
    }
}

#[test]
fn a_new_block_counts_as_falling_asleep() {
    let old = constrained("False");
    let new = with(old.clone(), "/spec/hibernation", json!({"enabled": true, "schedules": []}));
    assert_eq!(update(&new, &old), [CONSTRAINT]);
}

#[test]
fn a_schedule_is_never_refused_but_warned_about() {
    let old = constrained("False");
    let new = with(old.clone(), "/spec/hibernation/schedules", json!([{"start": "0 20 * * *"}]));
    assert_eq!(update(&new, &old), [""; 0]);
    let mut documented = setup();
    documented.config.profile = garden_gate_core::config::Profile::Documented;
    let review = documented.review(&request("shoots", "UPDATE", &new, Some(&old)));
    let ids: Vec<&str> = review.findings.iter().map(|finding| finding.finding).collect();
    assert_eq!(ids, ["advice/hibernation-schedule-blocked"]);
}

#[test]
fn the_status_of_a_new_shoot_does_not_count() {
    let new = asleep(constrained("False"));
    assert_eq!(denials(&setup().review(&request("shoots", "CREATE", &new, None))), [""; 0]);
}

#[rstest]
#[case("binding", &[CONSTRAINT])]
#[case("status", &[])]
fn subresources(#[case] subresource: &str, #[case] expected: &[&str]) {
    let old = constrained("False");
    let mut request = request("shoots", "UPDATE", &asleep(old.clone()), Some(&old));
    request["subResource"] = json!(subresource);
    let mut denied = denials(&setup().review(&request));
    // A binding without a change is also refused, by another rule.
    denied.retain(|denial| !denial.starts_with("shoot/binding-same-seed"));
    assert_eq!(denied, expected);
}

#[test]
fn nothing_changes_while_deleting() {
    let old = with(shoot(), "/metadata/deletionTimestamp", json!("2026-01-01T00:00:00Z"));
    assert_eq!(
        update(&asleep(old.clone()), &old),
        ["shoot/spec-frozen-when-deleting Forbidden spec"]
    );
}

fn scheduled(schedules: &Value) -> Vec<String> {
    let new = with(shoot(), "/spec/hibernation/schedules", schedules.clone());
    let denied = denials(&setup().review(&request("shoots", "CREATE", &new, None)));
    let short = |line: &String| {
        line.replace("spec.hibernation.schedules", "").replace("shoot/hibernation-", "")
    };
    denied.iter().map(short).collect()
}

#[rstest]
#[case::schedule_empty(json!([{}]), &["schedule-empty Required [0].start/end"])]
#[case::cron_duplicate(json!([{"start": "0 5 * * *", "end": "0 5 * * *"}]), &["cron-duplicate Duplicate [0].end"])]
#[case::cron_duplicate(
    json!([{"start": "0 5 * * *"}, {"start": "0 5 * * *", "location": "Europe/Berlin"}]),
    &["cron-duplicate Duplicate [1].start"]
)]
#[case::nothing_said(json!([{"start": "0 5 * * *", "end": "00 5 * * *"}]), &[])]
#[case::cron_invalid(json!([{"start": "foo", "end": "foo"}]), &["cron-invalid Invalid [0].end", "cron-invalid Invalid [0].start"])]
fn schedules_are_checked(#[case] list: Value, #[case] expected: &[&str]) {
    assert_eq!(scheduled(&list), expected);
}

#[rstest]
fn no_cron_schedule(
    #[values(
        "",
        "foo",
        "0 0 5 * * *",
        "TZ=UTC 0 5 * * *",
        "@reboot",
        "@Daily",
        "@daily ",
        "* * * * 7",
        "60 * * * *",
        "* * 0 * *",
        "*/0 * * * *",
        "5-1 * * * *",
        "1-2-3 * * * *",
        "-5 * * * *"
    )]
    cron: &str,
) {
    assert_eq!(scheduled(&json!([{"start": cron}])), ["cron-invalid Invalid [0].start"]);
}

#[rstest]
fn a_cron_schedule(
    #[values(
        "@every 1h30m",
        "@every -1h",
        " 0 5 * * MON-fri ",
        "? * * * ?",
        ", * * * *",
        "*-x * * * *",
        "+05 * * * *",
        "0 0 31 2 *",
        "*/100 * * * *"
    )]
    cron: &str,
) {
    assert_eq!(scheduled(&json!([{"end": cron}])), [""; 0]);
}

#[rstest]
#[case::valid(&["", "UTC", "Local", "Europe/Berlin"], true)]
#[case::invalid(&["europe/berlin", "../UTC", "/UTC", "America", "should not exist"], false)]
fn locations_are_known(#[case] locations: &[&str], #[case] valid: bool) {
    for location in locations {
        let denied = scheduled(&json!([{"start": "0 5 * * *", "location": location}]));
        let expected: &[&str] =
            if valid { &[] } else { &["location-invalid Invalid [0].location"] };
        assert_eq!(denied, expected, "{location}");
    }
}

#[test]
fn a_self_hosted_shoot_has_no_hibernation_block() {
    let mut old = shoot();
    old["spec"]["provider"]["workers"][0]["controlPlane"] = json!({});
    let new = with(old.clone(), "/spec/hibernation/schedules", json!([{"start": "foo"}]));
    assert_eq!(update(&new, &old), ["shoot/hibernation-self-hosted Forbidden spec.hibernation"]);
}

#[rstest]
#[case("rotate-ca-start", &["shoot/operation-context Forbidden metadata.annotations[maintenance.gardener.cloud/operation]"])]
#[case("rotate-serviceaccount-key-start", &[
    "shoot/operation-context Forbidden metadata.annotations[maintenance.gardener.cloud/operation]",
    "shoot/operation-while-hibernated Forbidden metadata.annotations[maintenance.gardener.cloud/operation]",
    "shoot/hibernation-maintenance-operation Forbidden spec.hibernation.enabled",
])]
fn operations_in_the_maintenance_window(#[case] operation: &str, #[case] expected: &[&str]) {
    let annotation = "/metadata/annotations/maintenance.gardener.cloud~1operation";
    let new = with(asleep(shoot()), annotation, json!(operation));
    assert_eq!(denials(&setup().review(&request("shoots", "CREATE", &new, None))), expected);
}

#[rstest]
#[case("etcdEncryptionKey", "Prepared", false)]
#[case("etcdEncryptionKey", "Preparing", true)]
#[case("serviceAccountKey", "PreparingWithoutWorkersRollout", true)]
fn rotations(#[case] credentials: &str, #[case] phase: &str, #[case] denied: bool) {
    let pointer = format!("/status/credentials/rotation/{credentials}/phase");
    let old = with(shoot(), &pointer, json!(phase));
    let expected: &[&str] = if denied {
        &["shoot/hibernation-rotation-in-progress Forbidden spec.hibernation.enabled"]
    } else {
        &[]
    };
    assert_eq!(update(&asleep(old.clone()), &old), expected);
}

#[rstest]
#[case(&["configmaps.", "events"], false)]
#[case(&["events"], true)]
fn encryption(#[case] actual: &[&str], #[case] denied: bool) {
    let config = "/spec/kubernetes/kubeAPIServer/encryptionConfig/resources";
    let old = with(shoot(), config, json!(["events", "configmaps"]));
    let old = with(old, "/status/credentials/encryptionAtRest/resources", json!(actual));
    let expected: &[&str] = if denied {
        &["shoot/hibernation-encryption-mismatch Forbidden spec.hibernation.enabled"]
    } else {
        &[]
    };
    assert_eq!(update(&asleep(old.clone()), &old), expected);
}

#[test]
fn a_sleeping_shoot_does_not_become_highly_available() {
    let old = with(shoot(), "/status/hibernated", json!(true));
    let tolerance = "/spec/controlPlane/highAvailability/failureTolerance/type";
    assert_eq!(
        update(&with(old.clone(), tolerance, json!("node")), &old),
        [
            "shoot/ha-while-hibernated Forbidden spec.controlPlane.highAvailability.failureTolerance.type"
        ]
    );
}
