// SPDX-License-Identifier: Apache-2.0
//! Feature gates, admission plugins and APIs, which Kubernetes adds and removes with versions.

use rstest::rstest;
use serde_json::{Value, json};

use garden_gate_core::admission::Review;
use garden_gate_core::config::Profile;

use crate::judging::{Setup, request};

fn shoot(kubernetes: Value, workers: Value) -> Value {
    let mut kubernetes = kubernetes;
    if kubernetes["version"].is_null() {
        kubernetes["version"] = json!("1.34.7");
    }
    json!({
        "apiVersion": "core.gardener.cloud/v1beta1",
        "kind": "Shoot",
        "metadata": {"name": "web", "namespace": "garden-p"},
        "spec": {
            "cloudProfile": {"name": "c"},
            "region": "eu",
            "kubernetes": kubernetes,
            "provider": {"type": "stratus", "workers": workers},
        },
    })
}

fn pool(kubernetes: Value) -> Value {
    json!([{
        "name": "pool", "minimum": 1, "maximum": 2, "maxSurge": 1, "kubernetes": kubernetes,
        "machine": {"type": "m", "image": {"name": "i", "version": "1.0.0"}},
    }])
}

fn review(kubernetes: Value, workers: Value) -> Review {
    let shoot = shoot(kubernetes, workers);
    Setup::with_project(None).review_wholly(&request("shoots", "CREATE", &shoot, None))
}

fn told(kubernetes: Value, workers: Value) -> Vec<String> {
    let review = review(kubernetes, workers);
    let rules = ["shoot/feature-gates", "shoot/admission-plugins", "shoot/runtime-config"];
    let findings = review.findings.iter().filter(|it| rules.contains(&it.rule));
    let told = findings.map(|it| {
        let place = it.field.replace("spec.kubernetes.", "").replace("spec.provider.", "");
        format!("{}@{place}", it.finding.trim_start_matches("shoot/"))
    });
    told.collect()
}

fn of_server(field: &str, value: Value) -> Value {
    json!({"kubeAPIServer": {field: value}})
}

const NO_POOLS: fn() -> Value = || json!([]);

#[rstest]
#[case::known(of_server("featureGates", json!({"AllAlpha": true, "WatchList": false})), pool(json!({})), &[])]
#[case::unknown(of_server("featureGates", json!({"Bogus": true})), pool(json!({})), &["feature-gate-unknown@kubeAPIServer.featureGates.Bogus"])]
#[case::removed(of_server("featureGates", json!({"APIListChunking": true})), pool(json!({})), &["feature-gate-absent@kubeAPIServer.featureGates.APIListChunking"])]
#[case::not_there_yet(json!({"kubeScheduler": {"featureGates": {"VolumeLimitScaling": true}}}), pool(json!({})), &["feature-gate-absent@kubeScheduler.featureGates.VolumeLimitScaling"])]
#[case::locked(json!({"kubeControllerManager": {"featureGates": {"SidecarContainers": false}}}), pool(json!({})), &["feature-gate-locked@kubeControllerManager.featureGates.SidecarContainers"])]
#[case::locked_as_it_is(json!({"kubeProxy": {"mode": "IPTables", "featureGates": {"SidecarContainers": true}}}), pool(json!({})), &[])]
#[case::locked_to_no(json!({"version": "1.35.1", "kubelet": {"featureGates": {"AllowOverwriteTerminationGracePeriodSeconds": true}}}), pool(json!(null)), &["feature-gate-locked@kubelet.featureGates.AllowOverwriteTerminationGracePeriodSeconds"])]
#[case::in_a_pools_version(json!({"version": "1.33.1"}), pool(json!({"version": "1.32.9", "kubelet": {"featureGates": {"APIListChunking": true}}})), &[])]
#[case::as_the_shoot_has_it(json!({"version": "1.33.1", "kubelet": {"featureGates": {"APIListChunking": true}}}), pool(json!({"version": "1.32.9"})), &["feature-gate-absent@kubelet.featureGates.APIListChunking"])]
#[case::inherited(json!({"version": "1.33.1", "kubelet": {"featureGates": {"Bogus": true}}}), pool(json!({})), &["feature-gate-unknown@kubelet.featureGates.Bogus", "feature-gate-unknown@workers[0].kubernetes.kubelet.featureGates.Bogus"])]
#[case::of_what_there_is_not(json!({"kubeScheduler": {"featureGates": {"Bogus": true}}}), NO_POOLS(), &[])]
#[case::autoscaler(json!({"verticalPodAutoscaler": {"enabled": true, "featureGates": {"InPlace": true, "Bogus": true}}}), pool(json!({})), &["feature-gate-unknown@verticalPodAutoscaler.featureGates.Bogus"])]
fn feature_gates(#[case] kubernetes: Value, #[case] pools: Value, #[case] expected: &[&str]) {
    assert_eq!(told(kubernetes, pools), expected);
}

