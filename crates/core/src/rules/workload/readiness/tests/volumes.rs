// SPDX-License-Identifier: Apache-2.0
use rstest::rstest;
use serde_json::{Value, json};

use super::nodes::{NOT_KNOWN, pool, without_gpu};
use super::{deployment, object, of_pools, results};

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
#[case::two_expressions(
    json!([{"matchExpressions": [
        in_zones("topology.kubernetes.io/zone", json!(["a", "b"]))["matchExpressions"][0],
        in_zones("topology.disk.csi.azure.com/zone", json!(["b"]))["matchExpressions"][0],
    ]}]),
    LOST
)]
#[case::other_zone_without_pools(json!([in_zones("topology.kubernetes.io/zone", json!(["b", "q"]))]), LOST)]
#[case::zone_that_was_never_used(json!([in_zones("topology.kubernetes.io/zone", json!(["q"]))]), "1 passed")]
#[case::vsphere(json!([in_zones("topology.csi.vmware.com/k8s-zone", json!(["b"]))]), LOST)]
fn volume_in_zone(#[case] terms: Value, #[case] expected: &str) {
    assert_eq!(results(VOLUME, &[volume(terms)], Ok(&without_gpu())), [expected]);
}

#[rstest]
#[case::removed(json!({"metadata": {"labels": {"topology.kubernetes.io/zone": "b"}}}), LOST)]
#[case::several(json!({"metadata": {"labels": {"failure-domain.beta.kubernetes.io/zone": "a__b"}}}), "1 passed")]
#[case::released(json!({"metadata": {"labels": {"topology.kubernetes.io/zone": "b"}}, "status": {"phase": "Released"}}), "1 passed")]
#[case::bound(json!({"metadata": {"labels": {"topology.kubernetes.io/zone": "b"}}, "status": {"phase": "Bound"}}), LOST)]
fn volume_with_a_label(#[case] rest: Value, #[case] expected: &str) {
    let mut volume = volume(json!([]));
    super::merge(&mut volume, rest);
    assert_eq!(results(VOLUME, &[volume], Ok(&without_gpu())), [expected]);
}

#[test]
fn claims_of_pods_that_the_input_lacks_are_unknown_if_a_zone_is_removed() {
    let volumes = json!([{"name": "a", "persistentVolumeClaim": {"claimName": "a"}}]);
    let mut set = deployment("db", 2, json!({}));
    set["kind"] = json!("StatefulSet");
    set["spec"]["volumeClaimTemplates"] = json!([{"metadata": {"name": "data"}}]);
    let objects = [deployment("web", 2, json!({"volumes": volumes})), set];
    assert_eq!(
        results(VOLUME, &objects, Ok(&without_gpu())),
        [NOT_KNOWN, "unknown: StatefulSet shop/db"]
    );
    let kept = json!([pool("web", &["a"], json!({}))]);
    assert!(results(VOLUME, &objects, Ok(&of_pools(kept.clone(), kept))).is_empty());
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
