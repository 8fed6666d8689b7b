// SPDX-License-Identifier: Apache-2.0
//! Configurations of API servers in ConfigMaps, as gardener-admission-controller validates them.

use std::sync::Arc;

use garden_gate_core::admission::{Finding, Review};
use garden_gate_core::config::{Config, Level, ResourceLimit};
use garden_gate_core::garden::{GardenObject, Knowledge, NamedObject, ObjectKey, Snapshot};
use garden_gate_core::rules;
use garden_gate_model::api::{ConfigMapData, GardenerVersion, Kind};
use garden_gate_text::go::Quantity;
use rstest::rstest;
use serde_json::{Value, json};

use crate::judging::{Setup, request};

const AUDIT: &str = "admission-controller/audit-policy";
const AUTHENTICATION: &str = "admission-controller/authentication";
const AUTHORIZATION: &str = "admission-controller/authorization";

/// Returns a Shoot that names ConfigMap `c` for everything, with other values at JSON pointers.
fn shoot(changes: &[(&str, Value)]) -> Value {
    let kubeconfigs = json!([{"authorizerName": "a", "secretName": "s"}]);
    let mut shoot = json!({
        "apiVersion": "core.gardener.cloud/v1beta1",
        "kind": "Shoot",
        "metadata": {"name": "web", "namespace": "garden-p", "annotations": {}},
        "spec": {"kubernetes": {"version": "1.34.1", "kubeAPIServer": {
            "auditConfig": {"auditPolicy": {"configMapRef": {"name": "c"}}},
            "structuredAuthentication": {"configMapName": "c"},
            "structuredAuthorization": {"configMapName": "c", "kubeconfigs": kubeconfigs},
        }}},
    });
    for (pointer, value) in changes {
        let (parent, name) = pointer.rsplit_once('/').unwrap();
        let name = name.replace("~1", "/");
        shoot.pointer_mut(parent).unwrap()[name] = value.clone();
    }
    shoot
}

/// Returns a garden with ConfigMap `c`, whose keys have this value; without one, the ConfigMap is unknown.
fn setup(text: Option<&str>) -> Setup {
    let mut setup = Setup::with_project(None);
    let garden = Snapshot::new(Knowledge::Everything).asking_for_verbs();
    let data = text.map(|text| ConfigMapData::of(|_| Some(text.to_owned())).unwrap());
    setup.garden = garden.with_named([config_map(data)]);
    setup.garden.apply(webhook("audit-policies.gardener.cloud"));
    setup
}

fn webhook(name: &str) -> GardenObject {
    let configuration = json!({"metadata": {"name": "any"}, "webhooks": [{"name": name}]});
    let text = configuration.to_string();
    let configuration = GardenObject::read(Kind::ValidatingWebhookConfiguration, text.as_str());
    configuration.unwrap().unwrap()
}

fn config_map(data: Option<ConfigMapData>) -> NamedObject {
    NamedObject { key: ObjectKey::new(Kind::ConfigMap, "garden-p", "c"), data: data.map(Arc::new) }
}

fn judged(setup: &Setup, rule: &str, old: Option<&Value>, new: &Value) -> Review {
    let operation = if old.is_some() { "UPDATE" } else { "CREATE" };
    let rule = rules::find(rule).unwrap();
    setup.review_with(&[rule], &request("shoots", operation, new, old))
}

/// Returns findings as `finding error field`, without the prefix of all findings.
fn named(findings: &[Finding]) -> Vec<String> {
    let named = findings.iter().map(|it| {
        let id = it.finding.strip_prefix("admission-controller/").unwrap();
        format!("{id} {:?} {}", it.error, it.field)
    });
    named.collect()
}

fn of_new(rule: &str, text: &str) -> Vec<String> {
    let review = judged(&setup(Some(text)), rule, None, &shoot(&[]));
    assert!(review.undetermined.is_empty(), "{:?}", review.undetermined);
    named(&review.findings)
}

fn audit_policy(rest: &str) -> String {
    format!("apiVersion: audit.k8s.io/v1\nkind: Policy\n{rest}")
}

