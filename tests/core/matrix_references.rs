// SPDX-License-Identifier: Apache-2.0
//! Secrets, ConfigMaps and WorkloadIdentities to which a Shoot refers: existence and permissions; managed issuers.

use garden_gate_core::garden::{Knowledge, ObjectKey, Snapshot};
use garden_gate_core::rules;
use garden_gate_model::api::Kind;
use rstest::rstest;
use serde_json::{Value, json};

use crate::judging::{Setup, request};

const SERVER: &str = "spec.kubernetes.kubeAPIServer";

fn shoot(changes: &[(&str, Value)]) -> Value {
    let mut shoot = json!({
        "apiVersion": "core.gardener.cloud/v1beta1",
        "kind": "Shoot",
        "metadata": {"name": "web", "namespace": "garden-p"},
        "spec": {"kubernetes": {"version": "1.34.1", "kubeAPIServer": {}}, "dns": {}},
    });
    for (pointer, value) in changes {
        let (parent, name) = pointer.rsplit_once('/').unwrap();
        shoot.pointer_mut(parent).unwrap()[name] = value.clone();
    }
    shoot
}

/// Returns a garden with Secret `here`, without Secret `gone` and ConfigMap `gone`; all else is unknown.
fn setup() -> Setup {
    let mut setup = Setup::with_project(None).verbs(&["get"]);
    setup.garden = Snapshot::new(Knowledge::Everything).asking_for_verbs();
    let key = |kind, name: &str| ObjectKey::new(kind, "garden-p", name);
    setup.garden.answer_named(key(Kind::Secret, "here"), Ok(true));
    setup.garden.answer_named(key(Kind::Secret, "gone"), Ok(false));
    setup.garden.answer_named(key(Kind::ConfigMap, "gone"), Ok(false));
    let refused = Err("secrets \"closed\" is forbidden".to_owned());
    setup.garden.answer_named(key(Kind::Secret, "closed"), refused);
    setup
}

/// Returns findings about references, as `finding field`.
fn told(setup: &Setup, old: Option<&Value>, new: &Value) -> Vec<String> {
    let operation = if old.is_some() { "UPDATE" } else { "CREATE" };
    let review = setup.review_wholly(&request("shoots", operation, new, old));
    let rules =
        ["shoot/reference-missing", "shoot/kubeconfig-secret-unusable", "shoot/managed-issuer"];
    let undetermined = review.undetermined.iter();
    assert!(!undetermined.clone().any(|it| rules.contains(&it.rule)));
    let findings = review.findings.iter().filter(|it| rules.contains(&it.rule));
    findings.map(|it| format!("{} {}", it.finding, it.field)).collect()
}

fn resource(kind: &str, name: &str) -> Value {
    json!({"name": "r", "resourceRef": {"apiVersion": "v1", "kind": kind, "name": name}})
}

fn resources(name: &str) -> (&'static str, Value) {
    ("/spec/resources", json!([resource("Secret", name)]))
}

fn plugin(name: &str) -> (&'static str, Value) {
    let plugin = json!([{"name": "ImagePolicyWebhook", "kubeconfigSecretName": name}]);
    ("/spec/kubernetes/kubeAPIServer/admissionPlugins", plugin)
}

fn provider(name: &str) -> (&'static str, Value) {
    let reference = json!({"apiVersion": "v1", "kind": "Secret", "name": name});
    ("/spec/dns/providers", json!([{"type": "a", "credentialsRef": reference}]))
}

fn authentication(name: &str) -> (&'static str, Value) {
    let pointer = "/spec/kubernetes/kubeAPIServer/structuredAuthentication";
    (pointer, json!({"configMapName": name}))
}

fn authorization(name: &str, secret: &str) -> (&'static str, Value) {
    let pointer = "/spec/kubernetes/kubeAPIServer/structuredAuthorization";
    let kubeconfigs = json!([{"authorizerName": "a", "secretName": secret}]);
    (pointer, json!({"configMapName": name, "kubeconfigs": kubeconfigs}))
}

