// SPDX-License-Identifier: Apache-2.0
//! Tolerations, Projects, and changes that require a custom verb.

use crate::judging::{Setup, denials, project, request, tolerations};

use garden_gate_core::garden::GardenObject;
use garden_gate_core::rules;
use rstest::rstest;
use serde_json::{Value, json};

const NO_SUCH: &str = "shoot/toleration-not-whitelisted Forbidden";

fn lists(defaults: &[&str], whitelist: &[&str]) -> Option<Value> {
    Some(json!({"defaults": tolerations(defaults), "whitelist": tolerations(whitelist)}))
}

fn shoot(namespace: &str, ids: &[&str]) -> Value {
    let metadata = json!({"name": "s", "namespace": namespace});
    json!({"metadata": metadata, "spec": {"kubernetes": {"version": "1.33.1"}, "tolerations": tolerations(ids)}})
}

fn create(setup: &Setup, object: &Value) -> (Vec<String>, Vec<String>) {
    let review = setup.review(&request("shoots", "CREATE", object, None));
    let mut after = object.clone();
    json_patch::patch(&mut after, &review.patch).unwrap();
    let key = |entry: &Value| match entry["value"].as_str() {
        None => entry["key"].as_str().unwrap_or_default().to_owned(),
        Some(value) => format!("{}={value}", entry["key"].as_str().unwrap()),
    };
    let after = after["spec"]["tolerations"].as_array().unwrap().iter().map(key).collect();
    (denials(&review), after)
}

#[rstest]
#[case::nothing_said(&[], &[], &[], &[], &[], &[])]
#[case(&["baz"], &["foo"], &["bar"], &[], &["foo", "bar", "baz"], &["baz", "foo", "bar"])]
#[case(&["baz"], &[], &["baz=foo"], &[], &["baz"], &["baz"])]
#[case(&[], &["foo=x"], &["foo"], &[], &["foo"], &["foo=x", "foo"])]
#[case(&["foo=x"], &[], &[], &[], &["foo"], &["foo=x"])]
fn created_with(
    #[case] own: &[&str],
    #[case] global_defaults: &[&str],
    #[case] defaults: &[&str],
    #[case] global: &[&str],
    #[case] whitelist: &[&str],
    #[case] stored: &[&str],
) {
    let setup = Setup::with_project(lists(defaults, whitelist)).global(global_defaults, global);
    let (denied, after) = create(&setup, &shoot("garden-p", own));
    assert_eq!(denied, [""; 0]);
    assert_eq!(after, stored);
}

#[rstest]
#[case::tolerations_invalid(&[], &["foo"], &["foo"], &["foo"], "shoot/tolerations-invalid Duplicate spec.tolerations[1]")]
#[case::toleration_not_whitelisted(&["foo"], &[], &[], &["foo=x"], "shoot/toleration-not-whitelisted Forbidden spec.tolerations[0]")]
#[case::toleration_not_whitelisted(&["foo=y"], &[], &[], &["foo=x"], "shoot/toleration-not-whitelisted Forbidden spec.tolerations[0]")]
#[case::toleration_not_whitelisted(&[], &["foo"], &[], &[], "shoot/toleration-not-whitelisted Forbidden spec.tolerations[0]")]
fn refused_on_create(
    #[case] own: &[&str],
    #[case] global_defaults: &[&str],
    #[case] defaults: &[&str],
    #[case] whitelist: &[&str],
    #[case] denial: &str,
) {
    let setup = Setup::with_project(lists(defaults, whitelist)).global(global_defaults, &[]);
    assert_eq!(create(&setup, &shoot("garden-p", own)).0, [denial]);
}

#[test]
fn the_global_whitelist_suffices_without_a_project_block() {
    let setup = Setup::with_project(None).global(&[], &["foo"]);
    assert_eq!(create(&setup, &shoot("garden-p", &["foo"])).0, [""; 0]);
}