#[rstest]
#[case::no_rules("", &[])]
#[case::rules("omitStages: [RequestReceived]\nrules:\n- level: None\n  nonResourceURLs: ['*', /healthz*]\n- level: Metadata\n  resources: [{group: '', resources: [pods], resourceNames: [a]}, {group: '*'}, {group: apps}]", &[])]
#[case::unknown_field("rule: []", &[])]
#[case::stage("omitStages: [Panic, Received]", &["audit-policy-invalid Invalid omitStages[1]"])]
#[case::stage_of_a_rule("rules: [{level: None, omitStages: ['']}]", &["audit-policy-invalid Invalid rules[0].omitStages[0]"])]
#[case::no_level("rules: [{level: None}, {users: [a]}]", &["audit-policy-invalid Required rules[1].level"])]
#[case::level("rules: [{level: none}]", &["audit-policy-invalid NotSupported rules[0].level"])]
#[case::path("rules: [{level: None, nonResourceURLs: [healthz]}]", &["audit-policy-invalid Invalid rules[0].nonResourceURLs[0]"])]
#[case::wildcard("rules: [{level: None, nonResourceURLs: ['/a*/b', '/*/*']}]", &["audit-policy-invalid Invalid rules[0].nonResourceURLs[0]", "audit-policy-invalid Invalid rules[0].nonResourceURLs[1]"])]
#[case::path_and_wildcard("rules: [{level: None, nonResourceURLs: ['a*b']}]", &["audit-policy-invalid Invalid rules[0].nonResourceURLs[0]", "audit-policy-invalid Invalid rules[0].nonResourceURLs[0]"])]
#[case::group("rules: [{level: None, resources: [{group: apps/v1}]}]", &["audit-policy-invalid Invalid rules[0].resources.group"])]
#[case::names("rules: [{level: None, resources: [{resourceNames: [a]}]}]", &["audit-policy-invalid Invalid rules[0].resources.resourceNames"])]
#[case::paths_and_resources("rules: [{level: None, resources: [{}], nonResourceURLs: ['*']}]", &["audit-policy-invalid Invalid rules[0].nonResourceURLs"])]
#[case::paths_and_namespaces("rules: [{level: None, namespaces: [a], nonResourceURLs: ['*']}]", &["audit-policy-invalid Invalid rules[0].nonResourceURLs"])]
#[case::wrong_type("rules: {level: None}", &["undecodable Decode "])]
#[case::wrong_types("omitStages: Panic\nrules: [{level: 1}]", &["undecodable Decode ", "undecodable Decode "])]
#[case::nothing_else("rules:\nomitStages:\nmetadata: {name: a}", &[])]
fn audit_policy_judged(#[case] rest: &str, #[case] expected: &[&str]) {
    assert_eq!(of_new(AUDIT, &audit_policy(rest)), expected);
}

#[rstest]
#[case::no_yaml("a: {", "undecodable Decode ")]
#[case::text("text", "undecodable Decode ")]
#[case::comment("# nothing", "undecodable Decode ")]
#[case::no_kind("apiVersion: audit.k8s.io/v1", "undecodable Decode ")]
#[case::no_version("kind: Policy", "undecodable Decode ")]
#[case::version("apiVersion: audit.k8s.io/v1beta1\nkind: Policy", "undecodable Decode ")]
#[case::group("apiVersion: v1\nkind: Policy", "undecodable Decode ")]
#[case::kind("apiVersion: audit.k8s.io/v1\nkind: EventList", "undecodable Decode ")]
#[case::kind_of_another_type("apiVersion: audit.k8s.io/v1\nkind: [Policy]", "undecodable Decode ")]
#[case::empty(
    "",
    "key-missing Denied spec.kubernetes.kubeAPIServer.auditConfig.auditPolicy.configMapRef.name"
)]
fn undecodable_policy_refused(#[case] text: &str, #[case] expected: &str) {
    assert_eq!(of_new(AUDIT, text), [expected]);
}

#[rstest]
#[case::v1("v1", false)]
#[case::v1beta1("v1beta1", true)]
#[case::v1alpha1("v1alpha1", true)]
fn versions_of_authentication_configurations(#[case] version: &str, #[case] is_known: bool) {
    let text = format!(
        "apiVersion: apiserver.config.k8s.io/{version}\nkind: AuthenticationConfiguration\njwt: []"
    );
    assert_eq!(of_new(AUTHENTICATION, &text).is_empty(), is_known);
}

#[test]
fn position_in_the_config_map_is_named() {
    let text = audit_policy("rules:\n- level: None\n- level: Nothing\n");
    let review = judged(&setup(Some(&text)), AUDIT, None, &shoot(&[]));
    let finding = &review.findings[0];
    assert!(finding.message.contains("at 5:10 of `policy` in ConfigMap"), "{}", finding.message);
    let pointer = "/spec/kubernetes/kubeAPIServer/auditConfig/auditPolicy/configMapRef/name";
    assert_eq!(finding.pointer, pointer);
    assert_eq!(finding.level, Level::Deny);
}

