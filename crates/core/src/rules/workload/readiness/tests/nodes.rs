// SPDX-License-Identifier: Apache-2.0
use rstest::rstest;
use serde_json::{Value, json};

use super::{UNKNOWN, deployment, object, of_pools, results};
use crate::workload::ClusterChange;

pub(super) fn pool(name: &str, zones: &[&str], labels: Value) -> Value {
    json!({"name": name, "zones": zones, "labels": labels, "machine": {"architecture": "amd64"}})
}

/// Returns the removal of pool `gpu`.
pub(super) fn without_gpu() -> ClusterChange {
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
pub(super) const NOT_KNOWN: &str = "unknown: Deployment shop/web";

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

/// Returns the change of a field of the only pool, which replaces its nodes.
fn of_field(field: &str, before: Value, after: Value) -> ClusterChange {
    let with = |value: Value| {
        let mut pool = json!({"name": "web", "zones": ["a"], "kubernetes": {"version": "1.34.1"}});
        super::merge(
            &mut pool,
            json!({"machine": {"type": "small", "image": {"name": "linux", "version": "1.0.0"}}}),
        );
        let (section, field) = field.split_once('.').unwrap();
        super::merge(&mut pool, json!({section: {field: value}}));
        json!([pool])
    };
    of_pools(with(before), with(after))
}

#[rstest]
#[case::machine_type("machine.type", json!("small"), json!("large"), "node.kubernetes.io/instance-type", "small")]
#[case::image_version("machine.image", json!({"version": "1.0.0"}), json!({"version": "1.1.0"}), "worker.gardener.cloud/image-version", "1.0.0")]
#[case::image("machine.image", json!({"name": "linux"}), json!({"name": "other"}), "worker.gardener.cloud/image-name", "linux")]
#[case::kubernetes("kubernetes.version", json!("1.34.1"), json!("1.35.2"), "worker.gardener.cloud/kubernetes-version", "1.34.1")]
#[case::runtime("cri.containerRuntimes", json!([{"type": "gvisor"}]), json!([]), "containerruntime.worker.gardener.cloud/gvisor", "true")]
#[case::system_components("systemComponents.allow", json!(true), json!(false), "worker.gardener.cloud/system-components", "true")]
fn label_that_changes_with_a_field(
    #[case] field: &str,
    #[case] before: Value,
    #[case] after: Value,
    #[case] label: &str,
    #[case] value: &str,
) {
    let change = of_field(field, before, after);
    assert_eq!(results(SELECTOR, &[with_selector(json!({label: value}))], Ok(&change)), [REMOVED]);
}

#[rstest]
#[case::region("topology.kubernetes.io/region", "north")]
#[case::runtime_interface("worker.gardener.cloud/cri-name", "containerd")]
#[case::system_components("worker.gardener.cloud/system-components", "true")]
#[case::architecture("kubernetes.io/arch", "amd64")]
fn label_that_the_shoot_determines(#[case] label: &str, #[case] value: &str) {
    let change = of_field("machine.type", json!("small"), json!("large"));
    let web = with_selector(json!({label: value}));
    assert_eq!(results(SELECTOR, &[web], Ok(&change)), ["1 passed"]);
}

#[test]
fn other_labels_of_replaced_nodes_are_unknown() {
    let change = of_field("machine.type", json!("small"), json!("large"));
    let labels = json!({"worker.gardener.cloud/pool": "web", "by-hand": "yes"});
    let node =
        object("v1", "Node", "n", json!({"metadata": {"labels": labels, "namespace": null}}));
    let web = with_selector(json!({"by-hand": "yes"}));
    assert_eq!(results(SELECTOR, &[web, node], Ok(&change)), [NOT_KNOWN]);
}

#[test]
fn pool_without_machines_has_no_nodes() {
    let of = |maximum| json!({"name": "web", "zones": ["a"], "maximum": maximum});
    let change = of_pools(json!([of(2)]), json!([of(0)]));
    let web = with_selector(json!({"worker.gardener.cloud/pool": "web"}));
    assert_eq!(results(SELECTOR, &[web], Ok(&change)), [REMOVED]);
}

/// Returns the removal of zone `z` from the only pool, whose nodes have the labels of a storage driver.
fn without_zone(key: &str, zone: &str) -> Vec<String> {
    let with = |zones: &[&str]| json!([pool("web", zones, json!({}))]);
    let mut change = of_pools(with(&["x", "y", "z"]), with(&["x", "y"]));
    // All other nodes stay.
    change.drained.clear();
    let nodes = ["x", "y", "z"].map(|zone| {
        let labels = json!({
            "worker.gardener.cloud/pool": "web", "topology.kubernetes.io/zone": zone, key: zone,
        });
        object("v1", "Node", zone, json!({"metadata": {"labels": labels, "namespace": null}}))
    });
    let mut objects = vec![with_selector(json!({key: zone}))];
    objects.extend(nodes);
    results(SELECTOR, &objects, Ok(&change))
}

#[test]
fn nodes_of_a_removed_zone_prove_nothing_for_others() {
    for key in ["topology.ebs.csi.aws.com/zone", "failure-domain.beta.kubernetes.io/zone"] {
        assert_eq!(without_zone(key, "z"), [REMOVED]);
        assert_eq!(without_zone(key, "x"), ["1 passed"]);
    }
    assert_eq!(without_zone("example.com/rack", "z"), [NOT_KNOWN]);
    assert_eq!(without_zone("example.com/rack", "x"), ["1 passed"]);
}

#[test]
fn node_selector_without_a_removed_pool_passes() {
    let kept = json!([pool("web", &["a"], json!({}))]);
    let change = of_pools(kept.clone(), kept);
    let web = with_selector(json!({"anything": "else"}));
    assert_eq!(results(SELECTOR, &[web], Ok(&change)), ["1 passed"]);
}

#[rstest]
#[case::running("Job", json!({}), &["ERROR workload/node-selector-unsatisfied: Job shop/web"])]
#[case::complete("Job", json!({"status": {"conditions": [{"type": "Complete", "status": "True"}]}}), &[])]
#[case::failed("Job", json!({"status": {"conditions": [{"type": "Failed", "status": "True"}]}}), &[])]
#[case::suspended_job("Job", json!({"spec": {"suspend": true}}), &[])]
#[case::suspended("CronJob", json!({"spec": {"suspend": true}}), &[])]
fn job_that_starts_no_pods_is_left_out(
    #[case] kind: &str,
    #[case] rest: Value,
    #[case] expected: &[&str],
) {
    let spec = json!({"nodeSelector": {"worker.gardener.cloud/pool": "gpu"}});
    let template = json!({"template": {"spec": spec}});
    let spec = json!({"template": template["template"], "jobTemplate": {"spec": template}});
    let mut job = object("batch/v1", kind, "web", json!({"spec": spec}));
    super::merge(&mut job, rest);
    assert_eq!(results(SELECTOR, &[job], Ok(&without_gpu())), expected);
}

#[test]
fn node_selector_without_a_change_is_unknown() {
    let web = with_selector(json!({"team": "web"}));
    assert_eq!(
        results(SELECTOR, &[web, deployment("free", 2, json!({}))], UNKNOWN),
        ["unknown: the worker pools after the change: there is no Shoot"]
    );
}