#[rstest]
#[case(&["foo", "new"], &["foo"], &[], Some("spec.tolerations[1]"))]
#[case(&["bar=b"], &["foo", "bar=b"], &[], None)]
#[case::value(&["foo=y"], &["foo=x"], &["foo=x"], Some("spec.tolerations[0]"))]
#[case::bare(&["foo=y"], &["foo=x"], &["foo"], None)]
#[case(&["foo="], &["foo"], &["foo=x"], Some("spec.tolerations[0]"))]
fn updated(
    #[case] new: &[&str],
    #[case] old: &[&str],
    #[case] whitelist: &[&str],
    #[case] denied: Option<&str>,
) {
    let setup = Setup::with_project(lists(&[], whitelist));
    let (new, old) = (shoot("garden-p", new), shoot("garden-p", old));
    let expected: Vec<String> = denied.iter().map(|field| format!("{NO_SUCH} {field}")).collect();
    for subresource in ["", "binding"] {
        let mut request = request("shoots", "UPDATE", &new, Some(&old));
        request["subResource"] = json!(subresource);
        let mut denied = denials(&setup.review(&request));
        // A binding without a change is also refused, by another rule.
        denied.retain(|denial| !denial.starts_with("shoot/binding-same-seed"));
        assert_eq!(denied, expected, "{subresource}");
    }
}

#[test]
fn kept_entries_outlive_the_whitelist() {
    let setup = Setup::with_project(lists(&[], &[]));
    let old = shoot("garden-p", &["foo"]);
    let mut new = old.clone();
    new["metadata"]["labels"] = json!({"a": "b"});
    assert_eq!(denials(&setup.review(&request("shoots", "UPDATE", &new, Some(&old)))), [""; 0]);
}

#[test]
fn a_status_update_brings_no_tolerations() {
    let setup = Setup::with_project(Some(json!({})));
    let (old, new) = (shoot("garden-p", &[]), shoot("garden-p", &["foo"]));
    let mut request = request("shoots", "UPDATE", &new, Some(&old));
    request["subResource"] = json!("status");
    assert_eq!(denials(&setup.review(&request)), [""; 0]);
}

#[test]
fn a_status_update_without_a_project_is_refused() {
    let setup = Setup::with_project(None);
    let object = shoot("garden-gone", &[]);
    let mut request = request("shoots", "UPDATE", &object, Some(&object));
    request["subResource"] = json!("status");
    assert_eq!(
        denials(&setup.review(&request)),
        ["shoot/project-missing Forbidden metadata.namespace"]
    );
}

#[rstest]
#[case::added(&[], &["seed.gardener.cloud/protected"])]
#[case::with_value(&["seed.gardener.cloud/protected=x"], &["seed.gardener.cloud/protected=x", "seed.gardener.cloud/protected"])]
fn garden_shoots(#[case] own: &[&str], #[case] stored: &[&str]) {
    let mut setup = Setup::with_project(None);
    setup.garden.apply(project("garden", json!({"namespace": "garden"})));
    assert_eq!(
        create(&setup, &shoot("garden", own)),
        (vec![], stored.iter().map(ToString::to_string).collect())
    );
}

#[rstest]
#[case::bare_first(&["foo", "foo=x"], Some("Duplicate spec.tolerations[1]"))]
#[case::bare_last(&["foo=x", "foo"], None)]
#[case::no_key(&[""], Some("Required spec.tolerations[0].key"))]
#[case::long_key(&["a123456789012345678901234567890123456789012345678901234567890123"], Some("Invalid spec.tolerations[0].key"))]
#[case::bad_value(&["foo=va!ue"], Some("Invalid spec.tolerations[0].value"))]
#[case::empty_value(&["foo="], None)]
fn form(#[case] own: &[&str], #[case] denied: Option<&str>) {
    let keys: Vec<&str> = own.iter().map(|id| id.split('=').next().unwrap()).collect();
    let setup = Setup::with_project(lists(&[], &keys));
    let expected: Vec<String> =
        denied.iter().map(|denied| format!("shoot/tolerations-invalid {denied}")).collect();
    assert_eq!(create(&setup, &shoot("garden-p", own)).0, expected);
}

fn class(name: &str, scheduling: Value) -> GardenObject {
    let class = json!({"metadata": {"name": name}, "handler": "h", "scheduling": scheduling});
    GardenObject::from(
        serde_json::from_value::<garden_gate_model::api::ExposureClass>(class).unwrap(),
    )
}

fn exposed(ids: &[&str]) -> Value {
    let mut shoot = shoot("garden-p", ids);
    shoot["spec"]["exposureClassName"] = json!("c");
    shoot
}