#[rstest]
#[case::older(146, 1)]
#[case::newer(147, 0)]
fn any_group_accepted_since_a_version(#[case] minor: u16, #[case] expected: usize) {
    let mut setup = setup(Some(&audit_policy("rules: [{level: None, resources: [{group: '*'}]}]")));
    setup.config = Config { gardener_version: GardenerVersion::of_minor(minor), ..setup.config };
    let review = judged(&setup, AUDIT, None, &shoot(&[]));
    assert_eq!(review.findings.len(), expected);
}

/// Returns a configuration with one authenticator: a valid one with other values at JSON pointers.
fn authenticator(changes: &[(&str, Value)]) -> String {
    let mut configuration = json!({
        "apiVersion": "apiserver.config.k8s.io/v1beta1",
        "kind": "AuthenticationConfiguration",
        "jwt": [{
            "issuer": {"url": "https://a.io", "audiences": ["dev"]},
            "claimMappings": {"username": {"claim": "sub", "prefix": ""}},
        }],
    });
    for (pointer, value) in changes {
        let (parent, name) = pointer.rsplit_once('/').unwrap();
        configuration.pointer_mut(parent).unwrap()[name] = value.clone();
    }
    configuration.to_string()
}

const PEM: &str = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";

#[rstest]
#[case::valid(&[], &[])]
#[case::none(&[("/jwt", json!([]))], &[])]
#[case::too_many(&[("/jwt", json!(vec![json!({}); 65]))], &["authentication-invalid TooMany jwt"])]
#[case::no_url(&[("/jwt/0/issuer/url", json!(""))], &["authentication-invalid Required jwt[0].issuer.url"])]
#[case::no_https(&[("/jwt/0/issuer/url", json!("http://a.io"))], &["authentication-invalid Invalid jwt[0].issuer.url"])]
#[case::user_query_fragment(&[("/jwt/0/issuer/url", json!("https://u@a.io?q#f"))], &["authentication-invalid Invalid jwt[0].issuer.url"; 3])]
#[case::no_address(&[("/jwt/0/issuer/url", json!("https://a.io:b"))], &["authentication-invalid Invalid jwt[0].issuer.url"])]
#[case::same_discovery(&[("/jwt/0/issuer/discoveryURL", json!("https://a.io/"))], &["authentication-invalid Invalid jwt[0].issuer.discoveryURL"])]
#[case::discovery(&[("/jwt/0/issuer/discoveryURL", json!("a"))], &["authentication-invalid Invalid jwt[0].issuer.discoveryURL"])]
#[case::discovery_without_url(&[("/jwt/0/issuer/url", json!("")), ("/jwt/0/issuer/discoveryURL", json!("https://b.io"))], &["authentication-invalid Required jwt[0].issuer.url"])]
#[case::no_audience(&[("/jwt/0/issuer/audiences", json!([]))], &["authentication-invalid Required jwt[0].issuer.audiences"])]
#[case::empty_audience(&[("/jwt/0/issuer/audiences", json!([""]))], &["authentication-invalid Required jwt[0].issuer.audiences[0]"])]
#[case::same_audience(&[("/jwt/0/issuer/audiences", json!(["a", "a"])), ("/jwt/0/issuer/audienceMatchPolicy", json!("MatchAny"))], &["authentication-invalid Duplicate jwt[0].issuer.audiences[1]"])]
#[case::no_policy(&[("/jwt/0/issuer/audiences", json!(["a", "b"]))], &["authentication-invalid Invalid jwt[0].issuer.audienceMatchPolicy"])]
#[case::policy(&[("/jwt/0/issuer/audienceMatchPolicy", json!("MatchAll"))], &["authentication-invalid Invalid jwt[0].issuer.audienceMatchPolicy"])]
#[case::no_pem(&[("/jwt/0/issuer/certificateAuthority", json!("text"))], &["authentication-invalid Invalid jwt[0].issuer.certificateAuthority"])]
#[case::no_certificate(&[("/jwt/0/issuer/certificateAuthority", json!(PEM))], &["authentication-invalid Invalid jwt[0].issuer.certificateAuthority"])]
#[case::malformed_pem(&[("/jwt/0/issuer/certificateAuthority", json!("-----BEGIN CERTIFICATE-----\n!\n-----END CERTIFICATE-----\n"))], &["authentication-invalid Invalid jwt[0].issuer.certificateAuthority"])]
#[case::selector_of_the_cluster(&[("/jwt/0/issuer/egressSelectorType", json!("cluster"))], &[])]
#[case::selector(&[("/jwt/0/issuer/egressSelectorType", json!("etcd"))], &["authentication-invalid Invalid jwt[0].issuer.egressSelectorType"])]
#[case::claim_and_expression(&[("/jwt/0/claimValidationRules", json!([{"claim": "a", "expression": "true"}]))], &["authentication-invalid Invalid jwt[0].claimValidationRules[0]"])]
#[case::no_claim(&[("/jwt/0/claimValidationRules", json!([{}]))], &["authentication-invalid Required jwt[0].claimValidationRules[0]"])]
#[case::message(&[("/jwt/0/claimValidationRules", json!([{"claim": "a", "message": "m"}]))], &["authentication-invalid Invalid jwt[0].claimValidationRules[0].message"])]
#[case::value(&[("/jwt/0/claimValidationRules", json!([{"expression": "true", "requiredValue": "m"}]))], &["authentication-invalid Invalid jwt[0].claimValidationRules[0].requiredValue"])]
#[case::same_claims(&[("/jwt/0/claimValidationRules", json!([{"claim": "a"}, {"claim": "a"}]))], &["authentication-invalid Duplicate jwt[0].claimValidationRules[1].claim"])]
#[case::same_expressions(&[("/jwt/0/claimValidationRules", json!([{"expression": "true"}, {"expression": "true"}]))], &["authentication-invalid Duplicate jwt[0].claimValidationRules[1].expression"])]
#[case::syntax(&[("/jwt/0/claimValidationRules", json!([{"expression": "claims.a = 1"}]))], &["expression-invalid Invalid jwt[0].claimValidationRules[0].expression"])]
#[case::no_username(&[("/jwt/0/claimMappings", json!({}))], &["authentication-invalid Required jwt[0].claimMappings.username"])]
#[case::username_twice(&[("/jwt/0/claimMappings/username", json!({"claim": "a", "expression": "'a'"}))], &["authentication-invalid Invalid jwt[0].claimMappings.username"])]
#[case::no_prefix(&[("/jwt/0/claimMappings/username", json!({"claim": "a"}))], &["authentication-invalid Required jwt[0].claimMappings.username.prefix"])]
#[case::groups_twice(&[("/jwt/0/claimMappings/groups", json!({"claim": "a", "expression": "'a'"}))], &["authentication-invalid Invalid jwt[0].claimMappings.groups"])]
#[case::groups_without_prefix(&[("/jwt/0/claimMappings/groups", json!({"claim": "a"}))], &["authentication-invalid Required jwt[0].claimMappings.groups.prefix"])]
#[case::prefix_of_an_expression(&[("/jwt/0/claimMappings/groups", json!({"expression": "'a'", "prefix": ""}))], &["authentication-invalid Invalid jwt[0].claimMappings.groups.prefix"])]
#[case::uid_twice(&[("/jwt/0/claimMappings/uid", json!({"claim": "a", "expression": "'a'"}))], &["authentication-invalid Invalid jwt[0].claimMappings.uid"])]
#[case::uid(&[("/jwt/0/claimMappings/uid", json!({"expression": "'a"}))], &["expression-invalid Invalid jwt[0].claimMappings.uid.expression"])]
#[case::extra(&[("/jwt/0/claimMappings/extra", json!([{"key": "a.io/b/c", "valueExpression": "claims.a"}]))], &[])]
#[case::extra_without_key(&[("/jwt/0/claimMappings/extra", json!([{"valueExpression": "claims.a"}]))], &["authentication-invalid Required jwt[0].claimMappings.extra[0].key"])]
#[case::extra_without_domain(&[("/jwt/0/claimMappings/extra", json!([{"key": "a", "valueExpression": "claims.a"}]))], &["authentication-invalid Invalid jwt[0].claimMappings.extra[0].key"])]
#[case::extra_in_upper_case(&[("/jwt/0/claimMappings/extra", json!([{"key": "a.io/B", "valueExpression": "claims.a"}]))], &["authentication-invalid Invalid jwt[0].claimMappings.extra[0].key"])]
#[case::extra_of_kubernetes(&[("/jwt/0/claimMappings/extra", json!([{"key": "a.k8s.io/b", "valueExpression": "claims.a"}]))], &["authentication-invalid Invalid jwt[0].claimMappings.extra[0].key"])]
#[case::extra_without_path(&[("/jwt/0/claimMappings/extra", json!([{"key": "a.io/", "valueExpression": "claims.a"}]))], &["authentication-invalid Invalid jwt[0].claimMappings.extra[0].key"])]
#[case::extra_with_bad_domain(&[("/jwt/0/claimMappings/extra", json!([{"key": "a_b/c", "valueExpression": "claims.a"}]))], &["authentication-invalid Invalid jwt[0].claimMappings.extra[0].key"])]
#[case::extra_with_space(&[("/jwt/0/claimMappings/extra", json!([{"key": "a.io/b c", "valueExpression": "claims.a"}]))], &["authentication-invalid Invalid jwt[0].claimMappings.extra[0].key"])]
#[case::extra_of_the_domain_of_kubernetes(&[("/jwt/0/claimMappings/extra", json!([{"key": "k8s.io/b", "valueExpression": "claims.a"}]))], &["authentication-invalid Invalid jwt[0].claimMappings.extra[0].key"])]
#[case::extra_twice(&[("/jwt/0/claimMappings/extra", json!([{"key": "a.io/b", "valueExpression": "claims.a"}, {"key": "a.io/b"}]))], &["authentication-invalid Duplicate jwt[0].claimMappings.extra[1].key"])]
#[case::extra_without_value(&[("/jwt/0/claimMappings/extra", json!([{"key": "a.io/b"}]))], &["authentication-invalid Required jwt[0].claimMappings.extra[0].valueExpression"])]
#[case::unverified_email(&[("/jwt/0/claimMappings/username", json!({"expression": "claims.email"}))], &["authentication-invalid Invalid jwt[0].claimMappings.username.expression"])]
#[case::verified_by_a_rule(&[("/jwt/0/claimMappings/username", json!({"expression": "claims.email"})), ("/jwt/0/claimValidationRules", json!([{"expression": "claims.?email_verified.orValue(true) == true"}]))], &[])]
#[case::verified_in_the_name(&[("/jwt/0/claimMappings/username", json!({"expression": "claims.email_verified ? claims.email : claims.sub"}))], &[])]
#[case::verified_in_extra(&[("/jwt/0/claimMappings/username", json!({"expression": "claims.email"})), ("/jwt/0/claimMappings/extra", json!([{"key": "a.io/b", "valueExpression": "string(claims.email_verified)"}]))], &[])]
#[case::no_user_expression(&[("/jwt/0/userValidationRules", json!([{}]))], &["authentication-invalid Required jwt[0].userValidationRules[0].expression"])]
#[case::same_user_expressions(&[("/jwt/0/userValidationRules", json!([{"expression": "true"}, {"expression": "true"}]))], &["authentication-invalid Duplicate jwt[0].userValidationRules[1].expression"])]
#[case::user_syntax(&[("/jwt/0/userValidationRules", json!([{"expression": "user."}]))], &["expression-invalid Invalid jwt[0].userValidationRules[0].expression"])]
#[case::conditions(&[("/anonymous", json!({"enabled": false, "conditions": [{"path": "/"}]}))], &["authentication-invalid Invalid anonymous.conditions"])]
#[case::not_anonymous(&[("/anonymous", json!({"enabled": false}))], &[])]
#[case::anonymous(&[("/anonymous", json!({"enabled": true, "conditions": [{"path": "/"}]}))], &[])]
fn authentication_judged(#[case] changes: &[(&str, Value)], #[case] expected: &[&str]) {
    assert_eq!(of_new(AUTHENTICATION, &authenticator(changes)), expected);
}