#[rstest]
#[case::known(json!([{"name": "PodNodeSelector", "config": {"a": 1}}, {"name": "AlwaysPullImages", "disabled": true}]), &[])]
#[case::no_name(json!([{"name": ""}, {"name": "Bogus"}]), &["admission-plugin-nameless@kubeAPIServer.admissionPlugins[0].name"])]
#[case::unknown(json!([{"name": "Bogus"}]), &["admission-plugin-unknown@kubeAPIServer.admissionPlugins[0].name"])]
#[case::removed(json!([{"name": "PersistentVolumeLabel"}]), &["admission-plugin-absent@kubeAPIServer.admissionPlugins[0].name"])]
#[case::needed(json!([{"name": "NodeRestriction", "disabled": true}]), &["admission-plugin-needed@kubeAPIServer.admissionPlugins[0]"])]
#[case::needed_and_on(json!([{"name": "NodeRestriction", "disabled": false}]), &[])]
#[case::without_configuration(json!([{"name": "AlwaysPullImages", "config": {"a": 1}}]), &["admission-plugin-not-configurable@kubeAPIServer.admissionPlugins[0].config"])]
#[case::without_kubeconfig(json!([{"name": "PodNodeSelector", "kubeconfigSecretName": "s"}]), &["admission-plugin-not-configurable@kubeAPIServer.admissionPlugins[0].kubeconfigSecretName"])]
#[case::with_kubeconfig(json!([{"name": "ValidatingAdmissionWebhook", "kubeconfigSecretName": "s"}]), &[])]
#[case::pod_security(json!([{"name": "PodSecurity", "config": {"apiVersion": "pod-security.admission.config.k8s.io/v1", "kind": "PodSecurityConfiguration"}}]), &[])]
#[case::modes(json!([{"name": "PodSecurity", "config": {"apiVersion": "pod-security.admission.config.k8s.io/v1", "kind": "PodSecurityConfiguration", "other": 1,
    "defaults": {"enforce": "baseline", "audit-version": null, "other": 1}, "exemptions": {"usernames": ["a", null], "namespaces": []}}}]), &[])]
#[case::defaults_of_another_type(json!([{"name": "PodSecurity", "config": {"apiVersion": "pod-security.admission.config.k8s.io/v1", "kind": "PodSecurityConfiguration", "defaults": 5}}]), &["admission-plugin-config@kubeAPIServer.admissionPlugins[0].config"])]
#[case::a_mode_of_another_type(json!([{"name": "PodSecurity", "config": {"apiVersion": "pod-security.admission.config.k8s.io/v1", "kind": "PodSecurityConfiguration", "defaults": {"warn": true}}}]), &["admission-plugin-config@kubeAPIServer.admissionPlugins[0].config"])]
#[case::names_of_another_type(json!([{"name": "PodSecurity", "config": {"apiVersion": "pod-security.admission.config.k8s.io/v1", "kind": "PodSecurityConfiguration", "exemptions": {"usernames": "a"}}}]), &["admission-plugin-config@kubeAPIServer.admissionPlugins[0].config"])]
#[case::another_kind(json!([{"name": "PodSecurity", "config": {"apiVersion": "v1", "kind": "ConfigMap"}}]), &["admission-plugin-config@kubeAPIServer.admissionPlugins[0].config"])]
fn admission_plugins(#[case] plugins: Value, #[case] expected: &[&str]) {
    let kubernetes = of_server("admissionPlugins", plugins);
    assert_eq!(told(kubernetes, pool(json!({}))), expected);
}

#[rstest]
#[case::on(json!({"batch/v1": true, "v1": true, "apps/v1beta1/deployments": false}), true, &[])]
#[case::unknown(json!({"apps/v9": true}), true, &["api-unknown@kubeAPIServer.runtimeConfig[apps/v9]"])]
#[case::unknown_resource(json!({"v1/nonexistent": true}), true, &["api-unknown@kubeAPIServer.runtimeConfig[v1/nonexistent]"])]
#[case::too_many_steps(json!({"a/b/c/d": true}), true, &["api-unknown@kubeAPIServer.runtimeConfig[a/b/c/d]"])]
#[case::not_there_yet(json!({"scheduling.k8s.io/v1alpha2": true}), true, &["api-absent@kubeAPIServer.runtimeConfig[scheduling.k8s.io/v1alpha2]"])]
#[case::needed(json!({"apps/v1": false}), true, &["api-needed@kubeAPIServer.runtimeConfig[apps/v1]"])]
#[case::needed_as_a_whole(json!({"apps/v1/deployments": false}), true, &["api-needed@kubeAPIServer.runtimeConfig[apps/v1/deployments]"])]
#[case::needed_for_a_resource(json!({"policy/v1": false}), true, &["api-needed@kubeAPIServer.runtimeConfig[policy/v1]"])]
#[case::not_needed_without_workers(json!({"apps/v1": false}), false, &[])]
#[case::needed_without_workers(json!({"discovery.k8s.io/v1": false}), false, &["api-needed@kubeAPIServer.runtimeConfig[discovery.k8s.io/v1]"])]
fn apis(#[case] config: Value, #[case] has_workers: bool, #[case] expected: &[&str]) {
    let pools = if has_workers { pool(json!({})) } else { NO_POOLS() };
    assert_eq!(told(of_server("runtimeConfig", config), pools), expected);
}

