// SPDX-License-Identifier: Apache-2.0
//! Cleanup annotations, warnings, labels, workload, and immutable fields.

use garden_gate_core::config::Profile;
use garden_gate_core::garden::GardenObject;
use garden_gate_model::api::ShootStatus;
use garden_gate_model::gardener::status::status_label;
use jiff::SignedDuration;
use rstest::rstest;
use serde_json::{Value, json};

use crate::judging::{denials, request};
use crate::matrix_hibernation::{setup, shoot, with};

/// Returns the ids of all findings in profile `documented`; denials have the prefix `!`.
fn told(request: &Value) -> Vec<String> {
    let mut setup = setup();
    setup.config.profile = Profile::Documented;
    let review = setup.review(request);
    let denied: Vec<String> = denials(&review);
    let mark = |id: &str| {
        if denied.iter().any(|line| line.starts_with(id)) { "!" } else { "" }
    };
    let ids = review.findings.iter().map(|finding| finding.finding);
    ids.map(|id| format!("{}{}", mark(id), id.split_once('/').unwrap().1)).collect()
}

fn create(object: &Value) -> Vec<String> {
    told(&request("shoots", "CREATE", object, None))
}

fn update(new: &Value, old: &Value) -> Vec<String> {
    told(&request("shoots", "UPDATE", new, Some(old)))
}

fn annotated(key: &str, value: &str) -> Value {
    with(shoot(), &format!("/metadata/annotations/shoot.gardener.cloud~1{key}"), json!(value))
}

#[rstest]
#[case::zero("webhooks", "0", &["cleanup-period-zero"])]
#[case::used("webhooks", "299", &["cleanup-period-effect"])]
#[case::ignored("webhooks", "300", &["cleanup-period-ignored"])]
#[case::hangs("webhooks", "5m", &["!cleanup-period-invalid"])]
#[case::negative("webhooks", "-1", &["cleanup-period-negative"])]
#[case::empty("webhooks", "", &["!cleanup-period-invalid"])]
#[case("kubernetes-resources", "1800", &["cleanup-period-ignored"])]
#[case("extended-apis", "600", &["cleanup-period-effect"])]
#[case("namespaces", "5", &["cleanup-annotation-unknown"])]
fn cleanup_periods(#[case] step: &str, #[case] value: &str, #[case] expected: &[&str]) {
    let new = annotated(&format!("cleanup-{step}-finalize-grace-period-seconds"), value);
    assert_eq!(create(&new), expected);
    let review = setup().review(&request("shoots", "CREATE", &new, None));
    assert!(review.findings.is_empty(), "Gardener says nothing: {:?}", review.findings);
}

#[test]
fn what_was_there_is_not_refused() {
    let old = annotated("cleanup-webhooks-finalize-grace-period-seconds", "5m");
    assert_eq!(update(&old, &old), ["cleanup-period-hangs"]);
}

#[rstest]
#[case(
    "kubernetes-resources",
    "1800",
    "volume snapshots are finalized after 1800 s and deleted with a grace period of 900 s"
)]
#[case(
    "extended-apis",
    "600",
    "extended APIs are finalized after 600 s and deleted with a grace period of 60 s"
)]
fn what_happens_is_said_in_seconds(#[case] step: &str, #[case] value: &str, #[case] says: &str) {
    let new = annotated(&format!("cleanup-{step}-finalize-grace-period-seconds"), value);
    let mut setup = setup();
    setup.config.profile = Profile::Documented;
    let review = setup.review(&request("shoots", "CREATE", &new, None));
    assert!(review.findings[0].message.contains(says), "{}", review.findings[0].message);
}

#[test]
fn any_value_skips() {
    assert_eq!(create(&annotated("skip-cleanup", "false")), ["skip-cleanup-present"]);
}

#[test]
fn the_wait_period_is_gone() {
    assert_eq!(
        create(&annotated("infrastructure-cleanup-wait-period-seconds", "5")),
        ["cleanup-annotation-unknown"]
    );
}

