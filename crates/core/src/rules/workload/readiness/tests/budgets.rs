// SPDX-License-Identifier: Apache-2.0
use rstest::rstest;
use serde_json::{Value, json};

use super::{UNKNOWN, budget, deployment, merge, object, of_pools, pod, report, results};

const RULE: &str = "workload/disruption-budget-blocks";
const BLOCKS: &str = "ERROR workload/disruption-budget-blocks: PodDisruptionBudget shop/web";
const EXHAUSTED: &str = "ERROR workload/disruption-budget-exhausted: PodDisruptionBudget shop/web";
const NOT_KNOWN: &str = "unknown: PodDisruptionBudget shop/web";
const PASSES: &str = "1 passed";

fn selecting(limits: Value) -> Value {
    let mut spec = json!({"selector": {"matchLabels": {"app": "web"}}});
    merge(&mut spec, limits);
    budget("web", spec)
}

#[rstest]
#[case::none_unavailable(json!({"maxUnavailable": 0}), BLOCKS)]
#[case::no_percent_unavailable(json!({"maxUnavailable": "0%"}), BLOCKS)]
#[case::all_available(json!({"minAvailable": "100%"}), BLOCKS)]
#[case::one_unavailable(json!({"maxUnavailable": 1}), NOT_KNOWN)]
#[case::some_available(json!({"minAvailable": 1}), NOT_KNOWN)]
#[case::half_available(json!({"minAvailable": "50%"}), NOT_KNOWN)]
#[case::both(json!({"minAvailable": 1, "maxUnavailable": 0}), NOT_KNOWN)]
#[case::neither(json!({}), NOT_KNOWN)]
#[case::negative(json!({"maxUnavailable": -1}), NOT_KNOWN)]
#[case::above_all(json!({"maxUnavailable": "101%"}), NOT_KNOWN)]
#[case::enormous_percentage(json!({"minAvailable": "99999999999999999999%"}), NOT_KNOWN)]
#[case::no_number(json!({"maxUnavailable": "none"}), NOT_KNOWN)]
#[case::without_selector(json!({"maxUnavailable": 0, "selector": null}), PASSES)]
#[case::invalid_selector(json!({"maxUnavailable": 0, "selector": {"matchLabels": {"a b": ""}}}), NOT_KNOWN)]
fn budget_alone(#[case] limits: Value, #[case] expected: &str) {
    assert_eq!(results(RULE, &[selecting(limits)], UNKNOWN), [expected]);
}

#[rstest]
#[case::below_replicas(json!({"minAvailable": 2}), 3, PASSES)]
#[case::all_replicas(json!({"minAvailable": 3}), 3, BLOCKS)]
#[case::above_replicas(json!({"minAvailable": 2_147_483_647}), 3, BLOCKS)]
#[case::nothing_available(json!({"minAvailable": 0}), 3, PASSES)]
#[case::percentage_below(json!({"minAvailable": "66%"}), 3, PASSES)]
#[case::percentage_is_rounded_up(json!({"minAvailable": "67%"}), 3, BLOCKS)]
#[case::half_of_one(json!({"minAvailable": "50%"}), 1, BLOCKS)]
#[case::one_percent_unavailable(json!({"maxUnavailable": "1%"}), 1, PASSES)]
#[case::no_pods(json!({"maxUnavailable": 0}), 0, PASSES)]
fn budget_with_controller(#[case] limits: Value, #[case] replicas: u32, #[case] expected: &str) {
    let objects = [selecting(limits), deployment("web", replicas, json!({}))];
    assert_eq!(results(RULE, &objects, UNKNOWN), [expected]);
}

