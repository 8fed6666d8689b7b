// SPDX-License-Identifier: Apache-2.0
//! The Extension of gardener-operator, and the two parts of the chart that it installs.

use std::fs;

use kube::ResourceExt as _;
use kube::api::DynamicObject;
use serde_json::{Map, Value, json};
use tempfile::tempdir;

use crate::chart::{OPERATOR_RUNTIME, OPERATOR_VIRTUAL, kinds, only, rendered};
use crate::cluster::helm::Helm;

const VERSION: &str = env!("CARGO_PKG_VERSION");
/// The user name of the server in the virtual garden.
const ACCOUNT: &str = "system:serviceaccount:kube-system:extension-admission-garden-gate";

fn yaml(text: &str) -> Value {
    serde_saphyr::from_str(text).unwrap()
}

fn extension() -> Value {
    yaml(include_str!("../../../examples/operator/extension.yaml"))
}

/// Makes a schema refuse unknown fields, as strict validation of an API server does.
fn refuse_unknown(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            if fields.get("properties").is_some_and(Value::is_object) {
                fields.insert("additionalProperties".to_owned(), json!(false));
            }
            fields.values_mut().for_each(refuse_unknown);
        }
        Value::Array(items) => items.iter_mut().for_each(refuse_unknown),
        _ => {}
    }
}

#[test]
fn extension_matches_the_schema_of_gardener() {
    let mut schema = yaml(include_str!("extension-schema.yaml"));
    refuse_unknown(&mut schema);
    let validator = jsonschema::validator_for(&schema).unwrap();
    let mut extension = extension();
    assert_eq!(extension["apiVersion"], "operator.gardener.cloud/v1alpha1");
    let errors: Vec<String> =
        validator.iter_errors(&extension["spec"]).map(|it| it.to_string()).collect();
    assert_eq!(errors, [""; 0]);
    extension["spec"]["deployment"]["unknown"] = json!({});
    assert!(!validator.is_valid(&extension["spec"]));
}

#[test]
fn extension_installs_this_version_in_both_clusters() {
    let admission = &extension()["spec"]["deployment"]["admission"];
    for cluster in ["runtimeCluster", "virtualCluster"] {
        let chart = &admission[cluster]["helm"]["ociRepository"]["ref"];
        let chart = chart.as_str().unwrap();
        assert!(chart.ends_with(&format!("/garden-gate:{VERSION}")), "{chart}");
    }
}

/// Renders the chart with the values of the Extension and these values of gardener-operator.
fn installed(helm: &Helm, gardener: &[&str]) -> Vec<DynamicObject> {
    let values = extension()["spec"]["deployment"]["admission"]["values"].to_string();
    let folder = tempdir().unwrap();
    let file = folder.path().join("values.json");
    fs::write(&file, values).unwrap();
    let values = format!("--values={}", file.display());
    rendered(helm, &[gardener, &[&values]].concat())
}

#[test]
fn runtime_cluster_gets_the_server() {
    let Some(helm) = Helm::find() else { return };
    let objects = installed(&helm, OPERATOR_RUNTIME);
    let expected = [
        "ConfigMap",
        "Deployment",
        "NetworkPolicy",
        "PodDisruptionBudget",
        "Service",
        "ServiceAccount",
    ];
    assert_eq!(kinds(&objects), expected);
    let template = &only(&objects, "Deployment")["spec"]["template"];
    let pod = &template["spec"];
    assert_eq!(pod["priorityClassName"], "gardener-garden-system-400");
    let arguments = pod["containers"][0]["args"].as_array().unwrap();
    for argument in [
        "--kubeconfig=$(GARDEN_KUBECONFIG)",
        "--cert-secret=extension-garden-gate/garden-gate-tls",
        "--cert-name=garden-gate.garden.svc",
        "--webhook-configuration=garden-gate",
    ] {
        assert!(arguments.contains(&json!(argument)), "{arguments:?}");
    }
    // gardener-operator mounts its own kubeconfig.
    let volumes = pod["volumes"].as_array().unwrap();
    assert_eq!(volumes.len(), 1, "{volumes:?}");
}

