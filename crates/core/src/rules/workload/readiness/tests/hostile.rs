// SPDX-License-Identifier: Apache-2.0
//! Inputs that are large, cyclic or malformed. All of them are evaluated within limits.

use std::collections::BTreeMap;

use rstest::rstest;
use serde_json::{Value, json};

use super::{UNKNOWN, budget, checked, deployment, merge, object, pod, results};

#[test]
fn many_pods_and_budgets_are_compared_by_label() {
    let budgets = (0..2_000).map(|index| {
        let selector = json!({"matchLabels": {"app": format!("app-{index}")}});
        budget(&format!("b{index}"), json!({"maxUnavailable": 1, "selector": selector}))
    });
    let pods = (0..20_000).map(|index| {
        let labels = json!({"metadata": {"labels": {"app": format!("app-{}", index % 2_000)}}});
        pod(&format!("p{index}"), Some(("ReplicaSet", &format!("r{}", index % 2_000))), labels)
    });
    let objects: Vec<Value> = budgets.chain(pods).collect();
    let readiness = checked(&objects, UNKNOWN);
    let passed: BTreeMap<&str, usize> =
        readiness.checks.iter().map(|it| (it.rule.id, it.passed)).collect();
    assert_eq!(passed["workload/disruption-budget-blocks"], 2_000);
    assert_eq!(passed["workload/disruption-budgets-overlap"], 2_000);
}

#[rstest]
#[case::everything(json!({}))]
#[case::same_label(json!({"matchLabels": {"all": "yes"}}))]
#[case::expressions(json!({"matchExpressions": [{"key": "none", "operator": "DoesNotExist"}]}))]
fn budgets_beyond_the_limit_are_unknown(#[case] selector: Value) {
    let budgets = (0..2_000).map(|index| {
        budget(&format!("b{index}"), json!({"minAvailable": 1, "selector": selector}))
    });
    let pods = (0..20_000).map(|index| {
        let labels = json!({"metadata": {"labels": {"all": "yes"}}});
        pod(&format!("p{index}"), Some(("ReplicaSet", &format!("r{index}"))), labels)
    });
    let objects: Vec<Value> = budgets.chain(pods).collect();
    let blocks = results("workload/disruption-budget-blocks", &objects, UNKNOWN);
    assert_eq!(blocks.len(), 2_000);
    assert!(blocks.iter().all(|it| it.starts_with("unknown: ")));
    let overlap = results("workload/disruption-budgets-overlap", &objects, UNKNOWN);
    assert!(
        overlap.last().is_some_and(|it| it.contains("too many labels")),
        "{:?}",
        overlap.last()
    );
}

#[test]
fn selector_with_many_labels_is_compared() {
    let labels: BTreeMap<String, String> =
        (0..10_000).map(|index| (format!("l{index}"), "x".to_owned())).collect();
    let mut web = deployment("web", 2, json!({}));
    web["spec"]["template"]["metadata"]["labels"] = json!(labels);
    let selecting = budget("web", json!({"minAvailable": 2, "selector": {"matchLabels": labels}}));
    assert_eq!(
        results("workload/disruption-budget-blocks", &[web, selecting], UNKNOWN),
        ["ERROR workload/disruption-budget-blocks: PodDisruptionBudget shop/web"]
    );
}

#[test]
fn cyclic_owners_end() {
    let replica_set = |name: &str, owner: &str| {
        let owner = json!([{"kind": "ReplicaSet", "name": owner, "controller": true}]);
        let mut set = deployment(name, 1, json!({}));
        merge(&mut set, json!({"kind": "ReplicaSet", "metadata": {"ownerReferences": owner}}));
        set
    };
    let objects = [
        replica_set("a", "b"),
        replica_set("b", "a"),
        replica_set("self", "self"),
        pod("p", Some(("ReplicaSet", "a")), json!({})),
    ];
    assert_eq!(results("workload/pod-without-controller", &objects, UNKNOWN), ["1 passed"]);
    assert_eq!(results("workload/single-replica", &objects, UNKNOWN).len(), 3);
}

#[rstest]
#[case::number(json!({"spec": {"replicas": 1e300}}))]
#[case::text(json!({"spec": {"replicas": "2"}}))]
#[case::list(json!({"spec": []}))]
#[case::labels(json!({"metadata": {"labels": {"a": 1}}}))]
fn mistyped_fields_are_unread(#[case] rest: Value) {
    let readiness = checked(&[object("apps/v1", "Deployment", "web", rest)], UNKNOWN);
    assert_eq!(readiness.unread.len(), 1, "{:?}", readiness.unread);
}

#[test]
fn null_fields_are_absent() {
    let fields = json!({"metadata": {"labels": null, "ownerReferences": null}, "spec": {"volumes": null, "affinity": null, "nodeSelector": null}, "status": null});
    let readiness = checked(&[pod("web", None, fields)], UNKNOWN);
    assert!(readiness.unread.is_empty(), "{:?}", readiness.unread);
}

#[test]
fn deep_lists_are_unread() {
    let list = |items: Value| json!({"apiVersion": "v1", "kind": "List", "items": [items]});
    let deep = (0..6).fold(pod("web", None, json!({})), |inner, _| list(inner));
    let readiness = checked(&[deep], UNKNOWN);
    assert_eq!(readiness.unread.len(), 1);
}