#[rstest]
#[case::itself("apps/v1", "the API `apps/v1` is needed and cannot be turned off")]
#[case::its_version(
    "apps/v1/deployments",
    "the API `apps/v1/deployments` cannot be turned off, as `apps/v1` is needed"
)]
fn message_names_the_needed_api(#[case] api: &str, #[case] expected: &str) {
    let kubernetes = of_server("runtimeConfig", json!({api: false}));
    let review = review(kubernetes, pool(json!({})));
    let mut findings = review.findings.iter();
    let found = findings.find(|it| it.finding == "shoot/api-needed");
    assert_eq!(found.unwrap().message, expected);
}

/// Returns warnings about features that the next minor version of Kubernetes removes, for a new or changed Shoot.
fn ahead(old: Option<&Value>, new: &Value) -> Vec<String> {
    let mut setup = Setup::with_project(None);
    setup.config.profile = Profile::Documented;
    let operation = old.map_or("CREATE", |_| "UPDATE");
    let review = setup.review_wholly(&request("shoots", operation, new, old));
    let findings = review.findings.iter().filter(|it| it.rule == "advice/next-minor");
    findings.map(|it| it.message.replace("Kubernetes ", "")).collect()
}

#[rstest]
#[case::stays(of_server("featureGates", json!({"AllAlpha": true})), pool(json!({})), &[])]
#[case::gone_already(json!({"version": "1.33.1", "kubelet": {"featureGates": {"APIListChunking": true}}}), pool(json!(null)), &[])]
#[case::removed(json!({"version": "1.32.9", "kubeScheduler": {"featureGates": {"APIListChunking": true, "Bogus": true}}}), pool(json!(null)), &["`1.33` has no feature gate `APIListChunking` any more"])]
#[case::two_later(json!({"version": "1.31.9", "kubeScheduler": {"featureGates": {"APIListChunking": true}}}), pool(json!(null)), &[])]
#[case::locked(json!({"version": "1.34.9", "kubeProxy": {"featureGates": {"AggregatedDiscoveryRemoveBetaType": false}}}), pool(json!(null)), &["in `1.35` feature gate `AggregatedDiscoveryRemoveBetaType` cannot be false any more"])]
#[case::locked_as_it_is(json!({"version": "1.34.9", "kubeProxy": {"featureGates": {"AggregatedDiscoveryRemoveBetaType": true}}}), pool(json!(null)), &[])]
#[case::of_a_pool(json!({"version": "1.34.9"}), pool(json!({"version": "1.32.1", "kubelet": {"featureGates": {"APIListChunking": true}}})), &["`1.33` has no feature gate `APIListChunking` any more"])]
#[case::without_workers(json!({"version": "1.32.9", "kubelet": {"featureGates": {"APIListChunking": true}}}), NO_POOLS(), &[])]
#[case::plugin(json!({"version": "1.30.9", "kubeAPIServer": {"admissionPlugins": [{"name": "PersistentVolumeLabel"}, {"name": "AlwaysAdmit"}, {"name": "?"}]}}), pool(json!(null)), &["`1.31` has no admission plugin `PersistentVolumeLabel` any more"])]
#[case::api(json!({"version": "1.35.9", "kubeAPIServer": {"runtimeConfig": {"autoscaling/v2beta1": true, "apps/v1": true}}}), pool(json!(null)), &["`1.36` has no API `autoscaling/v2beta1` any more"])]
#[case::gate_of_1_37(json!({"version": "1.36.2", "kubelet": {"featureGates": {"SidecarContainers": true, "NodeDeclaredFeatures": false}}}), pool(json!(null)), &["in `1.37` feature gate `NodeDeclaredFeatures` cannot be false any more", "`1.37` has no feature gate `SidecarContainers` any more"])]
#[case::after_the_newest_known(json!({"version": "1.37.2", "kubelet": {"featureGates": {"AllAlpha": true}}}), pool(json!(null)), &[])]
#[case::no_version(json!({"version": "1.x", "kubeAPIServer": {"runtimeConfig": {"autoscaling/v2beta1": true}}}), pool(json!(null)), &[])]
fn obstacles_to_the_next_minor_version(
    #[case] kubernetes: Value,
    #[case] pools: Value,
    #[case] expected: &[&str],
) {
    let new = shoot(kubernetes, pools);
    assert_eq!(ahead(None, &new), expected);
    // The warning appears only when the feature is first used, not with every later change.
    assert_eq!(ahead(Some(&new), &new), [""; 0]);
    let before = shoot(json!({}), pool(json!(null)));
    assert_eq!(ahead(Some(&before), &new), expected);
}
