// SPDX-License-Identifier: Apache-2.0
mod apis;
mod budgets;
mod hostile;
mod nodes;
mod pods;
mod spread;
mod volumes;

use rstest::rstest;
use serde_json::{Value, json};

use super::readiness;
use crate::config::{Config, Profile};
use crate::workload::{CheckReport, ClusterChange, ClusterState, Readiness, Severity, Workload};

const UNKNOWN: Result<&ClusterChange, &str> = Err("there is no Shoot");

fn workload(objects: &[Value]) -> Workload {
    let mut workload = Workload::default();
    for object in objects {
        workload.add("test.yaml", &object.to_string());
    }
    workload
}

fn checked(objects: &[Value], change: Result<&ClusterChange, &str>) -> Readiness {
    readiness(&workload(objects), change, &Config::default())
}

/// Returns the report of a rule.
fn report(rule: &str, objects: &[Value], change: Result<&ClusterChange, &str>) -> CheckReport {
    report_of(rule, &workload(objects), change)
}

fn report_of(rule: &str, workload: &Workload, change: Result<&ClusterChange, &str>) -> CheckReport {
    let mut checks = readiness(workload, change, &Config::default()).checks.into_iter();
    checks.find(|it| it.rule.id == rule).unwrap()
}

/// Returns the results of a rule, such as `ERROR workload/api-removed: Pod shop/web`.
fn results(rule: &str, objects: &[Value], change: Result<&ClusterChange, &str>) -> Vec<String> {
    results_of(rule, &workload(objects), change)
}

fn results_of(
    rule: &str,
    workload: &Workload,
    change: Result<&ClusterChange, &str>,
) -> Vec<String> {
    let report = report_of(rule, workload, change);
    let mut lines: Vec<String> = report
        .problems
        .iter()
        .map(|it| {
            let severity = match it.severity {
                Severity::Error => "ERROR",
                Severity::Warning => "WARN",
            };
            format!("{severity} {}: {}", it.finding.id, it.object)
        })
        .collect();
    lines.extend(report.unknown.iter().map(|it| match &it.object {
        Some(object) => format!("unknown: {object}"),
        None => format!("unknown: {}", it.why),
    }));
    if report.passed > 0 {
        lines.push(format!("{} passed", report.passed));
    }
    lines
}

/// Returns an object with a name in the namespace `shop`.
fn object(api_version: &str, kind: &str, name: &str, rest: Value) -> Value {
    let mut object = json!({
        "apiVersion": api_version,
        "kind": kind,
        "metadata": {"name": name, "namespace": "shop"},
    });
    merge(&mut object, rest);
    object
}

fn merge(value: &mut Value, other: Value) {
    match (value, other) {
        (Value::Object(fields), Value::Object(others)) => {
            for (key, other) in others {
                merge(fields.entry(key).or_insert(Value::Null), other);
            }
        }
        (value, other) => *value = other,
    }
}

/// Returns a Deployment with the label `app` in its template.
fn deployment(name: &str, replicas: u32, pod: Value) -> Value {
    let spec = json!({
        "replicas": replicas,
        "template": {"metadata": {"labels": {"app": name}}, "spec": pod},
    });
    object("apps/v1", "Deployment", name, json!({"spec": spec}))
}

/// Returns a pod with the label `app`, and a controller if it has a name.
fn pod(name: &str, controller: Option<(&str, &str)>, rest: Value) -> Value {
    let mut pod = object("v1", "Pod", name, json!({"metadata": {"labels": {"app": name}}}));
    if let Some((kind, name)) = controller {
        let owner = json!([{"kind": kind, "name": name, "controller": true}]);
        merge(&mut pod, json!({"metadata": {"ownerReferences": owner}}));
    }
    merge(&mut pod, rest);
    pod
}

fn budget(name: &str, spec: Value) -> Value {
    object("policy/v1", "PodDisruptionBudget", name, json!({"spec": spec}))
}

fn state(version: &str, pools: Value) -> ClusterState {
    let shoot = json!({"spec": {
        "region": "north",
        "kubernetes": {"version": version},
        "provider": {"workers": pools},
    }});
    ClusterState::of_shoot(&shoot.to_string()).unwrap()
}

/// Returns the change of the pools of a cluster, which drains removed and changed pools.
fn of_pools(before: Value, after: Value) -> ClusterChange {
    let kept = after.as_array().unwrap();
    let changed = before.as_array().unwrap().iter().filter(|it| !kept.contains(it));
    let drained = changed.map(|it| it["name"].as_str().unwrap().to_owned()).collect();
    ClusterChange { before: Some(state("1.34.1", before)), after: state("1.34.1", after), drained }
}

#[test]
fn profile_without_warnings_disables_checks() {
    let config = Config { profile: Profile::Gardener, ..Config::default() };
    let readiness = readiness(&workload(&[pod("web", None, json!({}))]), UNKNOWN, &config);
    assert!(readiness.checks.is_empty());
    assert_eq!(readiness.disabled.len(), super::CHECKS.len());
}

#[test]
fn changes_without_drains_need_no_checks_of_drains() {
    let blocking = json!({"maxUnavailable": 0, "selector": {}});
    let objects = [budget("all", blocking), deployment("web", 1, json!({}))];
    let mut change = of_pools(json!([{"name": "a"}]), json!([{"name": "a"}]));
    let results = |change: &ClusterChange| {
        let readiness = checked(&objects, Ok(change));
        let not_needed: Vec<&str> = readiness.not_needed.iter().map(|it| it.id).collect();
        (readiness.count(Severity::Error), not_needed)
    };
    change.drained = ["a".to_owned()].into();
    assert_eq!(results(&change), (1, vec![]));
    change.drained.clear();
    let not_needed = [
        "workload/disruption-budget-blocks",
        "workload/disruption-budgets-overlap",
        "workload/pod-without-controller",
        "workload/single-replica",
        "workload/local-storage",
    ];
    assert_eq!(results(&change), (0, not_needed.to_vec()));
}

