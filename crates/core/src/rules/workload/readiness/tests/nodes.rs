use rstest::rstest;
use serde_json::{Value, json};

use super::{UNKNOWN, deployment, object, of_pools, results};
use crate::workload::ClusterChange;

fn pool(name: &str, zones: &[&str], labels: Value) -> Value {
    json!({"name": name, "zones": zones, "labels": labels, "machine": {"architecture": "amd64"}})
}

/// Returns the removal of pool `gpu`.
fn without_gpu() -> ClusterChange {
    let gpu = pool("gpu", &["b"], json!({"accelerator": "yes", "team": "ml"}));
    let kept = pool("web", &["a"], json!({"team": "web"}));
    of_pools(json!([kept, gpu]), json!([kept]))
}

fn with_selector(labels: Value) -> Value {
    deployment("web", 2, json!({"nodeSelector": labels}))
}

const SELECTOR: &str = "workload/node-selector-unsatisfied";
const REMOVED: &str = "ERROR workload/node-selector-unsatisfied: Deployment shop/web";
const NEVER: &str = "WARN workload/node-selector-of-no-pool: Deployment shop/web";
const NOT_KNOWN: &str = "unknown: Deployment shop/web";

#[rstest]
#[case::pool(json!({"worker.gardener.cloud/pool": "gpu"}), REMOVED)]
#[case::other_pool(json!({"worker.gardener.cloud/pool": "web"}), "1 passed")]
#[case::label(json!({"accelerator": "yes"}), REMOVED)]
#[case::kept_label(json!({"team": "web"}), "1 passed")]
#[case::both_labels(json!({"accelerator": "yes", "team": "web"}), NEVER)]
#[case::zone(json!({"topology.kubernetes.io/zone": "b"}), REMOVED)]
#[case::numbered_zone(json!({"topology.kubernetes.io/zone": "north-b"}), REMOVED)]
#[case::kept_zone(json!({"topology.kubernetes.io/zone": "a"}), "1 passed")]
#[case::architecture(json!({"kubernetes.io/arch": "arm64"}), NEVER)]
#[case::label_of_other_components(json!({"nvidia.com/gpu.present": "true"}), NOT_KNOWN)]
#[case::node(json!({"kubernetes.io/hostname": "n1"}), NOT_KNOWN)]
#[case::removed_with_other_label(json!({"worker.gardener.cloud/pool": "gpu", "nvidia.com/gpu.present": "true"}), NOT_KNOWN)]
fn node_selector(#[case] labels: Value, #[case] expected: &str) {
    assert_eq!(results(SELECTOR, &[with_selector(labels)], Ok(&without_gpu())), [expected]);
}