#[test]
fn issuers_of_two_authenticators_differ() {
    let own: Value = serde_json::from_str(&authenticator(&[])).unwrap();
    let mut own = own["jwt"][0].clone();
    own["issuer"]["discoveryURL"] = json!("https://b.io");
    let text = authenticator(&[("/jwt", json!([own, own]))]);
    let expected = ["url", "discoveryURL"]
        .map(|it| format!("authentication-invalid Duplicate jwt[1].issuer.{it}"));
    assert_eq!(of_new(AUTHENTICATION, &text), expected);
}

const ACCOUNTS: &str = "/spec/kubernetes/kubeAPIServer/serviceAccountConfig";

#[rstest]
#[case::issuer(ACCOUNTS, json!({"issuer": "https://a.io"}), None, 1)]
#[case::accepted(ACCOUNTS, json!({"issuer": "https://b.io", "acceptedIssuers": ["https://a.io"]}), None, 1)]
#[case::other(ACCOUNTS, json!({"issuer": "https://a.io/b"}), None, 0)]
#[case::address("/status", json!({"advertisedAddresses": [{"name": "external", "url": "https://a.io"}]}), Some(146), 1)]
#[case::another_address("/status", json!({"advertisedAddresses": [{"name": "unmanaged", "url": "https://a.io"}]}), Some(146), 0)]
#[case::address_before("/status", json!({"advertisedAddresses": [{"name": "external", "url": "https://a.io"}]}), Some(145), 0)]
fn issuer_of_the_shoot_refused(
    #[case] pointer: &str,
    #[case] value: Value,
    #[case] minor: Option<u16>,
    #[case] expected: usize,
) {
    let mut setup = setup(Some(&authenticator(&[])));
    if let Some(minor) = minor {
        setup.config.gardener_version = GardenerVersion::of_minor(minor);
    }
    let new = shoot(&[(pointer, value)]);
    let mut old = new.clone();
    old["spec"]["kubernetes"]["version"] = json!("1.33.1");
    let review = judged(&setup, AUTHENTICATION, Some(&old), &new);
    assert_eq!(review.findings.len(), expected, "{:?}", review.findings);
}