#[rstest]
#[case::not_whitelisted(&[], &[], &[], &["shoot/toleration-not-whitelisted Forbidden spec.tolerations[0]"])]
#[case::whitelisted(&[], &["ec"], &[], &[])]
#[case::own_key(&["ec=x"], &["ec"], &[], &["shoot/exposureclass-scheduling Forbidden spec.tolerations[0]"])]
#[case::default_key(&[], &["ec"], &["ec"], &["shoot/exposureclass-scheduling Forbidden spec.tolerations[0]"])]
fn tolerations_of_an_exposure_class_are_added_and_not_overruled(
    #[case] own: &[&str],
    #[case] whitelist: &[&str],
    #[case] defaults: &[&str],
    #[case] denied: &[&str],
) {
    let mut setup = Setup::with_project(lists(defaults, whitelist));
    setup.garden.apply(class("c", json!({"tolerations": tolerations(&["ec"])})));
    assert_eq!(create(&setup, &exposed(own)).0, denied);
}

#[test]
fn a_missing_exposure_class_is_refused() {
    let setup = Setup::with_project(None);
    let denied = ["shoot/exposureclass-missing Forbidden spec.exposureClassName"];
    assert_eq!(create(&setup, &exposed(&[])).0, denied);
}

#[test]
fn a_merged_exposure_class_is_not_merged_again() {
    let mut setup = Setup::with_project(lists(&[], &["ec"]));
    let selector = json!({"matchLabels": {"a": "b"}, "providerTypes": ["y", "x"]});
    setup
        .garden
        .apply(class("c", json!({"tolerations": tolerations(&["ec"]), "seedSelector": selector})));
    let mut object = exposed(&[]);
    object["spec"]["seedSelector"] =
        json!({"matchLabels": {"k": "v"}, "providerTypes": ["z", "x"]});
    let first = setup.review(&request("shoots", "CREATE", &object, None));
    json_patch::patch(&mut object, &first.patch).unwrap();
    let expected = json!({"matchLabels": {"a": "b", "k": "v"}, "providerTypes": ["x", "y", "z"]});
    assert_eq!(object["spec"]["seedSelector"], expected);
    let second = setup.review(&request("shoots", "CREATE", &object, None));
    assert_eq!(denials(&second), [""; 0]);
    assert!(second.patch.is_empty());
}

fn project_object(spec: Value) -> Value {
    json!({"metadata": {"name": "p"}, "spec": spec})
}

fn judge_project(setup: &Setup, operation: &str, new: Value, old: Option<Value>) -> Vec<String> {
    let old = old.map(project_object);
    denials(&setup.review(&request("projects", operation, &project_object(new), old.as_ref())))
}

const WHITELIST: &str = "modify-spec-tolerations-whitelist";
const WHITELIST_DENIED: &str = "project/whitelist-verb Forbidden spec.tolerations.whitelist";
const MEMBERS_DENIED: &str = "project/members-verb Forbidden spec.members";
const OWNER_DENIED: &str = "project/owner-verb Forbidden spec.owner";

#[rstest]
#[case::toleration_default_not_whitelisted(&["foo"], &[], &["project/toleration-default-not-whitelisted Forbidden spec.tolerations.defaults[0]"])]
#[case::nothing_said(&["foo=x"], &["foo"], &[])]
#[case::toleration_default_not_whitelisted(&["foo"], &["foo=x"], &["project/toleration-default-not-whitelisted Forbidden spec.tolerations.defaults[0]"])]
fn project_defaults(
    #[case] defaults: &[&str],
    #[case] whitelist: &[&str],
    #[case] denied: &[&str],
) {
    let setup = Setup::with_project(None).global(&[], &["foo"]).verbs(&[WHITELIST]);
    let spec = json!({"tolerations": lists(defaults, whitelist)});
    assert_eq!(judge_project(&setup, "CREATE", spec, None), denied);
}

#[rstest]
#[case::nothing_said(json!({}), None, &[])]
#[case(json!({"tolerations": {"whitelist": [{"key": "foo"}]}}), None, &[WHITELIST_DENIED])]
#[case::appears(json!({"tolerations": {}}), Some(json!({})), &[WHITELIST_DENIED])]
#[case::disappears(json!({}), Some(json!({"tolerations": {}})), &[WHITELIST_DENIED])]
#[case::nothing_said(
    json!({"tolerations": {"defaults": [{"key": "a"}], "whitelist": [{"key": "a"}]}}),
    Some(json!({"tolerations": {"whitelist": [{"key": "a"}]}})), &[])]