#[rstest]
#[case::exists("Exists", json!([]), REMOVED)]
#[case::absent("DoesNotExist", json!([]), "1 passed")]
#[case::is_in("In", json!(["no", "yes"]), REMOVED)]
#[case::is_not_in("NotIn", json!(["yes"]), "1 passed")]
#[case::unknown_operator("Is", json!(["yes"]), NOT_KNOWN)]
fn node_affinity(#[case] operator: &str, #[case] values: Value, #[case] expected: &str) {
    let term = json!({"matchExpressions": [{"key": "accelerator", "operator": operator, "values": values}]});
    let affinity = json!({"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [term]}}});
    let web = deployment("web", 2, json!({"affinity": affinity}));
    assert_eq!(results(SELECTOR, &[web], Ok(&without_gpu())), [expected]);
}

#[test]
fn node_of_a_kept_pool_shows_labels_of_other_components() {
    let labels = json!({"worker.gardener.cloud/pool": "web", "nvidia.com/gpu.present": "true"});
    let node =
        object("v1", "Node", "n", json!({"metadata": {"labels": labels, "namespace": null}}));
    let web = with_selector(json!({"nvidia.com/gpu.present": "true"}));
    assert_eq!(results(SELECTOR, &[web, node], Ok(&without_gpu())), ["1 passed"]);
}

#[test]
fn node_selector_without_a_removed_pool_passes() {
    let kept = json!([pool("web", &["a"], json!({}))]);
    let change = of_pools(kept.clone(), kept);
    let web = with_selector(json!({"anything": "else"}));
    assert_eq!(results(SELECTOR, &[web], Ok(&change)), ["1 passed"]);
}

#[test]
fn node_selector_without_a_change_is_unknown() {
    let web = with_selector(json!({"team": "web"}));
    assert_eq!(
        results(SELECTOR, &[web, deployment("free", 2, json!({}))], UNKNOWN),
        ["unknown: the worker pools after the change: there is no Shoot"]
    );
}

const VOLUME: &str = "workload/volume-in-removed-zone";
const LOST: &str = "ERROR workload/volume-in-removed-zone: PersistentVolume v";

fn volume(terms: Value) -> Value {
    let affinity = json!({"required": {"nodeSelectorTerms": terms}});
    object(
        "v1",
        "PersistentVolume",
        "v",
        json!({"metadata": {"namespace": null}, "spec": {"nodeAffinity": affinity}}),
    )
}

fn in_zones(key: &str, zones: Value) -> Value {
    json!({"matchExpressions": [{"key": key, "operator": "In", "values": zones}]})
}

#[rstest]
#[case::removed(json!([in_zones("topology.kubernetes.io/zone", json!(["b"]))]), LOST)]
#[case::numbered(json!([in_zones("topology.disk.csi.azure.com/zone", json!(["north-b"]))]), LOST)]
#[case::old_key(json!([in_zones("failure-domain.beta.kubernetes.io/zone", json!(["b"]))]), LOST)]
#[case::kept(json!([in_zones("topology.kubernetes.io/zone", json!(["a"]))]), "1 passed")]
#[case::one_of_both(json!([in_zones("topology.kubernetes.io/zone", json!(["a", "b"]))]), "1 passed")]
#[case::alternative(json!([in_zones("topology.kubernetes.io/zone", json!(["b"])), {"matchExpressions": []}]), "1 passed")]
#[case::other_key(json!([in_zones("kubernetes.io/hostname", json!(["b"]))]), "1 passed")]
#[case::anywhere(json!([]), "1 passed")]
fn volume_in_zone(#[case] terms: Value, #[case] expected: &str) {
    assert_eq!(results(VOLUME, &[volume(terms)], Ok(&without_gpu())), [expected]);
}

#[test]
fn claim_without_its_volume_is_unknown_if_a_zone_is_removed() {
    let claim = |name, volume: &str| {
        object("v1", "PersistentVolumeClaim", name, json!({"spec": {"volumeName": volume}}))
    };
    let objects = [claim("bound", "v"), claim("other", "w"), claim("new", ""), volume(json!([]))];
    assert_eq!(
        results(VOLUME, &objects, Ok(&without_gpu())),
        [
            "unknown: PersistentVolumeClaim shop/new",
            "unknown: PersistentVolumeClaim shop/other",
            "1 passed"
        ]
    );
    let kept = json!([pool("web", &["a"], json!({}))]);
    let change = of_pools(kept.clone(), kept);
    assert_eq!(results(VOLUME, &objects, Ok(&change)), ["1 passed"]);
}

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
#[case::enormous(json!({"minDomains": 9_223_372_036_854_775_807_i64}), 4_294_967_295, AFTER)]
#[case::negative(json!({"minDomains": -1, "maxSkew": -1, "nodeTaintsPolicy": "Honor"}), 2, "1 passed")]
fn spread(#[case] fields: Value, #[case] replicas: u32, #[case] expected: &str) {
    let mut constraint = json!({
        "topologyKey": "topology.kubernetes.io/zone",
        "whenUnsatisfiable": "DoNotSchedule",
        "maxSkew": 1,
    });
    super::merge(&mut constraint, fields);
    let web = deployment("web", replicas, json!({"topologySpreadConstraints": [constraint]}));
    assert_eq!(results(SPREAD, &[web], Ok(&without_gpu())), [expected]);
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
    let constraint = json!({"topologyKey": "rack", "maxSkew": 1, "minDomains": 3});
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
    assert_eq!(results(SPREAD, &objects, Ok(&change)), [AFTER]);
    objects.push(node("n4", "4"));
    assert_eq!(results(SPREAD, &objects, Ok(&change)), ["1 passed"]);
}