#[rstest]
#[case("/spec/kubernetes/kubeAPIServer/enableAnonymousAuthentication", json!(false), "1.33.5", &["warn-enable-anonymous-authentication"])]
#[case("/spec/addons", json!({}), "1.33.5", &["warn-addons"])]
#[case("/spec/dns/providers", json!([{"credentialsRef": {"apiVersion": "v1", "kind": "Secret", "name": "x"}}]), "1.34.0", &["warn-dns-secret-name"])]
#[case("/spec/dns/providers", json!([{"credentialsRef": {"apiVersion": "v1", "kind": "ConfigMap", "name": "x"}}]), "1.34.0", &[])]
#[case("/spec/dns/providers", json!([{"credentialsRef": {"apiVersion": "v1", "kind": "Secret", "name": "x"}}]), "1.35.0", &[])]
fn deprecations(
    #[case] field: &str,
    #[case] value: Value,
    #[case] version: &str,
    #[case] expected: &[&str],
) {
    let new = with(with(shoot(), field, value), "/spec/kubernetes/version", json!(version));
    assert_eq!(create(&new), expected);
}

#[test]
fn old_shoots_without_any_rotation() {
    let old = with(shoot(), "/metadata/creationTimestamp", json!("2025-10-01T00:00:00Z"));
    assert_eq!(update(&old, &old), ["warn-credentials-rotation-due"]);
    assert_eq!(create(&old), [""; 0]);
    let exactly = with(shoot(), "/metadata/creationTimestamp", json!("2025-10-03T00:00:00Z"));
    assert_eq!(update(&exactly, &exactly), [""; 0]);
}

#[rstest]
#[case(90, &["warn-ca-completion-due"], "720h0m0s")]
#[case(91, &["warn-ca-completion-due"], "728h0m0s")]
#[case(94, &[], "")]
fn the_interval_of_rotations_is_configured(
    #[case] days: i64,
    #[case] expected: &[&str],
    #[case] third: &str,
) {
    let rotation = json!({"lastInitiationFinishedTime": "2025-12-01T00:00:00Z"});
    let old = with(shoot(), "/status/credentials/rotation/certificateAuthorities", rotation);
    let mut setup = setup();
    setup.config.advice.credentials_rotation_interval = SignedDuration::from_hours(days * 24);
    let review = setup.review(&request("shoots", "UPDATE", &old, Some(&old)));
    let ids: Vec<&str> = review.findings.iter().map(|it| &it.finding[6..]).collect();
    assert_eq!(ids, expected);
    assert!(review.findings.iter().all(|it| it.message.contains(third)));
}

#[rstest]
#[case::without_reference("1.33.5", json!({}), None, true)]
#[case::of_another_kind("1.33.5", json!({"kind": "NamespacedCloudProfile", "name": "own"}), None, false)]
#[case::same_new("1.34.1", json!({"kind": "CloudProfile", "name": "p"}), None, true)]
#[case::same_unchanged("1.34.1", json!({"kind": "CloudProfile", "name": "p"}), Some("p"), false)]
#[case::same_changed("1.34.1", json!({"kind": "CloudProfile", "name": "p"}), Some("q"), true)]
#[case::same_before("1.33.5", json!({"name": "p"}), Some("p"), true)]
#[case::too_old("1.32.9", json!({}), None, false)]
#[case::unreadable("1.x", json!({}), None, false)]
fn a_profile_name_that_gardener_empties_is_not_deprecated(
    #[case] version: &str,
    #[case] reference: Value,
    #[case] before: Option<&str>,
    #[case] warned: bool,
) {
    let mut new = with(shoot(), "/spec/kubernetes/version", json!(version));
    new["spec"]["cloudProfileName"] = json!("p");
    if reference != json!({}) {
        new["spec"]["cloudProfile"] = reference;
    }
    let old = before.map(|name| with(new.clone(), "/spec/cloudProfileName", json!(name)));
    let operation = if old.is_some() { "UPDATE" } else { "CREATE" };
    let review = setup().review(&request("shoots", operation, &new, old.as_ref()));
    let mut ids = review.findings.iter().map(|it| it.finding);
    assert_eq!(ids.any(|id| id == "shoot/warn-cloud-profile-name"), warned);
}