#[rstest]
#[case::there(&[resources("here")], None)]
#[case::not_known(&[resources("other")], None)]
#[case::not_told(&[resources("closed")], None)]
#[case::resource(&[resources("gone")], Some("spec.resources[0].resourceRef.name".to_owned()))]
#[case::config_map(&[("/spec/resources", json!([resource("Secret", "here"), resource("ConfigMap", "gone")]))], Some("spec.resources[1].resourceRef.name".to_owned()))]
#[case::credentials(&[provider("gone")], Some("spec.dns.providers[0].credentialsRef.name".to_owned()))]
#[case::old_credentials(&[("/spec/dns/providers", json!([{"type": "a", "secretName": "gone"}]))], Some("spec.dns.providers[0].secretName".to_owned()))]
#[case::kubeconfig(&[plugin("gone"), resources("gone")], Some(format!("{SERVER}.admissionPlugins[0].kubeconfigSecretName")))]
#[case::authentication(&[authentication("gone")], Some(format!("{SERVER}.structuredAuthentication.configMapName")))]
#[case::authorization(&[authorization("gone", "here")], Some(format!("{SERVER}.structuredAuthorization.configMapName")))]
#[case::authorizer(&[authorization("here", "gone")], Some(format!("{SERVER}.structuredAuthorization.kubeconfigs[0].secretName")))]
#[case::authorizer_without_a_secret(&[authorization("here", "")], Some(format!("{SERVER}.structuredAuthorization.kubeconfigs[0].secretName")))]
fn what_a_new_shoot_refers_to_exists(
    #[case] changes: &[(&str, Value)],
    #[case] field: Option<String>,
) {
    let told = told(&setup(), None, &shoot(changes));
    let expected = field.map(|field| format!("shoot/reference-missing {field}"));
    match expected {
        None => assert_eq!(told, Vec::<String>::new()),
        Some(expected) => assert!(told.contains(&expected), "{told:?}"),
    }
}

#[rstest]
#[case::something_else(("/spec/purpose", json!("testing")), &[])]
#[case::a_label(("/metadata/labels", json!({"a": "b"})), &[])]
#[case::resources(("/spec/resources", json!([resource("Secret", "gone"), resource("Secret", "here")])), &["spec.resources[0].resourceRef.name"])]
#[case::domain(("/spec/dns/domain", json!("a.io")), &["spec.dns.providers[0].credentialsRef.name"])]
#[case::authentication(authentication("here"), &[])]
#[case::authorizer(authorization("here", ""), &["spec.kubernetes.kubeAPIServer.structuredAuthorization.kubeconfigs[0].secretName"])]
fn what_is_stored_is_looked_for_where_something_changes(
    #[case] change: (&str, Value),
    #[case] fields: &[&str],
) {
    let stored = [resources("gone"), provider("gone"), authorization("gone", "gone")];
    let old = shoot(&stored);
    let new = shoot(&[&stored[..], &[change]].concat());
    let expected = fields.iter().map(|it| format!("shoot/reference-missing {it}"));
    let expected: Vec<String> = expected.collect();
    assert_eq!(told(&setup(), Some(&old), &new), expected);
    let mut deleted = new.clone();
    deleted["metadata"]["deletionTimestamp"] = json!("2026-01-01T00:00:00Z");
    assert_eq!(told(&setup(), Some(&old), &deleted), Vec::<String>::new());
}

#[test]
fn references_require_read_permission() {
    let setup = setup().verbs(&[]);
    let told = told(&setup, None, &shoot(&[resources("here"), provider("here")]));
    let expected = ["shoot/reference-unreadable spec.resources[0].resourceRef.name"];
    assert_eq!(told, expected);
}