#[case(
    json!({"tolerations": {"whitelist": [{"key": "a"}, {"key": "b"}]}}),
    Some(json!({"tolerations": {"whitelist": [{"key": "b"}, {"key": "a"}]}})), &[WHITELIST_DENIED])]
#[case::empty_value(
    json!({"tolerations": {"whitelist": [{"key": "a", "value": ""}]}}),
    Some(json!({"tolerations": {"whitelist": [{"key": "a"}]}})), &[WHITELIST_DENIED])]
#[case::removal(
    json!({"tolerations": {"whitelist": []}}),
    Some(json!({"tolerations": {"whitelist": [{"key": "a"}]}})), &[WHITELIST_DENIED])]
#[case(json!({"namespace": "garden"}), None, &[WHITELIST_DENIED])]
fn whitelist_verb(#[case] new: Value, #[case] old: Option<Value>, #[case] denied: &[&str]) {
    let operation = if old.is_some() { "UPDATE" } else { "CREATE" };
    let setup = Setup::with_project(None);
    assert_eq!(judge_project(&setup, operation, new.clone(), old.clone()), denied);
    assert_eq!(judge_project(&setup.verbs(&[WHITELIST]), operation, new, old), [""; 0]);
}

fn user(name: &str, role: &str) -> Value {
    json!({"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": name, "role": role})
}

fn owner(name: &str) -> Value {
    json!({"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": name})
}

#[test]
fn documented_asks_for_each_part() {
    let old = json!({"owner": owner("bob"), "members": [user("bob", "owner")], "tolerations": {}});
    let new = json!({
        "owner": owner("bob"),
        "members": [user("bob", "owner"), user("carol", "viewer")],
        "tolerations": {"whitelist": [{"key": "a"}]},
    });
    let mut setup = Setup::with_project(None).verbs(&[WHITELIST]);
    assert_eq!(judge_project(&setup, "UPDATE", new.clone(), Some(old.clone())), [""; 0]);
    setup.config.profile = garden_gate_core::config::Profile::Documented;
    assert_eq!(judge_project(&setup, "UPDATE", new, Some(old)), [MEMBERS_DENIED]);
}

#[rstest]
#[case::service_account(json!([user("bob", "owner"), {"kind": "ServiceAccount", "name": "x", "namespace": "garden-p", "role": "admin"}]), &[])]
#[case::by_user_name(json!([user("bob", "owner"), user("system:serviceaccount:a:b", "admin")]), &[])]
#[case::group(json!([user("bob", "owner"), {"apiGroup": "rbac.authorization.k8s.io", "kind": "Group", "name": "system:serviceaccounts", "role": "viewer"}]), &[MEMBERS_DENIED])]
#[case::human(json!([user("bob", "owner"), user("carol", "viewer")]), &[MEMBERS_DENIED])]
fn non_owner_adds(#[case] members: Value, #[case] denied: &[&str]) {
    let setup = Setup::with_project(None);
    let old = json!({"owner": owner("bob"), "members": [user("bob", "owner")]});
    let new = json!({"owner": owner("bob"), "members": members});
    assert_eq!(judge_project(&setup, "UPDATE", new, Some(old)), denied);
}

#[test]
fn order_is_free_and_roles_are_not() {
    let setup = Setup::with_project(None);
    let spec = |members: Value| json!({"owner": owner("bob"), "members": members});
    let old = spec(json!([user("bob", "owner"), user("carol", "viewer")]));
    let reordered = spec(json!([user("carol", "viewer"), user("bob", "owner")]));
    assert_eq!(judge_project(&setup, "UPDATE", reordered, Some(old.clone())), [""; 0]);
    let promoted = spec(json!([user("bob", "owner"), user("carol", "admin")]));
    assert_eq!(judge_project(&setup, "UPDATE", promoted, Some(old)), [MEMBERS_DENIED]);
}

#[rstest]
#[case::user(owner("alice"), "alice", &[])]
#[case::group(json!({"apiGroup": "rbac.authorization.k8s.io", "kind": "Group", "name": "devs"}), "alice", &["devs"])]
#[case::service_account(json!({"kind": "ServiceAccount", "name": "robot", "namespace": "garden-p"}), "system:serviceaccount:garden-p:robot", &[])]
fn owners_add_humans(
    #[case] owner: Value,
    #[case] requester: &'static str,
    #[case] groups: &[&'static str],
) {
    let setup = Setup::with_project(None).user(requester, groups);
    let old = json!({"owner": owner, "members": []});
    let new = json!({"owner": owner, "members": [user("carol", "admin")]});
    assert_eq!(judge_project(&setup, "UPDATE", new.clone(), Some(old.clone())), [""; 0]);
    let stranger = Setup::with_project(None).user("mallory", &[]);
    assert_eq!(judge_project(&stranger, "UPDATE", new, Some(old)), [MEMBERS_DENIED]);
}

