// SPDX-License-Identifier: Apache-2.0
//! SecretBindings, CredentialsBindings, Quotas and ExposureClasses, and the references of bindings.

use garden_gate_core::admission::EntryPoints;
use garden_gate_core::config::Level;
use garden_gate_core::garden::{Knowledge, ObjectKey, Snapshot};
use garden_gate_core::rules;
use garden_gate_model::api::Kind;
use rstest::rstest;
use serde_json::{Value, json};

use crate::judging::{Setup, request};
use crate::judging_extensions::set;

fn metadata() -> Value {
    json!({"name": "mine", "namespace": "garden-p"})
}

fn secret_binding() -> Value {
    json!({
        "apiVersion": "core.gardener.cloud/v1beta1",
        "kind": "SecretBinding",
        "metadata": metadata(),
        "provider": {"type": "stub"},
        "secretRef": {"name": "account"},
    })
}

fn credentials_binding() -> Value {
    json!({
        "apiVersion": "security.gardener.cloud/v1alpha1",
        "kind": "CredentialsBinding",
        "metadata": metadata(),
        "provider": {"type": "stub"},
        "credentialsRef": {"apiVersion": "v1", "kind": "Secret", "name": "account"},
    })
}

fn quota() -> Value {
    json!({
        "apiVersion": "core.gardener.cloud/v1beta1",
        "kind": "Quota",
        "metadata": metadata(),
        "spec": {"scope": {"apiVersion": "v1", "kind": "Secret"}, "metrics": {"cpu": "10"}},
    })
}

fn exposure_class() -> Value {
    json!({
        "apiVersion": "core.gardener.cloud/v1beta1",
        "kind": "ExposureClass",
        "metadata": {"name": "internet"},
        "handler": "internet",
        "scheduling": {"tolerations": [{"key": "a"}]},
    })
}

fn with(mut object: Value, changes: &[(&str, Value)]) -> Value {
    for (pointer, value) in changes {
        set(&mut object, pointer, value.clone());
    }
    object
}

fn asked(new: &Value, old: Option<&Value>) -> Value {
    let (group, resource) = match new["kind"].as_str().unwrap() {
        "SecretBinding" => ("core.gardener.cloud/v1beta1", "secretbindings"),
        "CredentialsBinding" => ("security.gardener.cloud/v1alpha1", "credentialsbindings"),
        "Quota" => ("core.gardener.cloud/v1beta1", "quotas"),
        _ => ("core.gardener.cloud/v1beta1", "exposureclasses"),
    };
    let operation = if old.is_some() { "UPDATE" } else { "CREATE" };
    let mut request = request(resource, operation, new, old);
    let (group, version) = group.split_once('/').unwrap();
    request["resource"]["group"] = json!(group);
    request["resource"]["version"] = json!(version);
    request
}

/// Returns denials of rules that run in `review` only, as `finding type field`.
fn told_in(setup: &Setup, new: &Value, old: Option<&Value>) -> Vec<String> {
    let review = setup.review_wholly(&asked(new, old));
    let of_review =
        |rule: &str| rules::find(rule).is_some_and(|it| it.entry_points != EntryPoints::All);
    let findings =
        review.findings.iter().filter(|it| of_review(it.rule)).filter(|it| it.level == Level::Deny);
    let told = findings.map(|it| format!("{} {:?} {}", it.finding, it.error, it.field));
    told.collect()
}

fn told(new: &Value, old: Option<&Value>) -> Vec<String> {
    let setup = Setup::with_project(None).verbs(&["get"]);
    told_in(&setup, new, old)
}

#[rstest]
#[case::secret_binding(secret_binding())]
#[case::credentials_binding(credentials_binding())]
#[case::quota(quota())]
#[case::exposure_class(exposure_class())]
fn nothing_is_said_about_plain_ones(#[case] object: Value) {
    assert_eq!(told(&object, None), Vec::<String>::new());
    assert_eq!(told(&object, Some(&object)), Vec::<String>::new());
}

