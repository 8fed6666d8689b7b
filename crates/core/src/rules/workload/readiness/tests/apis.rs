// SPDX-License-Identifier: Apache-2.0
use rstest::rstest;
use serde_json::{Value, json};

use super::{UNKNOWN, object, results, results_of, state};
use crate::workload::{ClusterChange, Workload};

const RULE: &str = "workload/api-removed";

fn to(version: &str) -> ClusterChange {
    ClusterChange {
        before: Some(state("1.24.1", json!([]))),
        after: state(version, json!([])),
        ..ClusterChange::default()
    }
}

#[rstest]
#[case::removed(
    "policy/v1beta1",
    "1.25.0",
    "ERROR workload/api-removed: PodDisruptionBudget shop/web"
)]
#[case::served("policy/v1beta1", "1.24.3", "1 passed")]
#[case::current("policy/v1", "1.37.0", "1 passed")]
#[case::custom("example.com/v1beta1", "1.37.0", "1 passed")]
fn manifest(#[case] api_version: &str, #[case] version: &str, #[case] expected: &str) {
    let web = object(api_version, "PodDisruptionBudget", "web", json!({"spec": {}}));
    assert_eq!(results(RULE, &[web], Ok(&to(version))), [expected]);
}

#[rstest]
#[case::old(json!([{"manager": "helm", "apiVersion": "policy/v1beta1"}]), &["WARN workload/api-of-manager-removed: PodDisruptionBudget shop/web"])]
#[case::old_and_new(
    json!([{"manager": "helm", "apiVersion": "policy/v1"}, {"manager": "kubectl", "apiVersion": "policy/v1beta1"}]),
    &["WARN workload/api-of-manager-removed: PodDisruptionBudget shop/web"]
)]
#[case::same_manager_twice(
    json!([{"manager": "a", "apiVersion": "policy/v1beta1"}, {"manager": "a", "apiVersion": "policy/v1beta1"}]),
    &["WARN workload/api-of-manager-removed: PodDisruptionBudget shop/web"]
)]
#[case::new(json!([{"manager": "helm", "apiVersion": "policy/v1"}]), &["1 passed"])]
fn managers(#[case] managed: Value, #[case] expected: &[&str]) {
    let rest = json!({"metadata": {"managedFields": managed}});
    let web = object("policy/v1", "PodDisruptionBudget", "web", rest);
    assert_eq!(results(RULE, &[web], Ok(&to("1.30.0"))), expected);
}

#[test]
fn version_of_a_manager_that_was_not_served_before_passes() {
    let managed = json!([{"manager": "helm", "apiVersion": "policy/v1beta1"}]);
    let rest = json!({"metadata": {"managedFields": managed}});
    let web = object("policy/v1", "PodDisruptionBudget", "web", rest);
    let mut change = to("1.36.1");
    change.before = Some(state("1.35.2", json!([])));
    assert_eq!(results(RULE, &[web], Ok(&change)), ["1 passed"]);
}

#[rstest]
#[case::removed(
    "1.25",
    "ERROR workload/api-requested-removed: API policy/v1beta1 poddisruptionbudgets"
)]
#[case::removed_later("1.38", "1 passed")]
#[case::undecided("", "1 passed")]
#[case::no_version("soon", "unknown: API policy/v1beta1 poddisruptionbudgets")]
fn requested_api(#[case] removed: &str, #[case] expected: &str) {
    let mut workload = Workload::default();
    workload.add_metrics(&format!(
        "apiserver_requested_deprecated_apis{{group=\"policy\",version=\"v1beta1\",resource=\"poddisruptionbudgets\",removed_release=\"{removed}\"}} 1\n"
    ));
    assert_eq!(results_of(RULE, &workload, Ok(&to("1.30.0"))), [expected]);
}

#[test]
fn resource_that_cannot_be_listed_is_unknown() {
    let mut workload = Workload::default();
    workload.add_unlisted("pods", "forbidden");
    let expected = ["unknown: pods of the cluster: forbidden"];
    assert_eq!(results_of("workload/pod-without-controller", &workload, UNKNOWN), expected);
    assert_eq!(results_of("workload/single-replica", &workload, UNKNOWN), expected);
    assert!(results_of("webhook-config/problematic", &workload, UNKNOWN).is_empty());
}

#[rstest]
#[case::cron_jobs("cronjobs", "workload/node-selector-unsatisfied")]
#[case::jobs("jobs", "workload/topology-spread-unsatisfiable")]
#[case::nodes("nodes", "workload/node-selector-unsatisfied")]
#[case::daemon_sets("daemonsets", "workload/disruption-budget-blocks")]
#[case::pods("pods", "workload/disruption-budget-blocks")]
#[case::deployments("deployments", "workload/disruption-budgets-overlap")]
#[case::controllers("statefulsets", "workload/local-storage")]
#[case::volumes_of_pods("pods", "workload/volume-in-removed-zone")]
#[case::managers("nodes", "workload/api-removed")]
fn check_is_unknown_without_a_resource(#[case] resource: &str, #[case] rule: &str) {
    let mut workload = Workload::default();
    workload.add_unlisted(resource, "forbidden");
    let expected = format!("unknown: {resource} of the cluster: forbidden");
    assert_eq!(results_of(rule, &workload, UNKNOWN), [expected]);
}

#[test]
fn response_without_items_is_unknown() {
    let mut workload = Workload::default();
    workload.add_list("pods", "v1", "Pod", r#"{"metadata": {"resourceVersion": "1"}}"#);
    let expected = "unknown: pods of the cluster: the response has no `items`";
    assert_eq!(results_of("workload/pod-without-controller", &workload, UNKNOWN), [expected]);
    let mut workload = Workload::default();
    workload.add_list("pods", "v1", "Pod", r#"{"items": []}"#);
    assert!(results_of("workload/pod-without-controller", &workload, UNKNOWN).is_empty());
}

#[rstest]
#[case::no_change(UNKNOWN)]
#[case::newer_than_known(Ok(&to("1.99.0")))]
#[case::no_version(Ok(&to("")))]
fn version_that_is_not_known(#[case] change: Result<&ClusterChange, &str>) {
    let objects =
        [object("v1", "ConfigMap", "a", json!({})), object("v1", "ConfigMap", "b", json!({}))];
    let results = results(RULE, &objects, change);
    assert!(matches!(&results[..], [one] if one.starts_with("unknown: ")), "{results:?}");
}