#[test]
fn network_policies_of_gardener_apply_in_the_runtime_cluster() {
    let Some(helm) = Helm::find() else { return };
    let more = "--set=podLabels.team=landscape,service.annotations.team=landscape";
    let objects = installed(&helm, &[OPERATOR_RUNTIME, &[more]].concat());
    let template = &only(&objects, "Deployment")["spec"]["template"];
    let labels = template["metadata"]["labels"].as_object().unwrap();
    for label in [
        "networking.gardener.cloud/to-dns",
        "networking.resources.gardener.cloud/to-virtual-garden-kube-apiserver-tcp-443",
    ] {
        assert_eq!(labels[label], "allowed");
    }
    assert_eq!(labels["team"], "landscape");
    let is_service = |it: &&DynamicObject| it.types.as_ref().unwrap().kind == "Service";
    let service = objects.iter().find(is_service).unwrap();
    let port = |port: u16| format!(r#"[{{"port":{port},"protocol":"TCP"}}]"#);
    let prefix = "networking.resources.gardener.cloud/from-all";
    let annotations = service.annotations();
    let ports = |name: &str| &annotations[&format!("{prefix}-{name}-targets-allowed-ports")];
    assert_eq!(*ports("webhook"), port(9443));
    assert_eq!(*ports("garden-scrape"), port(8080));
    assert_eq!(annotations["team"], "landscape");
    let from = &only(&objects, "NetworkPolicy")["spec"]["ingress"][0]["from"];
    let label = "networking.resources.gardener.cloud/to-all-webhook-targets";
    let api_servers = json!([{"podSelector": {"matchLabels": {label: "allowed"}}}]);
    assert_eq!(*from, api_servers);
}

#[test]
fn virtual_garden_gets_the_registration_and_permissions() {
    let Some(helm) = Helm::find() else { return };
    let objects = installed(&helm, OPERATOR_VIRTUAL);
    let expected = [
        "ClusterRole",
        "ClusterRole",
        "ClusterRoleBinding",
        "ClusterRoleBinding",
        "MutatingWebhookConfiguration",
        "Role",
        "Role",
        "RoleBinding",
        "RoleBinding",
        "Secret",
        "ValidatingAdmissionPolicy",
        "ValidatingAdmissionPolicyBinding",
        "ValidatingWebhookConfiguration",
    ];
    assert_eq!(kinds(&objects), expected);
    let subject = json!([{
        "kind": "ServiceAccount",
        "name": "extension-admission-garden-gate",
        "namespace": "kube-system",
    }]);
    for object in &objects {
        let kind = &object.types.as_ref().unwrap().kind;
        if kind.ends_with("RoleBinding") {
            assert_eq!(object.data["subjects"], subject, "{}", object.name_any());
        }
        if kind == "Secret" {
            // gardener-resource-manager must not empty it, and the server adopts only Secrets with the label.
            let annotation = "resources.gardener.cloud/ignore";
            assert_eq!(object.annotations()[annotation], "true");
            let label = "app.kubernetes.io/managed-by";
            assert_eq!(object.labels()[label], "garden-gate");
            assert_eq!(object.data.get("data"), None);
        }
        if kind == "ValidatingAdmissionPolicy" {
            let conditions = object.data["spec"]["matchConditions"].to_string();
            assert!(conditions.contains(ACCOUNT), "{conditions}");
        }
        if kind.ends_with("WebhookConfiguration") {
            for webhook in object.data["webhooks"].as_array().unwrap() {
                let url = webhook["clientConfig"]["url"].as_str().unwrap();
                assert!(url.starts_with("https://garden-gate.garden.svc:443/"));
                assert_eq!(webhook["failurePolicy"], "Ignore");
            }
        }
    }
}

/// The two installations have no object in common, also if one cluster is both.
#[test]
fn parts_together_are_the_whole_chart() {
    let Some(helm) = Helm::find() else { return };
    let names = |values: &[&str]| {
        let objects = rendered(&helm, values);
        let names = objects.iter().map(|object| {
            let kind = object.types.as_ref().unwrap().kind.clone();
            (format!("{kind} {}", object.name_any()), Value::Null)
        });
        names.collect::<Map<String, Value>>()
    };
    let (runtime, mut both) = (names(OPERATOR_RUNTIME), names(OPERATOR_VIRTUAL));
    assert!(runtime.keys().all(|it| !both.contains_key(it)));
    both.extend(runtime);
    let mut whole = names(crate::chart::DEFAULT);
    // A Helm hook.
    assert!(whole.remove("Pod garden-gate-probe").is_some());
    assert_eq!(both, whole);
}