#[rstest]
#[case::secret(secret_binding(), "/secretRef", json!(null), "field/missing Required secretRef.name")]
#[case::secret_name(secret_binding(), "/secretRef/name", json!("A"), "field/malformed Invalid secretRef.name")]
#[case::secret_namespace(secret_binding(), "/secretRef/namespace", json!("a.b"), "field/malformed Invalid secretRef.namespace")]
#[case::no_provider(secret_binding(), "/provider", json!(null), "field/missing Required provider")]
#[case::provider(secret_binding(), "/provider/type", json!(""), "field/missing Required provider.type")]
#[case::label(secret_binding(), "/provider/type", json!("a,"), "field/malformed Invalid metadata.labels")]
#[case::quotas(secret_binding(), "/quotas", json!([{}]), "field/missing Required quotas[0].name")]
#[case::credentials(credentials_binding(), "/credentialsRef", json!(null), "field/missing Required credentialsRef.kind")]
#[case::credentials_kind(credentials_binding(), "/credentialsRef/kind", json!("Pod"), "field/unsupported-value NotSupported credentialsRef")]
#[case::several(credentials_binding(), "/provider/type", json!("a,b"), "field/malformed Invalid provider.type")]
#[case::scope(quota(), "/spec/scope/kind", json!("Pod"), "field/unsupported-value NotSupported spec.scope")]
#[case::metric(quota(), "/spec/metrics/pods", json!("1"), "field/unsupported-value Invalid spec.metrics[pods]")]
#[case::amount(quota(), "/spec/metrics/cpu", json!("-1"), "field/out-of-range Invalid spec.metrics[cpu]")]
#[case::days(quota(), "/spec/clusterLifetimeDays", json!(0), "field/out-of-range Invalid spec.clusterLifetimeDays")]
#[case::generation(quota(), "/metadata/generation", json!(-1), "field/out-of-range Invalid metadata.generation")]
#[case::generation_of_a_binding(secret_binding(), "/metadata/generation", json!(-1), "field/out-of-range Invalid metadata.generation")]
#[case::name(exposure_class(), "/metadata/name", json!("a.b"), "field/malformed Invalid metadata.name")]
#[case::handler(exposure_class(), "/handler", json!(""), "field/malformed Invalid handler")]
#[case::long_handler(exposure_class(), "/handler", json!("a".repeat(35)), "field/too-long Invalid handler")]
#[case::selector(exposure_class(), "/scheduling/seedSelector", json!({"matchLabels": {"a b": ""}}), "field/malformed Invalid scheduling.seedSelector.matchLabels")]
#[case::selector_without_values(exposure_class(), "/scheduling/seedSelector", json!({"matchExpressions": [{"key": "a", "operator": "NotIn"}]}), "field/missing Required scheduling.seedSelector.matchExpressions[0].values")]
#[case::toleration(exposure_class(), "/scheduling/tolerations", json!([{}]), "exposureclass/tolerations-invalid Required scheduling.tolerations[0].key")]
#[case::tolerations(exposure_class(), "/scheduling/tolerations", json!([{"key": "a"}, {"key": "a"}]), "exposureclass/tolerations-invalid Duplicate scheduling.tolerations[1]")]
fn a_new_one_is_refused(
    #[case] object: Value,
    #[case] pointer: &str,
    #[case] value: Value,
    #[case] expected: &str,
) {
    let told = told(&with(object, &[(pointer, value)]), None);
    assert!(told.contains(&expected.to_owned()), "{told:?}");
}

#[rstest]
#[case::longest_handler(exposure_class(), "/handler", json!("a".repeat(34)))]
#[case::one_day(quota(), "/spec/clusterLifetimeDays", json!(1))]
fn a_new_one_is_allowed(#[case] object: Value, #[case] pointer: &str, #[case] value: Value) {
    assert_eq!(told(&with(object, &[(pointer, value)]), None), [""; 0]);
}

#[test]
fn a_binding_without_a_name_is_given_one() {
    let nameless = with(credentials_binding(), &[("/metadata/name", json!(null))]);
    assert_eq!(told(&nameless, None), Vec::<String>::new());
}

