// SPDX-License-Identifier: Apache-2.0
use serde_json::{Value, json};

/// A Project of namespace `garden-dev` that whitelists nothing.
pub(crate) const PROJECT: &str = "\
apiVersion: core.gardener.cloud/v1beta1
kind: Project
metadata: {name: dev}
spec: {namespace: garden-dev}
";

/// Returns a Project of namespace `garden-dev` that whitelists one toleration key.
pub(crate) fn project(whitelisted: &str) -> String {
    let tolerations = format!("garden-dev, tolerations: {{whitelist: [{{key: {whitelisted}}}]}}");
    PROJECT.replace("garden-dev", &tolerations)
}

/// Returns a Shoot of namespace `garden-dev` with these `spec.tolerations`.
pub(crate) fn shoot(tolerations: &Value) -> Value {
    json!({
        "apiVersion": "core.gardener.cloud/v1beta1",
        "kind": "Shoot",
        "metadata": {"name": "crazy", "namespace": "garden-dev"},
        "spec": {"kubernetes": {"version": "1.33.1"}, "tolerations": tolerations},
    })
}

/// Returns the AdmissionReview of an API server for an object of `core.gardener.cloud/v1beta1`.
pub(crate) fn review(operation: &str, resource: &str, object: &Value, old: &Value) -> Value {
    let some = if object.is_null() { old } else { object };
    json!({
        "apiVersion": "admission.k8s.io/v1",
        "kind": "AdmissionReview",
        "request": {
            "uid": "705ab4f5-6393-11e8-b7cc-42010a800002",
            "kind": {"group": "core.gardener.cloud", "version": "v1beta1", "kind": some["kind"]},
            "resource": {"group": "core.gardener.cloud", "version": "v1beta1", "resource": resource},
            "name": some["metadata"]["name"],
            "namespace": some["metadata"]["namespace"],
            "operation": operation,
            "userInfo": {"username": "alice", "groups": ["system:authenticated"]},
            "object": object,
            "oldObject": old,
            "dryRun": false,
        },
    })
}
