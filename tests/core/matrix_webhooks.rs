// SPDX-License-Identifier: Apache-2.0
//! Webhooks that interfere with Gardener's own requests.

use crate::judging::{Setup, request};

use garden_gate_core::config::Profile;
use garden_gate_model::api::Webhook;
use garden_gate_model::gardener::webhooks::{
    ConfigurationKind, Obstacle, Reading, defaulted, obstacle, problem, remediate, stopped_by,
};
use rstest::rstest;
use serde_json::{Value, json};

fn rule(group: &str, resource: &str) -> Value {
    json!({"operations": ["*"], "apiGroups": [group], "apiVersions": ["*"], "resources": [resource]})
}

/// Returns a webhook for one resource; `more` overrides its fields.
fn webhook(group: &str, resource: &str, more: &Value) -> Webhook {
    let mut webhook = json!({"name": "w", "failurePolicy": "Fail", "timeoutSeconds": 5, "rules": [rule(group, resource)]});
    for (field, value) in more.as_object().unwrap() {
        match field.as_str() {
            "scope" | "operations" => webhook["rules"][0][field] = value.clone(),
            _ => webhook[field] = value.clone(),
        }
    }
    serde_json::from_value(webhook).unwrap()
}

/// Returns a selector that excludes a value of a label.
fn without(key: &str, value: &str) -> Value {
    json!({"matchExpressions": [{"key": key, "operator": "NotIn", "values": [value]}]})
}

const NAME: &str = "kubernetes.io/metadata.name";

fn outside_kube_system() -> Value {
    without(NAME, "kube-system")
}

#[rstest]
#[case("", "pods", json!({}), true)]
#[case::short("", "pods", json!({"failurePolicy": "Ignore", "timeoutSeconds": 15}), false)]
#[case::long("", "pods", json!({"failurePolicy": "Ignore", "timeoutSeconds": 16}), true)]
#[case::absent("", "pods", json!({"failurePolicy": "Ignore", "timeoutSeconds": null}), true)]
#[case("", "pods", json!({"operations": ["DELETE"]}), false)]
#[case("", "pods", json!({"namespaceSelector": outside_kube_system()}), false)]
#[case::team("", "pods", json!({"namespaceSelector": {"matchLabels": {"team": "a"}}}), false)]
#[case::app("", "pods", json!({"objectSelector": {"matchLabels": {"app": "x"}}}), false)]
#[case::origin("", "pods", json!({"objectSelector": {"matchLabels": {"origin": "gardener"}}}), true)]
#[case("", "services", json!({"namespaceSelector": without("gardener.cloud/purpose", "kube-system")}), true)]
#[case("", "nodes", json!({"namespaceSelector": {"matchLabels": {"a": "b"}}, "objectSelector": {"matchLabels": {"a": "b"}}}), true)]
#[case("", "namespaces", json!({"objectSelector": {"matchLabels": {"foo": "bar"}}}), false)]
#[case::namespaced("", "namespaces", json!({"scope": "Namespaced"}), false)]
#[case::cluster("", "namespaces", json!({"scope": "Cluster"}), true)]
#[case::quick("coordination.k8s.io", "leases", json!({"failurePolicy": "Ignore", "timeoutSeconds": 3}), false)]
#[case::slow("coordination.k8s.io", "leases", json!({"failurePolicy": "Ignore", "timeoutSeconds": 4}), true)]
#[case::object("coordination.k8s.io", "leases", json!({"failurePolicy": "Ignore", "timeoutSeconds": 10, "objectSelector": {"matchLabels": {"app": "x"}}}), false)]
#[case::namespace("coordination.k8s.io", "leases", json!({"failurePolicy": "Ignore", "timeoutSeconds": 10, "namespaceSelector": outside_kube_system()}), false)]
#[case("coordination.k8s.io", "leases", json!({"timeoutSeconds": 1, "namespaceSelector": outside_kube_system()}), true)]
#[case("", "*", json!({"scope": "Namespaced", "namespaceSelector": {"matchExpressions": [{"key": NAME, "operator": "NotIn", "values": ["kube-system", "default"]}]}}), false)]
#[case::status("", "pods/status", json!({}), true)]
#[case::all_of_pods("", "pods/*", json!({}), true)]
#[case::all_status("", "*/status", json!({}), true)]
#[case::everything("", "*/*", json!({}), true)]
#[case::exec("", "pods/exec", json!({}), false)]
#[case::stateful_sets("apps", "statefulsets", json!({}), false)]
#[case::slices("discovery.k8s.io", "endpointslices", json!({}), false)]
#[case::foreign("foo", "bars", json!({}), false)]
#[case("foo", "bars", json!({"objectSelector": {"matchExpressions": [{"key": "a", "operator": "In"}]}}), true)]
fn webhooks(
    #[case] group: &str,
    #[case] resource: &str,
    #[case] more: Value,
    #[case] problematic: bool,
) {
    let found = problem(&webhook(group, resource, &more));
    assert_eq!(found.is_some(), problematic, "{found:?}");
}

