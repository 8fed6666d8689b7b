// SPDX-License-Identifier: Apache-2.0
use rstest::rstest;
use serde_json::{Value, json};

use super::nodes::{NOT_KNOWN, pool, without_gpu};
use super::{deployment, object, of_pools, results};

const SPREAD: &str = "workload/topology-spread-unsatisfiable";
const AFTER: &str = "ERROR workload/topology-spread-unsatisfiable: Deployment shop/web";
const DURING: &str = "WARN workload/topology-spread-waits: Deployment shop/web";

#[rstest]
#[case::enough(json!({"minDomains": 1}), 1, "1 passed")]
#[case::too_few(json!({"minDomains": 2}), 2, AFTER)]
#[case::one_pod_fits(json!({"minDomains": 2}), 1, "1 passed")]
#[case::skew_fits(json!({"minDomains": 2, "maxSkew": 5}), 5, "1 passed")]
#[case::zone_is_drained(json!({}), 2, DURING)]
#[case::drained_zone_does_not_count(json!({"nodeTaintsPolicy": "Honor"}), 2, "1 passed")]
#[case::other_key(json!({"topologyKey": "kubernetes.io/hostname"}), 2, "1 passed")]
#[case::other_key_with_minimum(json!({"topologyKey": "kubernetes.io/hostname", "minDomains": 3}), 2, NOT_KNOWN)]
#[case::counts_no_pods(json!({"minDomains": 2, "labelSelector": null}), 2, "1 passed")]
#[case::counts_other_pods(json!({"minDomains": 2, "labelSelector": {"matchLabels": {"app": "db"}}}), 2, NOT_KNOWN)]
#[case::enormous(json!({"minDomains": 9_223_372_036_854_775_807_i64}), 4_294_967_295, AFTER)]
#[case::negative(json!({"minDomains": -1, "maxSkew": -1, "nodeTaintsPolicy": "Honor"}), 2, "1 passed")]
fn spread(#[case] fields: Value, #[case] replicas: u32, #[case] expected: &str) {
    let mut constraint = json!({
        "topologyKey": "topology.kubernetes.io/zone",
        "whenUnsatisfiable": "DoNotSchedule",
        "labelSelector": {"matchLabels": {"app": "web"}},
        "maxSkew": 1,
    });
    super::merge(&mut constraint, fields);
    let web = deployment("web", replicas, json!({"topologySpreadConstraints": [constraint]}));
    assert_eq!(results(SPREAD, &[web], Ok(&without_gpu())), [expected]);
}

/// Returns the results for a Deployment that uses pool `web` only, which keeps its zone.
fn spread_in_pool(policy: &str) -> Vec<String> {
    let constraint = json!({
        "topologyKey": "topology.kubernetes.io/zone", "maxSkew": 1, "labelSelector": {},
        "nodeAffinityPolicy": policy, "minDomains": 2,
    });
    let web = deployment(
        "web",
        2,
        json!({
            "nodeSelector": {"worker.gardener.cloud/pool": "web"},
            "topologySpreadConstraints": [constraint, constraint],
        }),
    );
    results(SPREAD, &[web], Ok(&without_gpu()))
}

#[test]
fn only_nodes_that_the_pod_may_use_are_domains() {
    // It had one zone before, too, and both constraints are one result.
    assert_eq!(
        spread_in_pool("Honor"),
        ["WARN workload/topology-spread-unsatisfiable: Deployment shop/web"]
    );
    assert_eq!(spread_in_pool("Ignore"), [AFTER]);
}

#[test]
fn preferred_spread_is_left_out() {
    let constraint =
        json!({"topologyKey": "x", "whenUnsatisfiable": "ScheduleAnyway", "minDomains": 9});
    let web = deployment("web", 3, json!({"topologySpreadConstraints": [constraint]}));
    assert!(results(SPREAD, &[web], Ok(&without_gpu())).is_empty());
}

#[test]
fn spread_over_nodes_counts_values_if_no_node_is_removed() {
    let kept = json!([pool("web", &["a"], json!({}))]);
    let change = of_pools(kept.clone(), kept);
    let constraint =
        json!({"topologyKey": "rack", "maxSkew": 1, "minDomains": 3, "labelSelector": {}});
    let node = |name: &str, rack: &str| {
        object(
            "v1",
            "Node",
            name,
            json!({"metadata": {"labels": {"rack": rack}, "namespace": null}}),
        )
    };
    let web = deployment("web", 3, json!({"topologySpreadConstraints": [constraint]}));
    let mut objects = vec![web, node("n1", "1"), node("n2", "2"), node("n3", "2")];
    let before = "WARN workload/topology-spread-unsatisfiable: Deployment shop/web";
    assert_eq!(results(SPREAD, &objects, Ok(&change)), [before]);
    objects.push(node("n4", "4"));
    assert_eq!(results(SPREAD, &objects, Ok(&change)), ["1 passed"]);
}