/// Kubernetes validates both names of a service account.
#[rstest]
#[case::digits("garden-1", "robot.2", false)]
#[case::namespace_with_dot("garden.p", "robot", true)]
#[case::hyphen_at_end("garden-p", "robot-", true)]
fn service_account_that_owns_a_project_adds_humans(
    #[case] namespace: &'static str,
    #[case] name: &'static str,
    #[case] is_denied: bool,
) {
    let requester = format!("system:serviceaccount:{namespace}:{name}");
    let setup = Setup::with_project(None).user(requester.leak(), &[]);
    let owner = json!({"kind": "ServiceAccount", "name": name, "namespace": namespace});
    let old = json!({"owner": owner, "members": []});
    let new = json!({"owner": owner, "members": [user("carol", "admin")]});
    let found = judge_project(&setup, "UPDATE", new, Some(old));
    let is_found = found.iter().any(|it| it == MEMBERS_DENIED);
    assert_eq!(is_found, is_denied, "{found:?}");
}

#[test]
fn another_owner_needs_the_verb_for_other_members() {
    let setup = Setup::with_project(None);
    let both = json!({"members": [user("bob", "owner"), user("carol", "viewer")]});
    assert_eq!(judge_project(&setup, "CREATE", both, None), [MEMBERS_DENIED]);
    let owner_only = json!({"members": [user("bob", "owner")]});
    assert_eq!(judge_project(&setup, "CREATE", owner_only, None), [""; 0]);
}

#[test]
fn members_cannot_make_themselves_owner() {
    let setup = Setup::with_project(None);
    let old = json!({"owner": owner("bob"), "members": []});
    let new = json!({"owner": owner("alice"), "members": [user("alice", "admin"), user("carol", "admin")]});
    assert_eq!(judge_project(&setup, "UPDATE", new, Some(old)), [OWNER_DENIED]);
}

#[test]
fn handing_over_strips_the_old_owners_role() {
    let setup = Setup::with_project(None).user("bob", &[]);
    let members = json!([user("bob", "owner"), user("alice", "admin")]);
    let old = json!({"owner": owner("bob"), "members": members});
    let new = json!({"owner": owner("alice"), "members": members});
    assert_eq!(judge_project(&setup, "UPDATE", new, Some(old)), [MEMBERS_DENIED]);
}

#[test]
fn status_updates_need_no_verb() {
    let object = project_object(json!({"owner": owner("bob"), "members": [user("bob", "owner")]}));
    // The API server does not store a spec from this endpoint.
    let mut sent = object.clone();
    sent["spec"]["members"] = json!([]);
    sent["spec"]["tolerations"] = json!({});
    let mut request = request("projects", "UPDATE", &sent, Some(&object));
    request["subResource"] = json!("status");
    assert_eq!(denials(&Setup::with_project(None).review(&request)), [""; 0]);
}

const KUBERNETES_DENIED: &str = "namespacedcloudprofile/kubernetes-verb Forbidden spec.kubernetes";
const IMAGES_DENIED: &str =
    "namespacedcloudprofile/machineimages-verb Forbidden spec.machineImages";
const PROVIDER_DENIED: &str =
    "namespacedcloudprofile/providerconfig-verb Forbidden spec.providerConfig";

#[rstest]
#[case::empty_kubernetes(json!({"kubernetes": {}}), &[], &[KUBERNETES_DENIED])]
#[case::unguarded(json!({"machineTypes": [{"name": "m"}], "limits": {}}), &[], &[])]
#[case::only_expired_images(
    json!({"machineImages": [{"name": "i", "versions": [{"version": "1.0.0", "expirationDate": "2020-01-01T00:00:00Z"}]}]}), &[], &[])]
#[case::one_of_two_verbs(
    json!({"kubernetes": {}, "machineImages": [{"name": "i", "versions": [{"version": "1.0.0"}]}]}),
    &["modify-spec-kubernetes"], &[IMAGES_DENIED])]
