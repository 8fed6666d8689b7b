// SPDX-License-Identifier: Apache-2.0
//! The steps of a maintenance run that do not update versions, each with a case from Gardener's reconciler.

use garden_gate_core::config::Config;
use garden_gate_core::garden::GardenObject;
use garden_gate_model::api::{CredentialsBinding, GardenerVersion, SecretBinding};
use rstest::rstest;
use serde_json::{Value, json};

use crate::forecast_windows::{Case, IMAGE, case};

const MOVE: &str = "2026-02-01 control plane 1.33.9→1.34.7 forced";

fn secret_binding(name: &str, quotas: Value) -> GardenObject {
    let binding = json!({
        "metadata": {"name": name, "namespace": "garden-p"},
        "provider": {"type": "x"},
        "secretRef": {"name": "account", "namespace": "garden-p"},
        "quotas": quotas,
    });
    GardenObject::from(serde_json::from_value::<SecretBinding>(binding).unwrap())
}

fn credentials_binding(name: &str, kind: &str, secret: &str, quotas: Value) -> GardenObject {
    let binding = json!({
        "metadata": {"name": name, "namespace": "garden-p"},
        "provider": {"type": "x"},
        "credentialsRef": {"apiVersion": "v1", "kind": kind, "name": secret, "namespace": "garden-p"},
        "quotas": quotas,
    });
    GardenObject::from(serde_json::from_value::<CredentialsBinding>(binding).unwrap())
}

fn same(name: &str) -> GardenObject {
    credentials_binding(name, "Secret", "account", json!([]))
}

/// Returns a Shoot with SecretBinding `sb` whose version expires.
fn bound(kubernetes: &'static str) -> Case {
    case(kubernetes, IMAGE)
        .with("/spec", "secretBindingName", json!("sb"))
        .rules(&["shoot/removed-fields", "shoot/binding-missing"])
}

fn quotas(names: &[&str]) -> Value {
    let quotas = names.iter().map(|name| json!({"name": name, "namespace": "garden"}));
    quotas.collect()
}

#[rstest]
#[case::existing_one_of_the_same_secret(&[same("account")], "account", false)]
#[case::first_by_name(&[same("b"), same("a")], "a", false)]
#[case::earlier_migration(&[same("a"), same("force-migrated-sb")], "force-migrated-sb", false)]
#[case::another_secret(&[credentials_binding("a", "Secret", "other", json!([]))], "force-migrated-sb", false)]
#[case::another_kind(&[credentials_binding("a", "WorkloadIdentity", "account", json!([]))], "force-migrated-sb", false)]
#[case::other_quotas(&[credentials_binding("a", "Secret", "account", quotas(&["q"]))], "force-migrated-sb", false)]
#[case::earlier_migration_with_another_secret(
    &[credentials_binding("force-migrated-sb", "Secret", "other", json!([])), same("a")], "?", true
)]
#[case::earlier_migration_with_other_quotas(
    &[credentials_binding("force-migrated-sb", "Secret", "account", quotas(&["q"])), same("a")], "?", true
)]
fn secret_binding_is_replaced_as_by_the_reconciler(
    #[case] bindings: &[GardenObject],
    #[case] name: &str,
    #[case] is_blocked: bool,
) {
    let mut case = bound("1.33.9 @soon; 1.34.7").object(secret_binding("sb", json!([])));
    for binding in bindings {
        case = case.object(binding.clone());
    }
    let blocked = if is_blocked { " (blocked)" } else { "" };
    let to = match name {
        "?" => "?".to_owned(),
        name => format!("CredentialsBinding {name}"),
    };
    let expected = [
        format!("{MOVE}{blocked}"),
        format!("2026-02-01 spec.secretBindingName sb→{to} forced{blocked}"),
    ];
    assert_eq!(case.told(), expected);
}

#[test]
fn quotas_are_compared_as_sets() {
    let case = bound("1.33.9 @soon; 1.34.7")
        .object(secret_binding("sb", quotas(&["a", "b"])))
        .object(credentials_binding("c", "Secret", "account", quotas(&["b", "a"])));
    assert!(case.told()[1].contains("sb→CredentialsBinding c "));
}

#[test]
fn created_binding_exists_in_later_windows() {
    let case = bound("1.33.9 @soon; 1.34.7 @+40d; 1.35.2")
        .object(secret_binding("sb", json!([])))
        .object(credentials_binding("x", "Secret", "other", json!([])));
    let told = case.told();
    assert!(told.iter().all(|it| !it.contains("blocked")), "{told:?}");
    assert_eq!(told.last().unwrap(), "2026-02-24 control plane 1.34.7→1.35.2 forced");
}

#[test]
fn missing_secret_binding_blocks_the_run() {
    let case =
        bound("1.33.9 @soon; 1.34.7").object(secret_binding("other", json!([]))).object(same("a"));
    assert!(case.told()[0].ends_with("(blocked)"));
    assert!(case.causes()[1].ends_with("SecretBinding `sb` does not exist"));
}

#[test]
fn unknown_secret_binding_makes_the_run_uncertain() {
    let case = bound("1.33.9 @soon; 1.34.7").object(same("a"));
    let forecast = case.forecast();
    assert!(!forecast.windows[0].is_blocked());
    assert!(!forecast.windows[0].unknown.is_empty());
}