#[test]
fn a_cluster_fills_in_a_short_timeout() {
    let more = json!({"failurePolicy": "Ignore", "timeoutSeconds": null});
    assert_eq!(problem(&defaulted(&webhook("", "pods", &more))), None);
}

fn configuration(metadata: &Value, webhook: &Value) -> Value {
    let mut metadata = metadata.clone();
    metadata["name"] = json!("c");
    json!({"metadata": metadata, "webhooks": [webhook]})
}

fn about_pods() -> Value {
    json!({"name": "w", "failurePolicy": "Fail", "timeoutSeconds": 5, "rules": [rule("", "pods")]})
}

fn found(configuration: &Value) -> Option<Obstacle> {
    let configuration = serde_json::from_value(configuration.clone()).unwrap();
    obstacle(&[(ConfigurationKind::Validating, configuration)])
}

#[test]
fn the_label_excludes_from_remediation_only() {
    let labels = json!({"labels": {"remediation.webhook.shoot.gardener.cloud/exclude": "true"}});
    let excluded = configuration(&labels, &about_pods());
    assert!(matches!(found(&excluded), Some(Obstacle::Webhook { .. })));
    assert_eq!(remediate(&excluded, Reading::Literal), None);
}

#[test]
fn the_resource_manager_is_remediated_all_the_same() {
    let own =
        configuration(&json!({"labels": {"app": "gardener-resource-manager"}}), &about_pods());
    assert_eq!(found(&own), None);
    assert!(remediate(&own, Reading::Literal).is_some());
}

#[test]
fn a_note_of_gardener_is_an_obstacle() {
    let clean = json!({"name": "w", "failurePolicy": "Fail", "timeoutSeconds": 5});
    let noted = configuration(&json!({"annotations": {"gardener.cloud/warning": "x"}}), &clean);
    assert!(matches!(found(&noted), Some(Obstacle::Remediated { .. })));
}

#[test]
fn slow_leases_need_two_runs() {
    let slow = json!({"name": "w", "failurePolicy": "Ignore", "timeoutSeconds": 30, "rules": [rule("coordination.k8s.io", "leases")]});
    let first = remediate(&configuration(&json!({}), &slow), Reading::Literal).unwrap();
    assert_eq!(first.manifest["webhooks"][0]["timeoutSeconds"], 15);
    let second = remediate(&first.manifest, Reading::Literal).unwrap();
    assert_eq!(second.manifest["webhooks"][0]["timeoutSeconds"], 3);
    assert_eq!(remediate(&second.manifest, Reading::Literal), None);
}

#[test]
fn what_the_lint_says_clears_the_webhook() {
    let pods = problem(&webhook("", "pods", &json!({}))).unwrap();
    assert!(pods.way_out().contains("values: [kube-system]"));
    let services = problem(&webhook("", "services", &json!({}))).unwrap();
    assert!(services.way_out().contains("values: [kube-system, default]"));
    let nodes = problem(&webhook("", "nodes", &json!({}))).unwrap();
    assert!(nodes.way_out().contains("no selector spares it"));
}