#[rstest]
#[case::secret(secret_binding(), "/secretRef/name", json!("other"), Some("secretRef"))]
#[case::filled_in(secret_binding(), "/secretRef/namespace", json!("garden-p"), None)]
#[case::other_namespace(secret_binding(), "/secretRef/namespace", json!("garden-q"), Some("secretRef"))]
#[case::provider(secret_binding(), "/provider/type", json!("other"), Some("provider"))]
#[case::quotas(secret_binding(), "/quotas", json!([{"name": "q"}]), Some("quotas"))]
#[case::no_quotas(secret_binding(), "/quotas", json!([]), None)]
#[case::credentials(credentials_binding(), "/credentialsRef/name", json!("other"), Some("credentialsRef"))]
#[case::one_provider(credentials_binding(), "/provider/type", json!("other"), Some("provider"))]
#[case::scope(quota(), "/spec/scope", json!({"apiVersion": "core.gardener.cloud/v1beta1", "kind": "Project"}), Some("spec.scope"))]
#[case::empty_name_of_scope(quota(), "/spec/scope/name", json!(""), None)]
#[case::metrics(quota(), "/spec/metrics/cpu", json!("20"), None)]
#[case::handler(exposure_class(), "/handler", json!("other"), Some("handler"))]
#[case::scheduling(exposure_class(), "/scheduling/tolerations", json!([{"key": "b"}]), Some("scheduling"))]
#[case::no_labels(
    with(exposure_class(), &[("/scheduling/seedSelector", json!({"matchLabels": {"a": "b"}}))]),
    "/scheduling/seedSelector/matchLabels",
    json!(null),
    Some("scheduling")
)]
#[case::other_labels(
    with(exposure_class(), &[("/scheduling/seedSelector", json!({"matchLabels": {"a": "b"}}))]),
    "/scheduling/seedSelector/matchLabels",
    json!({"a": "c"}),
    Some("scheduling")
)]
#[case::empty_labels(
    with(exposure_class(), &[("/scheduling/seedSelector", json!({"matchLabels": {"a": "b"}}))]),
    "/scheduling/seedSelector/matchLabels",
    json!({}),
    Some("scheduling")
)]
#[case::empty_labels_as_before(
    with(exposure_class(), &[("/scheduling/seedSelector", json!({"providerTypes": ["stub"]}))]),
    "/scheduling/seedSelector/matchLabels",
    json!({}),
    None
)]
#[case::no_scheduling(exposure_class(), "/scheduling", json!(null), Some("scheduling"))]
#[case::no_empty_scheduling(with(exposure_class(), &[("/scheduling", json!({}))]), "/scheduling", json!(null), Some("scheduling"))]
fn some_fields_stay(
    #[case] old: Value,
    #[case] pointer: &str,
    #[case] value: Value,
    #[case] field: Option<&str>,
) {
    let new = with(old.clone(), &[(pointer, value)]);
    let expected = field.map(|it| format!("field/immutable Invalid {it}"));
    assert_eq!(told(&new, Some(&old)), Vec::from_iter(expected));
}

#[test]
fn an_old_secret_binding_may_be_given_a_provider() {
    let old = with(secret_binding(), &[("/provider", json!(null))]);
    assert_eq!(told(&old, Some(&old)), Vec::<String>::new());
    assert_eq!(told(&secret_binding(), Some(&old)), Vec::<String>::new());
}

/// Returns a garden with Secret `account`, WorkloadIdentity `robot` for `stub`, and Quotas.
fn garden() -> Setup {
    let mut setup = Setup::with_project(None).verbs(&["get"]);
    setup.garden = Snapshot::new(Knowledge::Everything).asking_for_verbs();
    let secret = |name: &str| ObjectKey::new(Kind::Secret, "garden-p", name);
    setup.garden.answer_named(secret("account"), Ok(true));
    setup.garden.answer_named(secret("gone"), Ok(false));
    let identity = json!({
        "metadata": {"name": "robot", "namespace": "garden-p"}, "spec": {"targetSystem": {"type": "stub"}},
    });
    apply(&mut setup, Kind::WorkloadIdentity, &identity);
    for (name, kind) in [("one", "Secret"), ("two", "Secret"), ("odd", "Pod")] {
        let quota =
            with(quota(), &[("/metadata/name", json!(name)), ("/spec/scope/kind", json!(kind))]);
        apply(&mut setup, Kind::Quota, &quota);
    }
    setup
}

