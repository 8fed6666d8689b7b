// SPDX-License-Identifier: Apache-2.0
//! Confirmation of deletions, single and of many objects; bindings.

use garden_gate_core::garden::{Collection, GardenObject};
use garden_gate_model::api::Kind;
use rstest::rstest;
use serde_json::{Value, json};

use crate::judging::{Setup, denials, project, request};
use crate::matrix_hibernation::{setup, shoot, with};
use crate::matrix_operations::annotated;

fn delete(setup: &Setup, resource: &str, old: &Value) -> Vec<String> {
    let mut request = request(resource, "DELETE", old, Some(old));
    request["object"] = Value::Null;
    denials(&setup.review(&request))
}

const CONFIRMATION: &str = "confirmation.gardener.cloud/deletion";

#[rstest]
#[case(None, true)]
#[case(Some("false"), true)]
#[case(Some("yes"), true)]
#[case(Some("1"), false)]
#[case(Some("TRUE"), false)]
fn deletion_is_confirmed(#[case] value: Option<&str>, #[case] denied: bool) {
    let old = value.map_or_else(shoot, |value| annotated(shoot(), CONFIRMATION, value));
    assert_eq!(!delete(&setup(), "shoots", &old).is_empty(), denied);
}

#[rstest]
#[case("shootstates", &["shootstate/deletion-not-confirmed Forbidden metadata.annotations[confirmation.gardener.cloud/deletion]"])]
#[case("projects", &["project/deletion-not-confirmed Forbidden metadata.annotations[confirmation.gardener.cloud/deletion]"])]
#[case("seeds", &[])]
fn other_kinds(#[case] resource: &str, #[case] expected: &[&str]) {
    let old = json!({"metadata": {"name": "o"}});
    assert_eq!(delete(&setup(), resource, &old), expected);
}

#[rstest]
#[case("alice", true)]
#[case("bob", false)]
#[case("system:serviceaccount:ns:robot", false)]
fn dual_approval(#[case] requester: &'static str, #[case] denied: bool) {
    let confirmed_by = if requester == "bob" { "alice" } else { requester };
    let old = annotated(
        annotated(shoot(), CONFIRMATION, "true"),
        "deletion.gardener.cloud/confirmed-by",
        confirmed_by,
    );
    let mut setup = setup().user(requester, &[]);
    let approval = json!([{"resource": "shoots", "selector": {}, "includeServiceAccounts": false}]);
    setup
        .garden
        .apply(project("p", json!({"namespace": "garden-p", "dualApprovalForDeletion": approval})));
    assert_eq!(!delete(&setup, "shoots", &old).is_empty(), denied);
}

fn confirmed(name: &str, by: &str) -> Value {
    json!({
        "metadata": {
            "name": name,
            "namespace": "garden-p",
            "labels": {"for": name},
            "annotations": {CONFIRMATION: "true", "deletion.gardener.cloud/confirmed-by": by},
        },
        "spec": shoot()["spec"],
    })
}

fn unconfirmed(name: &str) -> Value {
    with(shoot(), "/metadata/name", json!(name))
}

/// Returns a garden with these Shoots and `s`.
fn beside(others: &[Value]) -> Setup {
    let mut setup = setup();
    for other in others {
        let other = serde_json::from_value(other.clone()).unwrap();
        setup.garden.apply(GardenObject::Shoot(Box::new(other)));
    }
    setup
}

/// Deletes `old` together with others.
fn delete_many(setup: &Setup, resource: &str, old: &Value) -> Vec<String> {
    let mut request = request(resource, "DELETE", old, Some(old));
    request["object"] = Value::Null;
    request["name"] = json!("");
    denials(&setup.review(&request))
}

const OTHERS: &str = "shoot/deletion-not-confirmed Forbidden metadata.namespace";

#[rstest]
#[case(&[confirmed("a", "bob"), unconfirmed("b")], &[OTHERS])]
#[case::all_confirmed(&[confirmed("a", "bob")], &[])]
#[case::its_old_self(&[unconfirmed("s")], &[])]
#[case::another_namespace(&[with(unconfirmed("b"), "/metadata/namespace", json!("other"))], &[])]
fn of_a_collection_everything_is_confirmed(#[case] others: &[Value], #[case] expected: &[&str]) {
    let setup = beside(others);
    assert_eq!(delete_many(&setup, "shoots", &confirmed("s", "bob")), expected);
    assert_eq!(delete(&setup, "shoots", &confirmed("s", "bob")), [""; 0]);
}

#[test]
fn who_is_not_confirmed_is_named() {
    let setup = beside(&["a", "b", "c", "d", "s"].map(unconfirmed));
    let mut request =
        request("shoots", "DELETE", &confirmed("s", "bob"), Some(&confirmed("s", "bob")));
    request["object"] = Value::Null;
    request["name"] = json!("");
    let review = setup.review(&request);
    assert_eq!(
        review.findings[0].message,
        "many at once are deleted only if every Shoot of namespace `garden-p` is confirmed, whatever is selected; the deletion of \
        Shoots `a`, `b`, `c` and 1 more is not"
    );
}