#[rstest]
#[case::allows(json!({"disruptionsAllowed": 1, "expectedPods": 3}), PASSES)]
#[case::allows_none(json!({"disruptionsAllowed": 0, "expectedPods": 3}), EXHAUSTED)]
#[case::has_no_pods(json!({"disruptionsAllowed": 0, "expectedPods": 0}), PASSES)]
#[case::never_observed(json!({"disruptionsAllowed": 0, "expectedPods": 0, "observedGeneration": null}), NOT_KNOWN)]
#[case::observed_nothing(json!({"disruptionsAllowed": 0, "expectedPods": 0, "observedGeneration": 0}), NOT_KNOWN)]
#[case::has_no_number_of_pods(json!({"disruptionsAllowed": 0}), NOT_KNOWN)]
#[case::cannot_be_counted(
    json!({"disruptionsAllowed": 0, "expectedPods": 0, "conditions": [{"type": "DisruptionAllowed", "status": "False", "reason": "SyncFailed"}]}),
    EXHAUSTED
)]
#[case::is_stale(json!({"disruptionsAllowed": 1, "expectedPods": 3, "observedGeneration": 1}), NOT_KNOWN)]
#[case::is_current(json!({"disruptionsAllowed": 1, "expectedPods": 3, "observedGeneration": 2}), PASSES)]
#[case::negative(json!({"disruptionsAllowed": -1, "expectedPods": 3}), EXHAUSTED)]
#[case::negative_pods(json!({"disruptionsAllowed": 0, "expectedPods": -3}), PASSES)]
fn budget_with_status(#[case] status: Value, #[case] expected: &str) {
    let mut web = selecting(json!({"maxUnavailable": 1}));
    merge(&mut web, json!({"metadata": {"generation": 2}, "status": {"observedGeneration": 2}}));
    merge(&mut web, json!({"status": status}));
    assert_eq!(results(RULE, &[web], UNKNOWN), [expected]);
}

/// The disruption controller expects no pods of controllers that it does not know, and allows no disruption.
#[rstest]
#[case::nothing_is_selected(deployment("other", 2, json!({})), PASSES)]
#[case::pod(pod("web", None, json!({})), EXHAUSTED)]
#[case::template(deployment("web", 2, json!({})), EXHAUSTED)]
fn budget_that_expects_no_pods(#[case] selected: Value, #[case] expected: &str) {
    let mut web = selecting(json!({"maxUnavailable": 1}));
    let status = json!({"disruptionsAllowed": 0, "expectedPods": 0, "observedGeneration": 1});
    merge(&mut web, json!({"status": status}));
    assert_eq!(results(RULE, &[web, selected], UNKNOWN), [expected]);
}

#[rstest]
#[case::bare(pod("web", None, json!({})))]
#[case::of_a_job(pod("web", Some(("Job", "web")), json!({})))]
#[case::of_a_custom_resource(pod("web", Some(("Database", "web")), json!({})))]
fn pods_without_a_scale_subresource_are_not_known(#[case] pod: Value) {
    let of = |limits| results(RULE, &[selecting(limits), pod.clone()], UNKNOWN);
    assert_eq!(of(json!({"maxUnavailable": 1})), [NOT_KNOWN]);
    assert_eq!(of(json!({"maxUnavailable": "50%"})), [NOT_KNOWN]);
    assert_eq!(of(json!({"minAvailable": 0})), [PASSES]);
}

#[rstest]
#[case::unready(0, PASSES)]
#[case::some_are_ready(1, EXHAUSTED)]
fn unhealthy_pods_may_be_evicted(#[case] healthy: i64, #[case] expected: &str) {
    let mut web =
        selecting(json!({"maxUnavailable": 1, "unhealthyPodEvictionPolicy": "AlwaysAllow"}));
    let status = json!({
        "disruptionsAllowed": 0, "expectedPods": 3, "currentHealthy": healthy, "desiredHealthy": 2,
        "observedGeneration": 1,
    });
    merge(&mut web, json!({"status": status}));
    let report = report(RULE, &[web.clone()], UNKNOWN);
    assert!(report.problems.iter().all(|it| !it.fix.contains("AlwaysAllow")));
    assert_eq!(results(RULE, &[web], UNKNOWN), [expected]);
}

#[test]
fn number_of_pods_without_replicas_is_not_known() {
    let mut web = deployment("web", 1, json!({}));
    web["spec"]["replicas"] = json!(null);
    let objects = [selecting(json!({"minAvailable": 1})), web.clone()];
    assert_eq!(results(RULE, &objects, UNKNOWN), [NOT_KNOWN]);
    let target = json!({"scaleTargetRef": {"kind": "Deployment", "name": "web"}, "minReplicas": 2});
    let scaler =
        object("autoscaling/v2", "HorizontalPodAutoscaler", "web", json!({"spec": target}));
    web["spec"]["replicas"] = json!(1);
    let objects = [selecting(json!({"minAvailable": 1})), web, scaler];
    assert_eq!(results(RULE, &objects, UNKNOWN), [NOT_KNOWN]);
    assert_eq!(results("workload/single-replica", &objects, UNKNOWN), ["1 passed"]);
}

