// SPDX-License-Identifier: Apache-2.0
use rstest::rstest;
use serde_json::{Value, json};

use super::{UNKNOWN, deployment, merge, object, pod, results};

const ALONE: &str = "workload/pod-without-controller";

#[rstest]
#[case::bare(pod("web", None, json!({})), &["ERROR workload/pod-without-controller: Pod shop/web"])]
#[case::one_off(
    pod("web", None, json!({"spec": {"restartPolicy": "Never"}})),
    &["WARN workload/pod-without-controller: Pod shop/web"]
)]
#[case::controlled(pod("web", Some(("ReplicaSet", "web-1")), json!({})), &["1 passed"])]
#[case::owned_by_no_controller(
    pod("web", None, json!({"metadata": {"ownerReferences": [{"kind": "Other", "name": "web"}]}})),
    &["ERROR workload/pod-without-controller: Pod shop/web"]
)]
#[case::finished(pod("web", None, json!({"status": {"phase": "Succeeded"}})), &[])]
#[case::in_deletion(pod("web", None, json!({"metadata": {"deletionTimestamp": "2026-12-01T00:00:00Z"}})), &[])]
#[case::mirror(pod("web", None, json!({"metadata": {"annotations": {"kubernetes.io/config.mirror": "x"}}})), &[])]
#[case::of_a_node(pod("web", Some(("Node", "n")), json!({})), &[])]
fn pod_alone(#[case] pod: Value, #[case] expected: &[&str]) {
    assert_eq!(results(ALONE, &[pod], UNKNOWN), expected);
}

#[rstest]
#[case::one(json!(1), &["WARN workload/single-replica: Deployment shop/web"])]
#[case::default(json!(null), &["WARN workload/single-replica: Deployment shop/web"])]
#[case::two(json!(2), &["1 passed"])]
#[case::none(json!(0), &[])]
#[case::negative(json!(-1), &[])]
fn number_of_replicas(#[case] replicas: Value, #[case] expected: &[&str]) {
    let mut web = deployment("web", 1, json!({}));
    web["spec"]["replicas"] = replicas;
    assert_eq!(results("workload/single-replica", &[web], UNKNOWN), expected);
}

#[test]
fn replicas_of_inner_controllers_do_not_count() {
    let owner = json!([{"kind": "Deployment", "name": "web", "controller": true}]);
    let mut inner = deployment("web-1", 1, json!({}));
    merge(&mut inner, json!({"kind": "ReplicaSet", "metadata": {"ownerReferences": owner}}));
    let objects = [deployment("web", 2, json!({})), inner];
    assert_eq!(results("workload/single-replica", &objects, UNKNOWN), ["1 passed"]);
}

#[rstest]
#[case::none(json!([]), &["1 passed"])]
#[case::directory(json!([{"name": "a", "emptyDir": {}}]), &["WARN workload/local-storage: Deployment shop/web"])]
#[case::directory_without_fields(json!([{"name": "a", "emptyDir": {"sizeLimit": "1Gi"}}]), &["WARN workload/local-storage: Deployment shop/web"])]
#[case::memory(json!([{"name": "a", "emptyDir": {"medium": "Memory"}}]), &["1 passed"])]
#[case::of_the_host(json!([{"name": "a", "hostPath": {"path": "/x"}}]), &["WARN workload/local-storage: Deployment shop/web"])]
#[case::claim(json!([{"name": "a", "persistentVolumeClaim": {"claimName": "a"}}]), &["1 passed"])]
#[case::expendable(json!([{"name": "tmp", "emptyDir": {}}]), &["1 passed"])]
fn volumes_of_pods(#[case] volumes: Value, #[case] expected: &[&str]) {
    let mut web = deployment("web", 2, json!({"volumes": volumes}));
    let safe =
        json!({"cluster-autoscaler.kubernetes.io/safe-to-evict-local-volumes": "other, tmp"});
    web["spec"]["template"]["metadata"]["annotations"] = safe;
    assert_eq!(results("workload/local-storage", &[web], UNKNOWN), expected);
}

#[rstest]
#[case::local(json!({"local": {"path": "/data"}}), &["ERROR workload/local-volume: PersistentVolume v"])]
#[case::of_the_host(json!({"hostPath": {"path": "/data"}}), &["ERROR workload/local-volume: PersistentVolume v"])]
#[case::attached(json!({"csi": {"driver": "disk"}}), &["1 passed"])]
fn persistent_volumes(#[case] spec: Value, #[case] expected: &[&str]) {
    let mut volume = object("v1", "PersistentVolume", "v", json!({"spec": spec}));
    volume["metadata"]["namespace"] = json!(null);
    assert_eq!(results("workload/local-storage", &[volume], UNKNOWN), expected);
}

#[test]
fn webhook_for_pods_that_fails_closed_is_a_warning() {
    let rules = json!([{"operations": ["*"], "apiGroups": ["*"], "apiVersions": ["*"], "resources": ["*"]}]);
    let closed = json!([{"name": "closed.example.com", "failurePolicy": "Fail", "timeoutSeconds": 3, "rules": rules}]);
    let open = json!([{"name": "open.example.com", "failurePolicy": "Ignore", "timeoutSeconds": 3, "rules": rules}]);
    let of = |name, webhooks| {
        object(
            "admissionregistration.k8s.io/v1",
            "ValidatingWebhookConfiguration",
            name,
            json!({"webhooks": webhooks, "metadata": {"namespace": null}}),
        )
    };
    assert_eq!(
        results("webhook-config/problematic", &[of("closed", closed), of("open", open)], UNKNOWN),
        ["WARN webhook-config/problematic: ValidatingWebhookConfiguration closed", "1 passed"]
    );
}