#[test]
fn empty_input_is_undetermined() {
    let readiness = checked(&[], UNKNOWN);
    assert!(readiness.is_undetermined());
    assert!(readiness.checks.iter().all(|it| it.passed == 0 && it.problems.is_empty()));
}

#[test]
fn objects_in_lists_are_read() {
    let bare = json!({"metadata": {"name": "bare", "namespace": "shop"}});
    let of_kind = json!({"apiVersion": "v1", "kind": "PodList", "items": [bare]});
    let mixed =
        json!({"apiVersion": "v1", "kind": "List", "items": [pod("other", None, json!({}))]});
    assert_eq!(
        results("workload/pod-without-controller", &[of_kind, mixed], UNKNOWN),
        [
            "ERROR workload/pod-without-controller: Pod shop/bare",
            "ERROR workload/pod-without-controller: Pod shop/other"
        ]
    );
}

#[test]
fn documents_of_other_sorts_are_ignored() {
    let values = json!({"kind": {"a": 1}, "items": {"b": 2}, "metadata": []});
    assert!(workload(&[values, json!({"kind": "Pod"})]).is_empty());
}

#[test]
fn item_without_kind_is_unread() {
    let list = json!({"apiVersion": "v1", "kind": "List", "items": [{"metadata": {"name": "a"}}]});
    assert!(checked(&[list], UNKNOWN).is_undetermined());
    let mistyped = json!({"apiVersion": "v1", "kind": "PodList", "items": {"a": 1}});
    assert_eq!(checked(&[mistyped], UNKNOWN).unread.len(), 1);
}

#[rstest]
#[case::annotations(json!({"metadata": {"name": "s", "annotations": SECRET}}), "`metadata.annotations`")]
#[case::label(json!({"metadata": {"name": "s", "labels": {"a": [SECRET]}}}), "`metadata.labels.a`")]
#[case::managed_fields(json!({"metadata": {"name": "s", "managedFields": SECRET}}), "`metadata.managedFields`")]
#[case::generation(json!({"metadata": {"name": "s", "generation": SECRET}}), "`metadata.generation`")]
#[case::metadata(json!({"metadata": SECRET}), "`metadata`")]
fn mistyped_field_is_named_without_its_value(#[case] rest: Value, #[case] field: &str) {
    let mut secret = json!({"apiVersion": "v1", "kind": "Secret"});
    merge(&mut secret, rest);
    let workload = workload(&[secret]);
    let readiness = readiness(&workload, UNKNOWN, &Config::default());
    let [unread] = &readiness.unread[..] else { unreachable!("{:?}", readiness.unread) };
    assert!(unread.why.starts_with(field), "{}", unread.why);
    assert!(!unread.why.contains(SECRET) && !unread.why.contains("column"), "{}", unread.why);
}

#[rstest]
#[case::items(json!({"apiVersion": "v1", "kind": "List", "items": SECRET}))]
#[case::replicas(json!({"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "s"}, "spec": {"replicas": SECRET}}))]
#[case::webhooks(json!({"apiVersion": "admissionregistration.k8s.io/v1", "kind": "MutatingWebhookConfiguration", "metadata": {"name": "s"}, "webhooks": SECRET}))]
#[case::list(json!([SECRET]))]
fn values_are_not_repeated(#[case] document: Value) {
    let readiness = checked(&[document], UNKNOWN);
    let [unread] = &readiness.unread[..] else { unreachable!("{:?}", readiness.unread) };
    let why = &unread.why;
    assert!(!why.contains(SECRET) && !why.contains("column") && !why.contains("struct"), "{why}");
}

const SECRET: &str = "hunter2";

#[rstest]
#[case::different(budget("web", json!({"maxUnavailable": 1})), 1)]
#[case::equal(budget("web", json!({"maxUnavailable": 0})), 0)]
#[case::other_name(budget("other", json!({"maxUnavailable": 1})), 0)]
fn different_manifests_of_an_object_are_unread(#[case] second: Value, #[case] unread: usize) {
    let first = budget("web", json!({"maxUnavailable": 0}));
    assert_eq!(checked(&[first, second], UNKNOWN).unread.len(), unread);
}

#[test]
fn pods_with_generated_names_are_all_read() {
    let pod = |app: &str| {
        let metadata = json!({"generateName": "p-", "namespace": "shop", "labels": {"app": app}});
        json!({"apiVersion": "v1", "kind": "Pod", "metadata": metadata})
    };
    let results = results("workload/pod-without-controller", &[pod("a"), pod("b")], UNKNOWN);
    assert_eq!(results.len(), 2, "{results:?}");
}

#[test]
fn mistyped_object_is_unread() {
    let mistyped = object(
        "policy/v1",
        "PodDisruptionBudget",
        "web",
        json!({"spec": {"maxUnavailable": true}}),
    );
    let readiness = checked(&[mistyped], UNKNOWN);
    assert_eq!(readiness.unread.len(), 1);
    assert_eq!(readiness.unread[0].place, "PodDisruptionBudget shop/web");
    assert!(readiness.is_undetermined());
}