#[rstest]
#[case("2025-11-30T00:00:00Z", &["warn-ca-completion-due"])]
#[case("2025-12-01T00:00:00Z", &["warn-ca-completion-due"])]
#[case("2025-12-01T00:00:01Z", &[])]
fn rotations_in_progress(#[case] triggered: &str, #[case] expected: &[&str]) {
    let rotation = json!({"lastInitiationFinishedTime": "2025-12-01T00:00:00Z", "lastCompletionTriggeredTime": triggered});
    let old = with(shoot(), "/status/credentials/rotation/certificateAuthorities", rotation);
    assert_eq!(update(&old, &old), expected);
}

#[test]
fn kube_proxy_in_ipvs_mode() {
    let proxy = |version: &str, mode: &str| {
        let object = with(shoot(), "/spec/kubernetes/kubeProxy/mode", json!(mode));
        with(object, "/spec/kubernetes/version", json!(version))
    };
    let warned = ["warn-kube-proxy-ipvs"];
    assert_eq!(create(&proxy("1.34.0", "IPVS")), [""; 0]);
    assert_eq!(update(&proxy("1.34.0", "IPVS"), &proxy("1.34.0", "IPTables")), warned);
    assert_eq!(update(&proxy("1.34.0", "IPVS"), &proxy("1.34.0", "IPVS")), [""; 0]);
    assert_eq!(update(&proxy("1.35.0", "IPVS"), &proxy("1.35.0", "IPVS")), warned);
    assert_eq!(create(&proxy("1.35.0", "IPVS")), warned);
}

#[rstest]
#[case(json!({"lastOperation": {"type": "Migrate", "state": "Processing"}, "conditions": [{"status": "True"}, {"status": "Unknown"}]}), "unknown")]
#[case(json!({"lastOperation": {"type": "Create", "state": "Processing"}, "conditions": [{"status": "False"}]}), "healthy")]
#[case(json!({"lastOperation": {"type": "Reconcile", "state": "Pending"}}), "unhealthy")]
#[case(json!({"lastOperation": {"type": "Reconcile", "state": "Succeeded"}, "constraints": [{"status": "False"}]}), "healthy")]
fn the_status_label(#[case] status: Value, #[case] expected: &str) {
    let typed: ShootStatus = serde_json::from_value(status.clone()).unwrap();
    assert_eq!(status_label(&typed), expected);
    let labelled = |value: &str| {
        let object = with(shoot(), "/status", status.clone());
        with(object, "/metadata/labels/shoot.gardener.cloud~1status", json!(value))
    };
    assert_eq!(update(&labelled(expected), &labelled(expected)), [""; 0]);
    assert_eq!(update(&labelled("?"), &labelled(expected)), ["status-label-stale"]);
    assert_eq!(create(&labelled("?")), ["status-label-stale"]);
}

#[test]
fn corrected_status_label_is_not_stale() {
    let last = json!({"type": "Reconcile", "state": "Pending"});
    let labelled = |value: &str| {
        with(
            with(shoot(), "/status/lastOperation", last.clone()),
            "/metadata/labels/shoot.gardener.cloud~1status",
            json!(value),
        )
    };
    assert_eq!(update(&labelled("unhealthy"), &labelled("?")), [""; 0]);
}

const NO_CLEANUP: &str = "shoot.gardener.cloud/no-cleanup";
const CRITICAL: &str = "node.gardener.cloud/critical-component";
const CSI: &str = "node.gardener.cloud/wait-for-csi-node-x";