#[rstest]
#[case::listed(&[plugin("here"), resources("here")], &[])]
#[case::not_listed(&[plugin("here")], &["shoot/kubeconfig-secret-unlisted"])]
#[case::listed_as_a_config_map(&[plugin("here"), ("/spec/resources", json!([resource("ConfigMap", "here")]))], &["shoot/kubeconfig-secret-unlisted"])]
fn the_secret_of_a_plugin_is_a_resource(
    #[case] changes: &[(&str, Value)],
    #[case] findings: &[&str],
) {
    let field = format!("{SERVER}.admissionPlugins[0].kubeconfigSecretName");
    let expected = findings.iter().map(|it| format!("{it} {field}"));
    let expected: Vec<String> = expected.collect();
    assert_eq!(told(&setup(), None, &shoot(changes)), expected);
}

#[test]
fn missing_secret_of_a_stored_plugin_is_reported_on_any_change() {
    let old = shoot(&[plugin("gone"), resources("gone")]);
    let mut new = old.clone();
    new["metadata"]["labels"] = json!({"a": "b"});
    let field = format!("{SERVER}.admissionPlugins[0].kubeconfigSecretName");
    let expected = [format!("shoot/kubeconfig-secret-gone {field}")];
    assert_eq!(told(&setup(), Some(&old), &new), expected);
    assert_eq!(told(&setup(), Some(&old), &old), Vec::<String>::new());
}

#[rstest]
#[case::kept(true, true, false, None)]
#[case::taken_up(false, true, false, None)]
#[case::given_up(true, false, false, Some("shoot/managed-issuer-removed"))]
#[case::beside_another(false, true, true, Some("shoot/managed-issuer-with-own"))]
#[case::another(false, false, true, None)]
fn a_managed_issuer_stays_and_is_the_only_one(
    #[case] was: bool,
    #[case] is: bool,
    #[case] has_own: bool,
    #[case] finding: Option<&str>,
) {
    let managed = |is_managed: bool| {
        let value = if is_managed { "managed" } else { "no" };
        json!({"authentication.gardener.cloud/issuer": value})
    };
    let old = shoot(&[("/metadata/annotations", managed(was))]);
    let accounts = if has_own { json!({"issuer": "https://a.io"}) } else { json!({}) };
    let new = shoot(&[
        ("/metadata/annotations", managed(is)),
        ("/spec/kubernetes/kubeAPIServer/serviceAccountConfig", accounts),
    ]);
    let field = "metadata.annotations[authentication.gardener.cloud/issuer]";
    let expected = finding.map(|it| format!("{it} {field}"));
    assert_eq!(told(&setup(), Some(&old), &new), Vec::from_iter(expected));
}

#[rstest]
#[case::created(None, &["seed/reference-missing spec.resources[0].resourceRef.name"])]
#[case::changed(Some("here"), &["seed/reference-missing spec.resources[0].resourceRef.name"])]
#[case::unchanged(Some("gone"), &[])]
fn changed_references_of_a_seed_exist(#[case] old: Option<&str>, #[case] expected: &[&str]) {
    let mut setup = setup();
    for (name, exists) in [("here", true), ("gone", false)] {
        let key = ObjectKey::new(Kind::Secret, "garden", name);
        setup.garden.answer_named(key, Ok(exists));
    }
    let seed = |secret: &str, label: &str| {
        json!({
            "metadata": {"name": "s", "labels": {"a": label}},
            "spec": {"resources": [resource("Secret", secret)]},
        })
    };
    let (new, old) = (seed("gone", "new"), old.map(|it| seed(it, "old")));
    let operation = if old.is_some() { "UPDATE" } else { "CREATE" };
    let rule = rules::find("seed/reference-missing").unwrap();
    let request = request("seeds", operation, &new, old.as_ref());
    let found = setup.review_with(&[rule], &request);
    let found = found.findings.iter().map(|it| format!("{} {}", it.finding, it.field));
    assert_eq!(found.collect::<Vec<_>>(), expected);
}
