//! Webhooks that get in the way of Gardener's own requests.

use garden_gate::model::Webhook;
use garden_gate::webhooks::{
    ConfigurationKind, Obstacle, Reading, defaulted, obstacle, problem, remediate,
};
use rstest::rstest;
use serde_json::{Value, json};

fn rule(group: &str, resource: &str) -> Value {
    json!({"operations": ["*"], "apiGroups": [group], "apiVersions": ["*"], "resources": [resource]})
}

/// A webhook about one resource; `more` is put over it.
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

/// A selector that leaves out a value of a label.
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
    let own = configuration(
        &json!({"labels": {"app": "gardener-resource-manager"}}),
        &about_pods(),
    );
    assert_eq!(found(&own), None);
    assert!(remediate(&own, Reading::Literal).is_some());
}

#[test]
fn a_note_of_gardener_is_an_obstacle() {
    let clean = json!({"name": "w", "failurePolicy": "Fail", "timeoutSeconds": 5});
    let noted = configuration(
        &json!({"annotations": {"gardener.cloud/warning": "x"}}),
        &clean,
    );
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
    assert!(
        services
            .way_out()
            .contains("values: [kube-system, default]")
    );
    let nodes = problem(&webhook("", "nodes", &json!({}))).unwrap();
    assert!(nodes.way_out().contains("no selector spares it"));
}