const ANONYMOUS: &str = "/spec/kubernetes/kubeAPIServer/enableAnonymousAuthentication";

#[test]
fn anonymous_authentication_is_configured_once() {
    let text = authenticator(&[("/anonymous", json!({"enabled": true}))]);
    let setup = setup(Some(&text));
    let old = shoot(&[]);
    let new = shoot(&[(ANONYMOUS, json!(false))]);
    for old in [None, Some(&old)] {
        let found = named(&judged(&setup, AUTHENTICATION, old, &new).findings);
        assert_eq!(found, ["anonymous-twice Denied "]);
    }
    // Only the setting that is added counts.
    let kept = shoot(&[(ANONYMOUS, json!(true))]);
    let found = judged(&setup, AUTHENTICATION, Some(&kept), &new).findings;
    assert!(found.is_empty(), "{found:?}");
}

/// Returns a configuration with one authorizer: a valid one with other values at JSON pointers.
fn authorizer(changes: &[(&str, Value)]) -> String {
    let mut configuration = json!({
        "apiVersion": "apiserver.config.k8s.io/v1beta1",
        "kind": "AuthorizationConfiguration",
        "authorizers": [{
            "type": "Webhook",
            "name": "a",
            "webhook": {
                "timeout": "3s",
                "subjectAccessReviewVersion": "v1",
                "matchConditionSubjectAccessReviewVersion": "v1",
                "failurePolicy": "Deny",
            },
        }],
    });
    for (pointer, value) in changes {
        let (parent, name) = pointer.rsplit_once('/').unwrap();
        configuration.pointer_mut(parent).unwrap()[name] = value.clone();
    }
    configuration.to_string()
}