fn daemon_set(outer: &Value, pods: &Value, spec: &Value) -> Vec<String> {
    let mut outer = outer.clone();
    outer["name"] = json!("d");
    outer["namespace"] = json!("kube-system");
    let object = json!({"metadata": outer, "spec": {"template": {"metadata": pods, "spec": spec}}});
    let mut request = request("daemonsets", "CREATE", &object, None);
    request["resource"] = json!({"group": "apps", "version": "v1", "resource": "daemonsets"});
    told(&request)
}

#[test]
fn node_critical_workload() {
    let labelled = json!({"labels": {CRITICAL: "true"}});
    let tolerant = json!({"tolerations": [{"key": "node.gardener.cloud/critical-components-not-ready", "operator": "Exists"}]});
    assert_eq!(daemon_set(&labelled, &labelled, &tolerant), [""; 0]);
    assert_eq!(daemon_set(&labelled, &labelled, &json!({})), ["critical-no-toleration"]);
    assert_eq!(daemon_set(&json!({}), &labelled, &tolerant), ["critical-metadata-label-missing"]);
    assert_eq!(daemon_set(&labelled, &json!({}), &tolerant), ["critical-template-label-missing"]);
    assert_eq!(daemon_set(&json!({}), &json!({}), &tolerant), ["critical-label-missing"]);
    let wrong = json!({"labels": {CRITICAL: "True"}});
    assert_eq!(daemon_set(&json!({}), &wrong, &json!({})), ["critical-label-value"]);
    let unlabelled = json!({"annotations": {CSI: "x.csi.example.com"}});
    assert_eq!(daemon_set(&json!({}), &unlabelled, &json!({})), ["csi-annotation-without-label"]);
    let plugin =
        json!({"containers": [{"image": "registry.example.com/csi-node-driver-registrar:v2"}]});
    assert_eq!(daemon_set(&json!({}), &json!({}), &plugin), ["csi-annotation-missing"]);
}

/// Judges a new Pod in a namespace.
fn pod(namespace: &str, metadata: &Value, spec: &Value) -> Vec<String> {
    let mut metadata = metadata.clone();
    metadata["name"] = json!("p");
    metadata["namespace"] = json!(namespace);
    let object = json!({"metadata": metadata, "spec": spec});
    let mut request = request("pods", "CREATE", &object, None);
    request["resource"] = json!({"group": "", "version": "v1", "resource": "pods"});
    told(&request)
}

#[rstest]
#[case::critical("kube-system", json!({"labels": {CRITICAL: "true"}}), &[])]
#[case::other_namespace("default", json!({"labels": {CRITICAL: "true"}}), &["critical-wrong-namespace"])]
#[case::driver("kube-system", json!({"labels": {CRITICAL: "true"}, "annotations": {CSI: "x.csi.example.com"}}), &[])]
#[case::empty_driver("kube-system", json!({"labels": {CRITICAL: "true"}, "annotations": {CSI: ""}}), &["csi-annotation-empty"])]
#[case::no_cleanup("kube-system", json!({"labels": {CRITICAL: "true", NO_CLEANUP: "yes"}}), &["no-cleanup-value"])]
fn node_critical_pod(#[case] namespace: &str, #[case] metadata: Value, #[case] expected: &[&str]) {
    // A Pod that registers a CSI driver needs no annotation.
    let spec = json!({"tolerations": [{"key": NOT_READY, "operator": "Exists"}],
        "containers": [{"image": "registry.example.com/csi-node-driver-registrar:v2"}]});
    assert_eq!(pod(namespace, &metadata, &spec), expected);
}

const NOT_READY: &str = "node.gardener.cloud/critical-components-not-ready";

#[rstest]
#[case::no_operator(json!({"key": NOT_READY}), true)]
#[case::equal(json!({"key": NOT_READY, "operator": "Equal", "effect": "NoSchedule"}), true)]
#[case::other_value(json!({"key": NOT_READY, "operator": "Equal", "value": "x"}), false)]
#[case::other_key(json!({"key": "other", "operator": "Exists", "effect": "NoSchedule"}), false)]
#[case::other_effect(json!({"key": NOT_READY, "operator": "Exists", "effect": "NoExecute"}), false)]
#[case::all_taints(json!({"operator": "Exists"}), true)]
fn toleration_of_the_taint_of_new_nodes(#[case] toleration: Value, #[case] is_tolerant: bool) {
    let labelled = json!({"labels": {CRITICAL: "true"}});
    let pods = json!({"tolerations": [toleration]});
    let expected = vec!["critical-no-toleration"; usize::from(!is_tolerant)];
    assert_eq!(daemon_set(&labelled, &labelled, &pods), expected);
}