#[test]
fn an_object_that_is_not_confirmed_itself_is_refused_as_such() {
    let own = "shoot/deletion-not-confirmed Forbidden metadata.annotations[confirmation.gardener.cloud/deletion]";
    let setup = beside(&[unconfirmed("b")]);
    assert_eq!(delete_many(&setup, "shoots", &unconfirmed("s")), [own]);
}

/// Returns Project `p`, which requires two users to delete one of the selected Shoots.
fn project_with_dual_approval(selector: &Value) -> GardenObject {
    let approval = json!([{"resource": "shoots", "selector": selector}]);
    let spec = json!({"namespace": "garden-p", "dualApprovalForDeletion": approval});
    project("p", spec)
}

#[rstest]
#[case::unconfirmed(unconfirmed("b"))]
#[case::without_second_user(confirmed("b", "alice"))]
fn a_watch_that_is_late_refuses_nothing_of_a_collection(#[case] other: Value) {
    let mut setup = beside(&[other]);
    setup.garden.apply(project_with_dual_approval(&json!({})));
    setup.listed = Some(Collection::default());
    assert_eq!(delete_many(&setup, "shoots", &confirmed("s", "bob")), [""; 0]);
}

#[rstest]
#[case::others_too(json!({}), &["shoot/deletion-dual-approval Forbidden metadata.namespace"])]
#[case::not_selected(json!({"matchLabels": {"for": "none"}}), &[])]
fn dual_approval_counts_for_everything_in_a_collection(
    #[case] selector: Value,
    #[case] expected: &[&str],
) {
    let mut setup = beside(&[confirmed("a", "alice"), confirmed("b", "bob")]);
    setup.garden.apply(project_with_dual_approval(&selector));
    assert_eq!(delete_many(&setup, "shoots", &confirmed("s", "bob")), expected);
}

#[rstest]
#[case("projects", "", "project/deletion-not-confirmed Forbidden metadata.namespace")]
#[case("shootstates", "garden-p", "shootstate/deletion-not-confirmed Forbidden metadata.namespace")]
fn other_kinds_are_deleted_together_only_if_all_are_confirmed(
    #[case] resource: &str,
    #[case] namespace: &str,
    #[case] expected: &str,
) {
    let mut setup = setup();
    let object = confirmed_in(namespace);
    let mut all = Collection::default();
    all.apply("o".into(), None);
    setup.listed = Some(all.clone());
    assert_eq!(delete_many(&setup, resource, &object), [""; 0]);
    all.apply("p".into(), None);
    setup.listed = Some(all);
    assert_eq!(delete_many(&setup, resource, &object), [expected]);
}

fn confirmed_in(namespace: &str) -> Value {
    json!({"metadata": {"name": "o", "namespace": namespace, "annotations": {CONFIRMATION: "1"}}})
}

#[test]
fn a_shoot_state_is_deleted_from_the_namespace_of_a_project() {
    let delete = |namespace| delete(&setup(), "shootstates", &confirmed_in(namespace));
    assert_eq!(delete("garden-p"), [""; 0]);
    let denied = ["shoot/project-missing Forbidden metadata.namespace"];
    assert_eq!(delete("elsewhere"), denied);
}

fn binding(finalizers: &[&str]) -> Value {
    json!({"metadata": {"name": "account", "namespace": "garden-p", "finalizers": finalizers}})
}

#[rstest]
#[case::used("core.gardener.cloud/v1beta1/secretbindings", "secretBindingName", true)]
#[case::used(
    "security.gardener.cloud/v1alpha1/credentialsbindings",
    "credentialsBindingName",
    true
)]
#[case::of_the_other_kind(
    "core.gardener.cloud/v1beta1/secretbindings",
    "credentialsBindingName",
    false
)]
fn a_binding_in_use_keeps_its_finalizer(
    #[case] resource: &str,
    #[case] field: &str,
    #[case] denied: bool,
) {
    let user = with(shoot(), &format!("/spec/{field}"), json!("account"));
    let mut setup = beside(&[user]);
    let parts: Vec<&str> = resource.split('/').collect();
    let judge = |setup: &Setup, new: &Value, old: &Value| {
        let mut request = request("", "UPDATE", new, Some(old));
        request["resource"] = json!({"group": parts[0], "version": parts[1], "resource": parts[2]});
        denials(&setup.review(&request))
    };
    let (with_it, without) = (binding(&["x", "gardener"]), binding(&["x"]));
    let refusal = "binding/finalizer-removal Forbidden metadata.finalizers";
    let expected: &[&str] = if denied { &[refusal] } else { &[] };
    assert_eq!(judge(&setup, &without, &with_it), expected);
    assert_eq!(judge(&setup, &with_it, &with_it), [""; 0]);
    assert_eq!(judge(&setup, &without, &without), [""; 0]);
    setup.garden.reset(Kind::Shoot, []);
    assert_eq!(judge(&setup, &without, &with_it), [""; 0]);
}

#[test]
fn who_confirmed_cannot_be_forged() {
    let by = "deletion.gardener.cloud/confirmed-by";
    let old = annotated(annotated(shoot(), CONFIRMATION, "true"), by, "bob");
    let new = annotated(old.clone(), by, "forged");
    let review = setup().review(&request("shoots", "UPDATE", &new, Some(&old)));
    let mut after = new;
    json_patch::patch(&mut after, &review.patch).unwrap();
    assert_eq!(after["metadata"], old["metadata"]);
}