#[rstest]
#[case::valid(&[], &[])]
#[case::connection(&[("/authorizers/0/webhook/connectionInfo", json!({"type": "InClusterConfig"})), ("/authorizers/0/name", json!(""))], &["authorization-invalid Forbidden authorizers[0].connectionInfo"])]
#[case::file(&[("/authorizers/0/webhook/connectionInfo", json!({"kubeConfigFile": ""}))], &["authorization-invalid Forbidden authorizers[0].connectionInfo"])]
#[case::no_kubeconfig(&[("/authorizers/0/name", json!("b")), ("/authorizers/0/webhook/timeout", json!("0s"))], &["kubeconfig-missing Denied "])]
#[case::none(&[("/authorizers", json!([]))], &["authorization-invalid Required authorizers"])]
#[case::no_type(&[("/authorizers", json!([{"name": "b"}]))], &["authorization-invalid Required authorizers[0].type"])]
#[case::node(&[("/authorizers", json!([{"type": "Node"}]))], &["authorization-invalid NotSupported authorizers[0].type"])]
#[case::no_webhook(&[("/authorizers", json!([{"type": "Webhook", "name": "A"}]))], &["authorization-invalid Invalid authorizers[0].name", "authorization-invalid Required authorizers[0].webhook"])]
#[case::no_name(&[("/authorizers", json!([{"type": "Webhook"}]))], &["authorization-invalid Required authorizers[0].name", "authorization-invalid Required authorizers[0].webhook"])]
#[case::no_timeout(&[("/authorizers/0/webhook/timeout", json!("0s"))], &["authorization-invalid Required authorizers[0].timeout"])]
#[case::timeout(&[("/authorizers/0/webhook/timeout", json!("30.1s"))], &["authorization-invalid Invalid authorizers[0].timeout"])]
#[case::longest_timeout(&[("/authorizers/0/webhook/timeout", json!("30s"))], &[])]
#[case::negative_timeout(&[("/authorizers/0/webhook/timeout", json!("-1s"))], &["authorization-invalid Invalid authorizers[0].timeout"])]
#[case::ttl(&[("/authorizers/0/webhook/authorizedTTL", json!("-1s")), ("/authorizers/0/webhook/unauthorizedTTL", json!("0s"))], &["authorization-invalid Invalid authorizers[0].authorizedTTL"])]
#[case::review_version(&[("/authorizers/0/webhook/subjectAccessReviewVersion", json!("v2"))], &["authorization-invalid NotSupported authorizers[0].subjectAccessReviewVersion"])]
#[case::condition_version(&[("/authorizers/0/webhook/matchConditionSubjectAccessReviewVersion", json!("v1beta1"))], &["authorization-invalid NotSupported authorizers[0].matchConditionSubjectAccessReviewVersion"])]
#[case::no_condition_version(&[("/authorizers/0/webhook/matchConditionSubjectAccessReviewVersion", json!("")), ("/authorizers/0/webhook/matchConditions", json!([{"expression": "true"}]))], &["authorization-invalid Required authorizers[0].matchConditionSubjectAccessReviewVersion"])]
#[case::no_failure_policy(&[("/authorizers/0/webhook/failurePolicy", json!(null))], &["authorization-invalid Required authorizers[0].failurePolicy"])]
#[case::failure_policy(&[("/authorizers/0/webhook/failurePolicy", json!("Fail"))], &["authorization-invalid NotSupported authorizers[0].failurePolicy"])]
#[case::conditions(&[("/authorizers/0/webhook/matchConditions", json!([{"expression": "has(request.resourceAttributes)"}, {"expression": " "}, {"expression": "request.user = 'a'"}, {"expression": "request.user = 'a'"}]))], &["authorization-invalid Required authorizers[0].matchConditions[1].expression", "authorization-invalid Duplicate authorizers[0].matchConditions[3].expression", "expression-invalid Invalid authorizers[0].matchConditions[2].expression"])]
#[case::too_many_conditions(&[("/authorizers/0/webhook/matchConditions", json!(vec![json!({}); 65]))], &["authorization-invalid TooMany authorizers[0].matchConditions"])]
#[case::wrong_duration(&[("/authorizers/0/webhook/timeout", json!("3"))], &["undecodable Decode "])]
fn authorization_judged(#[case] changes: &[(&str, Value)], #[case] expected: &[&str]) {
    assert_eq!(of_new(AUTHORIZATION, &authorizer(changes)), expected);
}