#[rstest]
#[case::marked(json!({"labels": {NO_CLEANUP: "true"}}), &[])]
#[case::both(json!({"labels": {NO_CLEANUP: "true"}, "annotations": {NO_CLEANUP: "true"}}), &[])]
#[case::another_value(json!({"labels": {NO_CLEANUP: "yes"}}), &["no-cleanup-value"])]
#[case::annotation(json!({"annotations": {NO_CLEANUP: "true"}}), &["no-cleanup-annotation"])]
fn what_is_to_be_left_alone_is_labelled(#[case] metadata: Value, #[case] expected: &[&str]) {
    assert_eq!(daemon_set(&metadata, &json!({}), &json!({})), expected);
    assert_eq!(daemon_set(&json!({}), &metadata, &json!({})), expected);
}

/// The kinds that Gardener deletes unless they have the label, as `pkg/gardenlet/operation/botanist/cleanup.go` lists them.
#[rstest]
#[case("apps", "daemonsets")]
#[case("apps", "deployments")]
#[case("apps", "replicasets")]
#[case("apps", "statefulsets")]
#[case("batch", "cronjobs")]
#[case("batch", "jobs")]
#[case("", "persistentvolumeclaims")]
#[case("", "pods")]
#[case("", "replicationcontrollers")]
#[case("", "services")]
#[case("networking.k8s.io", "ingresses")]
#[case("snapshot.storage.k8s.io", "volumesnapshots")]
#[case("snapshot.storage.k8s.io", "volumesnapshotcontents")]
#[case("apiextensions.k8s.io", "customresourcedefinitions")]
#[case("admissionregistration.k8s.io", "validatingwebhookconfigurations")]
#[case("admissionregistration.k8s.io", "mutatingwebhookconfigurations")]
fn cleaned_up_kind_with_a_wrong_mark(#[case] group: &str, #[case] resource: &str) {
    let said = |metadata: Value| {
        let mut object = json!({"metadata": metadata, "spec": {}});
        object["metadata"]["name"] = json!("x");
        object["metadata"]["namespace"] = json!("a");
        let mut request = request(resource, "CREATE", &object, None);
        request["resource"] = json!({"group": group, "version": "v1", "resource": resource});
        told(&request)
    };
    assert_eq!(said(json!({"annotations": {NO_CLEANUP: "true"}})), ["no-cleanup-annotation"]);
    assert_eq!(said(json!({"labels": {NO_CLEANUP: "yes"}})), ["no-cleanup-value"]);
    assert_eq!(said(json!({"labels": {NO_CLEANUP: "true"}})), [""; 0]);
    assert_eq!(said(json!({})), [""; 0]);
}

#[test]
fn marks_of_jobs_in_cron_jobs() {
    let marked = json!({"annotations": {NO_CLEANUP: "true"}});
    let template = json!({"metadata": marked, "spec": {"template": {"metadata": marked}}});
    let object =
        json!({"metadata": {"name": "x", "namespace": "a"}, "spec": {"jobTemplate": template}});
    let mut request = request("cronjobs", "CREATE", &object, None);
    request["resource"] = json!({"group": "batch", "version": "v1", "resource": "cronjobs"});
    assert_eq!(told(&request), ["no-cleanup-annotation"; 2]);
}