#[case::provider_config(json!({"providerConfig": {"a": 1}}), &[], &[PROVIDER_DENIED])]
#[case::all_verbs(
    json!({"kubernetes": {}, "machineImages": [{"name": "i", "versions": [{"version": "1.0.0"}]}], "providerConfig": {}}),
    &["modify-spec-kubernetes", "modify-spec-machineimages", "modify-spec-providerconfig"], &[])]
fn guarded_parts_of_a_new_profile_need_their_verbs(
    #[case] mut spec: Value,
    #[case] verbs: &[&'static str],
    #[case] denied: &[&str],
) {
    spec["parent"] = json!({"kind": "CloudProfile", "name": "parent"});
    let object = json!({"metadata": {"name": "n", "namespace": "garden-p"}, "spec": spec});
    let setup = Setup::with_project(None).verbs(verbs);
    let request = request("namespacedcloudprofiles", "CREATE", &object, None);
    let verbs_denied: Vec<String> = denials(&setup.review(&request))
        .into_iter()
        .filter(|denied| denied.contains("-verb "))
        .collect();
    assert_eq!(verbs_denied, denied);
}

#[rstest]
#[case::created(json!([{"name": "cp", "controlPlane": {}}]), None, true)]
#[case::other_pool(
    json!([{"name": "a", "maximum": 3}, {"name": "cp", "controlPlane": {}}]),
    Some(json!([{"name": "a", "maximum": 2}, {"name": "cp", "controlPlane": {}}])), false)]
#[case::maximum(
    json!([{"name": "cp", "controlPlane": {}, "maximum": 3}]),
    Some(json!([{"name": "cp", "controlPlane": {}, "maximum": 1}])), true)]
#[case::mark_removed(
    json!([{"name": "cp"}]), Some(json!([{"name": "cp", "controlPlane": {}}])), true)]
#[case::default_spelled_out(
    json!([{"name": "cp", "controlPlane": {}, "maxSurge": 1}]),
    Some(json!([{"name": "cp", "controlPlane": {}}])), false)]
fn the_control_plane_pool_needs_a_verb(
    #[case] new: Value,
    #[case] old: Option<Value>,
    #[case] needs_verb: bool,
) {
    let object = |workers: Value| json!({"metadata": {"name": "s", "namespace": "garden-p"}, "spec": {"kubernetes": {"version": "1.33.1"}, "provider": {"workers": workers}}});
    let operation = if old.is_some() { "UPDATE" } else { "CREATE" };
    let old = old.map(object);
    let request = request("shoots", operation, &object(new), old.as_ref());
    let verb = |setup: Setup| {
        denials(&setup.review(&request))
            .iter()
            .any(|denied| denied.starts_with("shoot/self-hosted-verb "))
    };
    assert_eq!(verb(Setup::with_project(None)), needs_verb);
    assert!(!verb(Setup::with_project(None).verbs(&["mark-self-hosted"])));
}

#[test]
fn masters_need_no_verb() {
    let setup = Setup::with_project(None).user("root", &["system:masters"]);
    let new = json!({"tolerations": {"whitelist": tolerations(&["a"])}});
    assert_eq!(judge_project(&setup, "UPDATE", new, Some(json!({}))), [""; 0]);
}

/// `SkipVerification` skips updates of a Project in deletion.
#[rstest]
#[case::active(None, 2)]
#[case::in_deletion(Some("2026-01-01T00:00:00Z"), 1)]
fn owner_becomes_a_member_outside_of_deletion(
    #[case] deleted: Option<&str>,
    #[case] expected: usize,
) {
    let project = |label: &str| {
        let spec = json!({"owner": owner("bob"), "members": [user("carol", "admin")]});
        let mut project = project_object(spec);
        project["metadata"]["labels"] = json!({"a": label});
        project["metadata"]["deletionTimestamp"] = json!(deleted);
        project
    };
    let (mut new, old) = (project("new"), project("old"));
    let rule = rules::find("project/owner-defaulting").unwrap();
    let request = request("projects", "UPDATE", &new, Some(&old));
    let review = Setup::with_project(None).review_with(&[rule], &request);
    json_patch::patch(&mut new, &review.patch).unwrap();
    let members = new["spec"]["members"].as_array().unwrap();
    assert_eq!(members.len(), expected);
}