fn ingress(enabled: bool) -> Case {
    let addons = json!({"nginxIngress": {"enabled": enabled}});
    case("1.34.1", IMAGE).with("/spec", "addons", addons)
}

#[rstest]
#[case::enabled(true, true, &["2026-01-15 spec.addons.nginxIngress.enabled true→false forced"])]
#[case::disabled(false, true, &[])]
#[case::gate_off(true, false, &[])]
fn disallowed_ingress_is_disabled_once(
    #[case] enabled: bool,
    #[case] gate: bool,
    #[case] expected: &[&str],
) {
    let gate = |config: &mut Config| config.feature_gates.disable_nginx_ingress_in_shoot = gate;
    assert_eq!(ingress(enabled).config(gate).told(), expected);
}

fn gardener(minor: u16) -> impl FnOnce(&mut Config) {
    move |config| config.gardener_version = GardenerVersion::of_minor(minor)
}

fn forced(from: &'static str) -> Case {
    case(from, IMAGE).with("/spec", "kubernetes", {
        let version = from.split([' ', ';']).next().unwrap();
        json!({
            "version": version,
            "kubeAPIServer": {
                "enableAnonymousAuthentication": false,
                "oidcConfig": {"clientAuthentication": {"secret": "x"}, "clientID": "x"},
                "watchCacheSizes": {"default": 100},
            },
            "kubeControllerManager": {"podEvictionTimeout": "2m"},
            "kubeScheduler": {"kubeMaxPDVols": "3"},
            "kubelet": {"systemReserved": {"cpu": "100m"}, "kubeReserved": {"cpu": "50m"}},
            "clusterAutoscaler": {"maxEmptyBulkDelete": 3},
        })
    })
}

/// The fields that the reconciler of a version of Gardener removes in a step of the control plane.
#[rstest]
#[case(140, "1.30.5 @soon; 1.31.2", &[
    "spec.kubernetes.kubeAPIServer.oidcConfig.clientAuthentication", "spec.kubernetes.kubelet.systemReserved",
])]
#[case(141, "1.30.5 @soon; 1.31.2", &[])]
#[case(141, "1.31.5 @soon; 1.32.2", &["spec.kubernetes.kubeAPIServer.oidcConfig"])]
#[case(142, "1.31.5 @soon; 1.32.2", &[])]
#[case(150, "1.32.5 @soon; 1.33.2", &[
    "spec.kubernetes.kubeControllerManager.podEvictionTimeout", "spec.kubernetes.clusterAutoscaler.maxEmptyBulkDelete",
])]
#[case(150, "1.33.5 @soon; 1.34.2", &[])]
#[case(150, "1.34.5 @soon; 1.35.2", &[
    "spec.kubernetes.kubeAPIServer.enableAnonymousAuthentication", "spec.kubernetes.kubeScheduler.kubeMaxPDVols",
    "spec.kubernetes.kubeAPIServer.watchCacheSizes.default",
])]
fn fields_are_removed_by_version(
    #[case] minor: u16,
    #[case] kubernetes: &'static str,
    #[case] expected: &[&str],
) {
    let forecast = forced(kubernetes).config(gardener(minor)).forecast();
    let events = forecast.windows.iter().flat_map(|it| &it.events);
    let fields = events.filter(|it| it.part.kind() == "field");
    let fields: Vec<String> = fields.map(|it| it.part.to_string()).collect();
    assert_eq!(fields, expected);
}

#[test]
fn automatic_updates_of_the_patch_version_remove_no_field() {
    let updates = json!({"kubernetesVersion": true, "machineImageVersion": false});
    let case = forced("1.34.1; 1.34.5").with("/spec/maintenance", "autoUpdate", updates);
    assert_eq!(case.told(), ["2026-01-15 control plane 1.34.1→1.34.5 regular"]);
}

/// A feature gate of Kubernetes 1.36 that Gardener knows since 1.145.
#[test]
fn feature_gates_are_removed_by_the_tables_of_the_version_of_gardener() {
    let gates = json!({"featureGates": {"NoSuchGate": true}});
    let case = case("1.34.1", IMAGE).with("/spec/kubernetes", "kubelet", gates);
    let path = "spec.kubernetes.kubelet.featureGates";
    let expected = format!("2026-01-15 {path} NoSuchGate→? forced");
    assert_eq!(case.told(), [expected]);
}

/// Gardener until 1.148 starts the rotation of a hibernated Shoot, which the API server refuses.
#[rstest]
#[case(148, &["2026-01-31 operation rotate-etcd-encryption-key→? regular (blocked)"])]
#[case(149, &[])]
fn etcd_encryption_key_of_a_hibernated_shoot(#[case] minor: u16, #[case] expected: &[&str]) {
    let rotation = json!({"credentials": {"etcdEncryptionKey": {"rotationPeriod": "720h"}}});
    let status = json!({"lastOperation": {"type": "Reconcile", "state": "Succeeded"}});
    let case = case("1.34.1", IMAGE)
        .with("/spec/maintenance", "autoRotation", rotation)
        .with("/spec", "hibernation", json!({"enabled": true}))
        .with("", "status", status)
        .config(gardener(minor));
    assert_eq!(case.told(), expected);
}