#[rstest]
#[case::image(json!({}), "c", "registry.k8s.io/sig-storage/csi-provisioner:v5.0.0", true)]
#[case::snapshots(json!({}), "c", "registry.k8s.io/sig-storage/csi-snapshotter@sha256:0", true)]
#[case::attacher(json!({}), "c", "example.com:5000/k8scsi-csi-attacher", true)]
#[case::resizer(json!({}), "c", "csi-resizer", true)]
#[case::snapshot_controller(json!({}), "c", "a/snapshot-controller:v8", true)]
#[case::name(json!({}), "csi-provisioner", "a", true)]
#[case::labelled(json!({"labels": {NO_CLEANUP: "true"}}), "c", "a/csi-provisioner", false)]
#[case::system(json!({"labels": {"gardener.cloud/role": "system-component"}}), "c", "a/csi-provisioner", false)]
#[case::another_folder(json!({}), "c", "example.com/csi-provisioner/docs:v1", false)]
#[case::other_workload(json!({}), "c", "nginx", false)]
fn csi_controller_without_the_label(
    #[case] metadata: Value,
    #[case] name: &str,
    #[case] image: &str,
    #[case] expected: bool,
) {
    let containers =
        json!({"containers": [{"name": "x", "image": "y"}, {"name": name, "image": image}]});
    let expected = vec!["csi-no-cleanup-missing"; usize::from(expected)];
    assert_eq!(daemon_set(&metadata, &json!({}), &containers), expected);
}

#[test]
fn the_reserved_taint() {
    let taint = json!([{"key": "node.gardener.cloud/critical-components-not-ready", "effect": "NoExecute"}]);
    assert_eq!(
        create(&with(shoot(), "/spec/provider/workers/0/taints", taint)),
        ["!reserved-taint-key"]
    );
}

#[test]
fn what_is_immutable() {
    let tolerance = "/spec/controlPlane/highAvailability/failureTolerance/type";
    let node = with(shoot(), tolerance, json!("node"));
    let zone = with(shoot(), tolerance, json!("zone"));
    assert_eq!(update(&zone, &node), [""; 0]);
    let scheduled = |object| with(object, "/spec/seedName", json!("seed"));
    assert_eq!(
        update(&scheduled(zone), &scheduled(node)),
        // The seed is also missing here, which has a separate finding.
        ["!immutable-field-changed", "!seed-not-found"]
    );
    let purpose = |value: &str| with(shoot(), "/spec/purpose", json!(value));
    assert_eq!(update(&purpose("production"), &purpose("evaluation")), [""; 0]);
}

fn put(fields: &[(&str, Value)]) -> Value {
    let put = |object, (path, value): &(&str, Value)| with(object, path, value.clone());
    fields.iter().fold(shoot(), put)
}

const CALICO: (&str, &str) = ("/spec/networking/type", "calico");

#[rstest]
#[case::network_gone(&[(CALICO.0, json!(CALICO.1)), ("/spec/networking/pods", json!("10.0.0.0/8"))], &[], &["networking.pods", "networking.type"])]
#[case::network_added_to(&[(CALICO.0, json!(CALICO.1))], &[(CALICO.0, json!(CALICO.1)), ("/spec/networking/pods", json!("10.0.0.0/8"))], &[])]
#[case::more_pods_on_a_node(&[], &[("/spec/kubernetes/kubelet/maxPods", json!(129))], &["kubernetes.kubeControllerManager.nodeCIDRMaskSize"])]
#[case::as_many_as_fit(&[], &[("/spec/kubernetes/kubelet/maxPods", json!(128))], &[])]
#[case::of_a_pool(&[], &[("/spec/provider/workers/0/kubernetes/kubelet/maxPods", json!(250))], &["kubernetes.kubeControllerManager.nodeCIDRMaskSize"])]
#[case::said(&[], &[("/spec/kubernetes/kubeControllerManager/nodeCIDRMaskSize", json!(24))], &[])]
#[case::said_otherwise(&[], &[("/spec/kubernetes/kubeControllerManager/nodeCIDRMaskSize", json!(23))], &["kubernetes.kubeControllerManager.nodeCIDRMaskSize"])]
#[case::another_family(&[], &[("/spec/networking/ipFamilies", json!(["IPv6"]))], &["kubernetes.kubeControllerManager.nodeCIDRMaskSize", "networking.ipFamilies"])]
#[case::both_families(&[], &[("/spec/networking/ipFamilies", json!(["IPv4", "IPv6"]))], &[])]
#[case::without_workers_only_that_is_said(&[(CALICO.0, json!(CALICO.1))], &[("/spec/provider/workers", json!([])), ("/spec/schedulerName", json!("x"))], &["kubernetes.kubeControllerManager.nodeCIDRMaskSize", "provider.workers"])]
fn what_is_filled_in_does_not_change_either(
    #[case] old: &[(&str, Value)],
    #[case] new: &[(&str, Value)],
    #[case] expected: &[&str],
) {
    let review = setup().review(&request("shoots", "UPDATE", &put(new), Some(&put(old))));
    let of_rule = review.findings.iter().filter(|it| it.rule == "shoot/immutable-fields");
    let fields: Vec<&str> = of_rule.map(|it| &it.field["spec.".len()..]).collect();
    assert_eq!(fields, expected);
}