#[test]
fn pods_of_daemon_sets_are_not_evicted() {
    let mut agent = deployment("web", 1, json!({}));
    agent["kind"] = json!("DaemonSet");
    let objects = [selecting(json!({"maxUnavailable": 0})), agent];
    assert_eq!(results(RULE, &objects, UNKNOWN), [PASSES]);
}

#[test]
fn pods_count_instead_of_replicas() {
    let objects = [
        selecting(json!({"minAvailable": 2})),
        deployment("web", 9, json!({})),
        pod("web", Some(("Deployment", "web")), json!({})),
        pod("web-2", Some(("Deployment", "web")), json!({"metadata": {"labels": {"app": "web"}}})),
    ];
    assert_eq!(results(RULE, &objects, UNKNOWN), [BLOCKS]);
}

#[test]
fn pods_of_a_missing_replica_set_are_those_of_its_deployment() {
    let mut objects = vec![selecting(json!({"minAvailable": 3})), deployment("web", 3, json!({}))];
    objects.extend(["a", "b", "c"].map(|name| {
        let labels = json!({"metadata": {"labels": {"app": "web"}}});
        pod(name, Some(("ReplicaSet", "web-5d8f")), labels)
    }));
    assert_eq!(results(RULE, &objects, UNKNOWN), [BLOCKS]);
}

#[test]
fn other_namespace_is_not_selected() {
    let mut other = deployment("web", 3, json!({}));
    other["metadata"]["namespace"] = json!("other");
    let objects = [selecting(json!({"minAvailable": 1})), other];
    assert_eq!(results(RULE, &objects, UNKNOWN), [NOT_KNOWN]);
}

#[rstest]
#[case::default(json!({}), "`machineDrainTimeout` of 2 h,")]
#[case::own(json!({"machineDrainTimeout": "30m"}), "`machineDrainTimeout` of 30 min,")]
#[case::negative(json!({"machineDrainTimeout": "-30m"}), "`machineDrainTimeout`,")]
fn message_has_the_drain_timeout(#[case] settings: Value, #[case] expected: &str) {
    let slow = json!({"name": "b", "machineControllerManager": {"machineDrainTimeout": "5h"}});
    let pool = json!({"name": "a", "machineControllerManager": settings});
    // Only the drained pool counts.
    let change = of_pools(json!([slow, pool]), json!([slow]));
    let blocked = report(RULE, &[selecting(json!({"maxUnavailable": 0}))], Ok(&change));
    let message = &blocked.problems[0].message;
    assert!(message.contains(expected), "{message}");
}

const OVERLAP: &str = "workload/disruption-budgets-overlap";

#[rstest]
#[case::different(json!({"matchLabels": {"app": "other"}}), &["1 passed"])]
#[case::equal(json!({"matchLabels": {"app": "web"}}), &["ERROR workload/disruption-budgets-overlap: Deployment shop/web"])]
#[case::everything(json!({}), &["ERROR workload/disruption-budgets-overlap: Deployment shop/web"])]
#[case::nothing(json!(null), &["1 passed"])]
#[case::expression(
    json!({"matchExpressions": [{"key": "app", "operator": "In", "values": ["web"]}]}),
    &["ERROR workload/disruption-budgets-overlap: Deployment shop/web"]
)]
fn budgets_that_select_the_same_pod(#[case] selector: Value, #[case] expected: &[&str]) {
    let objects = [
        selecting(json!({"maxUnavailable": 1})),
        budget("other", json!({"maxUnavailable": 1, "selector": selector})),
        deployment("web", 2, json!({})),
    ];
    assert_eq!(results(OVERLAP, &objects, UNKNOWN), expected);
}

#[test]
fn budgets_without_pods_are_unknown() {
    let objects = [
        selecting(json!({"maxUnavailable": 1})),
        budget("other", json!({"maxUnavailable": 1, "selector": {}})),
    ];
    let results = results(OVERLAP, &objects, UNKNOWN);
    assert!(matches!(&results[..], [one] if one.starts_with("unknown: ")), "{results:?}");
}

#[test]
fn one_budget_cannot_overlap() {
    let objects = [selecting(json!({})), object("v1", "Pod", "bare", json!({}))];
    assert!(results(OVERLAP, &objects, UNKNOWN).is_empty());
}