#[test]
fn names_of_authorizers_differ() {
    let own: Value = serde_json::from_str(&authorizer(&[])).unwrap();
    let own = &own["authorizers"][0];
    let text = authorizer(&[("/authorizers", json!([own, own]))]);
    let expected = ["authorization-invalid Duplicate authorizers[1].name"];
    assert_eq!(of_new(AUTHORIZATION, &text), expected);
}

#[test]
fn complex_expression_undetermined() {
    let expression = "x".repeat(5_000);
    let rules = json!([{"expression": expression}]);
    let text = authenticator(&[("/jwt/0/userValidationRules", rules)]);
    let review = judged(&setup(Some(&text)), AUTHENTICATION, None, &shoot(&[]));
    let undetermined = review.undetermined.iter().map(|it| it.field.as_str());
    let expected = ["jwt[0].userValidationRules[0].expression"];
    assert_eq!(undetermined.collect::<Vec<_>>(), expected);
}

/// A change of the Shoot, and whether it makes each configuration be validated.
#[rstest]
#[case::label(("/metadata/labels", json!({"a": "b"})), [false, false, false])]
#[case::purpose(("/spec/purpose", json!("testing")), [false, false, false])]
#[case::version(("/spec/kubernetes/version", json!("1.34.2")), [true, true, true])]
#[case::issuer((ACCOUNTS, json!({"issuer": "https://b.io"})), [false, true, false])]
#[case::authorizers(("/spec/kubernetes/kubeAPIServer/structuredAuthorization/kubeconfigs", json!([{"authorizerName": "b", "secretName": "s"}])), [false, false, true])]
#[case::annotation(("/metadata/annotations/authentication.gardener.cloud~1issuer", json!("managed")), [false, false, false])]
fn configuration_judged_when_it_matters(
    #[case] change: (&str, Value),
    #[case] expected: [bool; 3],
) {
    let setup = setup(Some("a: {"));
    let (old, new) = (shoot(&[]), shoot(&[change]));
    let judged = [AUDIT, AUTHENTICATION, AUTHORIZATION]
        .map(|rule| !judged(&setup, rule, Some(&old), &new).findings.is_empty());
    assert_eq!(judged, expected);
}