#[rstest]
#[case::pods(json!([("DELETE", "", "pods")]), &["DELETE of `pods`"])]
#[case::by_any_operation(json!([("*", "", "pods")]), &["DELETE of `pods`"])]
#[case::in_any_group(json!([("DELETE", "*", "pods")]), &["DELETE of `pods`"])]
#[case::everything(json!([("DELETE", "*", "*")]), &["DELETE of `nodes`", "DELETE of `pods`", "DELETE of `volumeattachments.storage.k8s.io`"])]
#[case::with_subresources(json!([("DELETE", "", "pods/*")]), &["DELETE of `pods`"])]
#[case::the_status(json!([("UPDATE", "", "pods/status")]), &["UPDATE of `pods/status`"])]
#[case::the_eviction(json!([("*", "", "pods/eviction")]), &[])]
#[case::nodes(json!([("DELETE", "", "nodes")]), &["DELETE of `nodes`"])]
#[case::endpoints(json!([("UPDATE", "", "endpoints")]), &["UPDATE of `endpoints`"])]
#[case::endpoints_that_go(json!([("DELETE", "", "endpoints")]), &[])]
#[case::attachments(json!([("DELETE", "storage.k8s.io", "volumeattachments")]), &["DELETE of `volumeattachments.storage.k8s.io`"])]
#[case::in_two_rules(json!([("UPDATE", "", "endpoints"), ("DELETE", "", "pods")]), &["DELETE of `pods`", "UPDATE of `endpoints`"])]
#[case::pods_that_come(json!([("CREATE", "", "pods"), ("UPDATE", "", "pods")]), &[])]
#[case::claims(json!([("DELETE", "", "persistentvolumeclaims")]), &[])]
#[case::in_another_group(json!([("DELETE", "apps", "pods")]), &[])]
#[case::nothing(json!([]), &[])]
fn requests_that_a_hibernation_waits_for(#[case] rules: Value, #[case] stopped: &[&str]) {
    let webhook = asked_about(&rules, &json!({}));
    let found: Vec<String> = stopped_by(&webhook).map(|it| it.to_string()).collect();
    assert_eq!(found, stopped);
}

fn asked_about(rules: &Value, more: &Value) -> Webhook {
    let rule = |rule: &Value| json!({"operations": [rule[0]], "apiGroups": [rule[1]], "apiVersions": ["v1"], "resources": [rule[2]]});
    let rules: Vec<Value> = rules.as_array().unwrap().iter().map(rule).collect();
    let service = json!({"service": {"namespace": "policy", "name": "guard"}});
    let mut webhook =
        json!({"name": "w", "failurePolicy": "Fail", "clientConfig": service, "rules": rules});
    for (field, value) in more.as_object().unwrap() {
        match field.as_str() {
            "scope" | "apiVersions" => webhook["rules"][0][field] = value.clone(),
            _ => webhook[field] = value.clone(),
        }
    }
    serde_json::from_value(webhook).unwrap()
}

#[rstest]
#[case::fails_closed_by_default(json!({"failurePolicy": null}), true)]
#[case::fails_open(json!({"failurePolicy": "Ignore"}), false)]
#[case::outside_of_the_cluster(json!({"clientConfig": {"url": "https://guard.example.com"}}), false)]
#[case::nowhere(json!({"clientConfig": null}), true)]
#[case::without_kube_system(json!({"namespaceSelector": outside_kube_system()}), true)]
#[case::about_some_pods(json!({"objectSelector": {"matchLabels": {"app": "x"}}}), true)]
#[case::namespaced(json!({"scope": "Namespaced"}), true)]
#[case::cluster_scoped(json!({"scope": "Cluster"}), false)]
#[case::in_another_version(json!({"apiVersions": ["v2"]}), false)]
fn a_hibernation_hangs(#[case] more: Value, #[case] hangs: bool) {
    let webhook = asked_about(&json!([("DELETE", "", "pods")]), &more);
    assert_eq!(stopped_by(&webhook).count() == 1, hangs);
}

/// Returns the warnings of a review, as `<field>: <message>`.
fn warned(configuration: &Value) -> Vec<String> {
    let mut setup = Setup::with_project(None);
    setup.config.profile = Profile::Documented;
    let resource = "validatingwebhookconfigurations";
    let mut request = request(resource, "CREATE", configuration, None);
    request["resource"]["group"] = json!("admissionregistration.k8s.io");
    request["resource"]["version"] = json!("v1");
    let findings = setup.review(&request).findings.into_iter();
    let ours = findings.filter(|it| it.finding == "webhook-config/hibernation-hangs");
    ours.map(|it| format!("{}: {}", it.field, it.message)).collect()
}

#[test]
fn a_webhook_on_delete_of_pods_is_warned_about() {
    let guard = json!({"name": "guard", "clientConfig": {"service": {"name": "guard", "namespace": "policy"}}, "namespaceSelector": outside_kube_system(), "rules": [
        {"operations": ["DELETE"], "apiGroups": [""], "apiVersions": ["v1"], "resources": ["pods"]},
    ]});
    let expected = "webhooks[0]: once hibernation has removed the pods behind webhook `guard` (failurePolicy `Fail`), the API server refuses DELETE of `pods`, and the hibernation can hang";
    assert_eq!(warned(&configuration(&json!({}), &guard)), [expected]);
    let managed = json!({"labels": {"resources.gardener.cloud/managed-by": "gardener"}});
    assert_eq!(warned(&configuration(&managed, &guard)), [""; 0]);
}