fn apply(setup: &mut Setup, kind: Kind, object: &Value) {
    let text = object.to_string();
    let object = garden_gate_core::garden::GardenObject::read(kind, text.as_str());
    setup.garden.apply(object.unwrap().unwrap());
}

fn identity(name: &str) -> Value {
    json!({"apiVersion": "security.gardener.cloud/v1alpha1", "kind": "WorkloadIdentity", "name": name})
}

#[rstest]
#[case::secret("/credentialsRef/name", json!("gone"), &["binding/credentials-missing Forbidden credentialsRef.name"])]
#[case::identity("/credentialsRef", identity("robot"), &[])]
#[case::no_identity("/credentialsRef", identity("gone"), &["binding/credentials-missing Forbidden credentialsRef.name"])]
#[case::quota("/quotas", json!([{"name": "one"}]), &[])]
#[case::no_quota("/quotas", json!([{"name": "gone"}]), &["binding/quota-missing Forbidden quotas[0].name"])]
#[case::odd_quota("/quotas", json!([{"name": "odd"}]), &["binding/quota-scope-unknown Forbidden quotas[0].name"])]
#[case::two_quotas("/quotas", json!([{"name": "one"}, {"name": "two"}]), &["binding/quota-of-same-scope Forbidden quotas[1].name"])]
fn what_a_binding_refers_to_is_looked_up(
    #[case] pointer: &str,
    #[case] value: Value,
    #[case] expected: &[&str],
) {
    let new = with(credentials_binding(), &[(pointer, value)]);
    assert_eq!(told_in(&garden(), &new, None), expected);
    let deleting = with(new, &[("/metadata/deletionTimestamp", json!("2026-01-01T00:00:00Z"))]);
    assert_eq!(told_in(&garden(), &deleting, None), Vec::<String>::new());
}

#[rstest]
#[case::room_for_one("4", false)]
#[case::no_room("5", true)]
fn resource_quota_limits_secret_bindings(#[case] used: &str, #[case] is_exceeded: bool) {
    let mut setup = garden();
    let count = |count: &str| json!({"count/secretbindings.core.gardener.cloud": count});
    let quota = json!({
        "metadata": {"name": "limits", "namespace": "garden-p"},
        "spec": {"hard": count("5")}, "status": {"hard": count("5"), "used": count(used)},
    });
    apply(&mut setup, Kind::ResourceQuota, &quota);
    let found = told_in(&setup, &secret_binding(), None);
    let expected = "object/resource-quota-exceeded Forbidden metadata.namespace".to_owned();
    assert_eq!(found.contains(&expected), is_exceeded, "{found:?}");
}

#[test]
fn an_identity_is_for_the_provider_of_the_binding() {
    let new = with(
        credentials_binding(),
        &[("/credentialsRef", identity("robot")), ("/provider/type", json!("other"))],
    );
    assert_eq!(
        told_in(&garden(), &new, None),
        ["binding/identity-of-other-provider Forbidden provider.type"]
    );
}

#[rstest]
#[case::anybody("alice", &[], 2)]
#[case::name_alone("gardener.cloud:gardenadm:shoot:a:b", &[], 2)]
#[case::gardenadm("gardener.cloud:gardenadm:shoot:a:b", &["gardener.cloud:system:shoots"], 0)]
fn who_binds_credentials_and_quotas_may_read_them(
    #[case] user: &'static str,
    #[case] groups: &[&'static str],
    #[case] refusals: usize,
) {
    let mut setup = garden().verbs(&[]);
    setup.user = user;
    setup.groups = groups.to_vec();
    let new = with(secret_binding(), &[("/quotas", json!([{"name": "one"}]))]);
    let told = told_in(&setup, &new, None);
    let expected = [
        "binding/quota-unreadable Forbidden quotas[0].name",
        "binding/credentials-unreadable Forbidden secretRef.name",
    ];
    assert_eq!(told, expected[..refusals]);
}