#[test]
fn defaults_may_be_said_of_a_shoot_that_is_being_deleted() {
    let deleting = with(shoot(), "/metadata/deletionTimestamp", json!("2026-01-01T00:00:00Z"));
    let new = with(deleting.clone(), "/spec/purpose", json!("evaluation"));
    assert_eq!(update(&new, &deleting), [""; 0]);
    let new = with(deleting.clone(), "/spec/purpose", json!("production"));
    assert_eq!(update(&new, &deleting), ["!spec-frozen-when-deleting"]);
}

#[rstest]
#[case::changed(Some("a"), Some("b"), &[])]
#[case::set(None, Some("b"), &[])]
#[case::removed(Some("a"), None, &[])]
#[case::unchanged(Some("gone"), Some("gone"), &[])]
#[case::missing(Some("a"), Some("gone"), &["shoot/exposureclass-missing Forbidden spec.exposureClassName"])]
#[case::malformed(Some("a"), Some("B"), &[
    "shoot/exposureclass-name-invalid Invalid spec.exposureClassName",
    "shoot/exposureclass-missing Forbidden spec.exposureClassName",
])]
fn the_exposure_class_may_change_to_one_that_exists(
    #[case] before: Option<&str>,
    #[case] after: Option<&str>,
    #[case] expected: &[&str],
) {
    let mut setup = setup();
    for name in ["a", "b"] {
        let class: garden_gate_model::api::ExposureClass =
            serde_json::from_value(json!({"metadata": {"name": name}})).unwrap();
        setup.garden.apply(GardenObject::from(class));
    }
    let exposed = |value: Option<&str>| with(shoot(), "/spec/exposureClassName", json!(value));
    let (new, old) = (exposed(after), exposed(before));
    let denied = denials(&setup.review(&request("shoots", "UPDATE", &new, Some(&old))));
    assert_eq!(denied, expected);
}

#[rstest]
#[case("1.32.5", "`spec.secretBindingName` is deprecated, and forbidden from Kubernetes 1.34")]
#[case(
    "1.33.5",
    "the next version, Kubernetes 1.34, forbids `spec.secretBindingName`; change it first"
)]
#[case("1.34.0", "`spec.secretBindingName` is deprecated, and forbidden from Kubernetes 1.34")]
fn the_version_before_says_what_the_next_one_forbids(#[case] version: &str, #[case] says: &str) {
    let mut new = with(shoot(), "/spec/secretBindingName", json!("account"));
    new["spec"]["kubernetes"]["version"] = json!(version);
    let review = setup().review(&request("shoots", "CREATE", &new, None));
    let told = |finding: &&garden_gate_core::admission::Finding| {
        finding.finding == "shoot/warn-secret-binding-name"
    };
    let message = review.findings.iter().find(told).map(|it| it.message.as_str());
    assert_eq!(message, Some(says));
}