#[test]
fn configuration_not_judged_during_deletion() {
    let deleted = ("/metadata/deletionTimestamp", json!("2026-01-01T00:00:00Z"));
    let old = shoot(std::slice::from_ref(&deleted));
    let new = shoot(&[deleted, ("/spec/kubernetes/version", json!("1.34.2"))]);
    let review = judged(&setup(Some("a: {")), AUDIT, Some(&old), &new);
    assert!(review.findings.is_empty());
}

#[rstest]
#[case::of_an_audit_policy(AUDIT, &["configmap-missing Denied spec.kubernetes.kubeAPIServer.auditConfig.auditPolicy.configMapRef.name"])]
// Gardener's API server itself refuses these.
#[case::of_authentication(AUTHENTICATION, &[])]
#[case::of_authorization(AUTHORIZATION, &[])]
fn missing_config_map_refused(#[case] rule: &str, #[case] expected: &[&str]) {
    let mut setup = setup(None);
    let key = ObjectKey::new(Kind::ConfigMap, "garden-p", "c");
    setup.garden = Snapshot::new(Knowledge::Everything).asking_for_verbs();
    setup.garden.answer_config_map(key, Ok(None));
    let review = judged(&setup, rule, None, &shoot(&[]));
    assert_eq!(named(&review.findings), expected);
    // An update with the same reference is not looked up before.
    let old = shoot(&[("/spec/kubernetes/version", json!("1.33.1"))]);
    let review = judged(&setup, rule, Some(&old), &shoot(&[]));
    assert_eq!(review.findings.len(), 1);
}

#[test]
fn unknown_config_map_not_judged() {
    let mut unknown = [setup(None), setup(None), setup(None)];
    unknown[1].garden = Snapshot::new(Knowledge::Everything).asking_for_verbs();
    let data = |text: &str| ConfigMapData::of(|_| Some(text.to_owned()));
    let copies = [config_map(data("a: {")), config_map(data("b: {"))];
    unknown[2].garden = unknown[1].garden.with_named(copies);
    for setup in unknown {
        let review = judged(&setup, AUDIT, None, &shoot(&[]));
        assert!(review.findings.is_empty() && review.undetermined.is_empty());
    }
}

#[rstest]
#[case::its_own(Some("authorization-configuration.gardener.cloud"), Level::Deny)]
#[case::another(Some("other.example.com"), Level::Warn)]
#[case::none(None, Level::Warn)]
fn webhooks_of_the_garden_decide_about_the_level(
    #[case] name: Option<&str>,
    #[case] expected: Level,
) {
    let mut setup = setup(None);
    let garden = Snapshot::new(Knowledge::Everything).asking_for_verbs();
    let data = ConfigMapData::of(|_| Some("a: {".to_owned()));
    setup.garden = garden.with_named([config_map(data)]);
    if let Some(name) = name {
        setup.garden.apply(webhook(name));
    }
    let review = judged(&setup, AUDIT, None, &shoot(&[]));
    assert_eq!(review.findings[0].level, expected);
}

#[test]
fn many_errors_take_little_time() {
    let rules = "- level: Nothing\n".repeat(9_000);
    let found = of_new(AUDIT, &audit_policy(&format!("rules:\n{rules}")));
    // 200 and their number.
    assert_eq!(found.len(), 201);
}

/// A limit on Shoots, the namespace of a Shoot, and whether the Shoot is too large.
#[rstest]
#[case::smaller("core.gardener.cloud", "100", "garden-p", true)]
#[case::larger("core.gardener.cloud", "100k", "garden-p", false)]
#[case::any_group("*", "100", "garden-p", true)]
#[case::another_group("apps", "100", "garden-p", false)]
#[case::namespace_of_gardener("*", "100", "garden", false)]
fn size_of_objects_limited(
    #[case] group: &str,
    #[case] size: &str,
    #[case] namespace: &str,
    #[case] expected: bool,
) {
    let mut setup = setup(None);
    let any = || vec!["*".to_owned()];
    setup.config.resource_limits = vec![ResourceLimit {
        api_groups: vec![group.to_owned()],
        api_versions: any(),
        resources: any(),
        size: Quantity::parse(size).unwrap(),
    }];
    let new = shoot(&[("/metadata/namespace", json!(namespace))]);
    let review = judged(&setup, "admission-controller/resource-size", None, &new);
    assert_eq!(!review.findings.is_empty(), expected, "{:?}", review.findings);
}