#[rstest]
#[case::same("stub", 0)]
#[case::one_of_several("other,stub", 0)]
#[case::other("other", 1)]
fn a_binding_is_for_the_provider_of_its_shoots(#[case] provider: &str, #[case] refusals: usize) {
    let mut setup = garden();
    let profile = json!({"metadata": {"name": "c"}, "spec": {"type": "stub"}});
    apply(&mut setup, Kind::CloudProfile, &profile);
    let shoot = json!({
        "metadata": {"name": "web", "namespace": "garden-p"},
        "spec": {"cloudProfile": {"kind": "CloudProfile", "name": "c"}, "secretBindingName": "mine"},
    });
    apply(&mut setup, Kind::Shoot, &shoot);
    let new = with(secret_binding(), &[("/provider/type", json!(provider))]);
    let expected = "binding/provider-of-shoots Forbidden provider.type";
    assert_eq!(told_in(&setup, &new, None), vec![expected; refusals]);
}

#[rstest]
#[case::deprecated(secret_binding(), 1)]
#[case::in_its_place(credentials_binding(), 0)]
fn secret_bindings_are_warned_about(#[case] binding: Value, #[case] warnings: usize) {
    let review = garden().review_wholly(&asked(&binding, None));
    let found = review.findings.iter().map(|it| (it.finding, it.level));
    let expected = ("binding/secret-binding-deprecated", Level::Warn);
    assert_eq!(found.filter(|it| *it == expected).count(), warnings);
}

#[rstest]
#[case::added(&["a", "b"], &["object/finalizer-added Forbidden metadata.finalizers"])]
#[case::kept(&["a"], &[])]
#[case::removed(&[], &[])]
fn what_is_being_deleted_gets_no_finalizers(#[case] new: &[&str], #[case] expected: &[&str]) {
    let deleted = [("/metadata/deletionTimestamp", json!("2026-01-01T00:00:00Z"))];
    let deleting = with(exposure_class(), &deleted);
    let finalizers =
        |of: Value, names: &[&str]| with(of, &[("/metadata/finalizers", json!(names))]);
    let old = finalizers(deleting.clone(), &["a"]);
    assert_eq!(told(&finalizers(deleting, new), Some(&old)), expected);
    let old = finalizers(exposure_class(), &["a"]);
    let new = finalizers(exposure_class(), new);
    assert_eq!(told(&new, Some(&old)), Vec::<String>::new());
}

#[rstest]
#[case::whole(&[json!({})], &[])]
#[case::nameless(&[json!({"name": null})], &["field/malformed Invalid metadata.ownerReferences.name"])]
#[case::version(&[json!({"apiVersion": "a/"})], &["field/malformed Invalid metadata.ownerReferences.apiVersion"])]
#[case::event(&[json!({"kind": "Event"})], &["field/malformed Invalid metadata.ownerReferences"])]
#[case::two(&[json!({"controller": true}), json!({"controller": true})], &["field/malformed Invalid metadata.ownerReferences"])]
fn owners_are_named_in_full(#[case] changes: &[Value], #[case] expected: &[&str]) {
    let owner = |changes: &Value| {
        let mut owner = json!({"apiVersion": "v1", "kind": "Namespace", "name": "n", "uid": "1"});
        let changes = changes.as_object().unwrap().clone();
        owner.as_object_mut().unwrap().extend(changes);
        owner
    };
    let owners: Vec<Value> = changes.iter().map(owner).collect();
    let new = with(quota(), &[("/metadata/ownerReferences", json!(owners))]);
    assert_eq!(told(&new, None), expected);
}

#[test]
fn metadata_of_a_changed_exposure_class_are_judged() {
    let annotations = json!({"my note": ""});
    let new = with(exposure_class(), &[("/metadata/annotations", annotations)]);
    let expected = "field/malformed Invalid metadata.annotations";
    assert_eq!(told(&new, Some(&exposure_class())), [expected]);
    assert_eq!(told(&new, None), [expected]);
}
