// SPDX-License-Identifier: Apache-2.0
use axum::http::{Request, header};
use kube::api::{Api, DynamicObject, Patch, PatchParams};
use kube::core::GroupVersionKind;
use kube::discovery::{self, Scope};
use kube::{Client, Resource, ResourceExt as _};

use super::waiting::eventually;

/// Parses the objects of a YAML file; empty documents are left out.
pub(crate) fn documents(yaml: &str) -> Vec<DynamicObject> {
    let values: Vec<serde_json::Value> = serde_saphyr::from_multiple(yaml).unwrap();
    let objects = values.into_iter().filter(|value| !value.is_null());
    objects.map(|value| serde_json::from_value(value).unwrap()).collect()
}

/// Applies every object of a YAML file, as `kubectl apply --server-side` does, and returns the stored objects.
pub(crate) async fn apply(client: &Client, yaml: &str) -> Vec<DynamicObject> {
    let mut stored = Vec::new();
    for object in documents(yaml) {
        let applied = patch(client, &object, &params()).await;
        stored.push(
            applied
                .unwrap_or_else(|error| panic!("failed to apply {}: {error}", object.name_any())),
        );
    }
    stored
}

/// Sends a dry run with strict field validation.
pub(crate) async fn dry_run(
    client: &Client,
    object: &DynamicObject,
) -> kube::Result<DynamicObject> {
    patch(client, object, &params().dry_run().validation_strict()).await
}

/// Changes an object with a JSON patch; a dry run stores nothing.
pub(crate) async fn json_patch<K: Clone + Resource>(
    api: &Api<K>,
    name: &str,
    patch: &serde_json::Value,
    is_dry: bool,
) -> kube::Result<serde_json::Value> {
    let query = if is_dry { "?dryRun=All" } else { "" };
    let request = Request::patch(format!("{}/{name}{query}", api.resource_url()))
        .header(header::CONTENT_TYPE, "application/json-patch+json")
        .body(patch.to_string().into_bytes());
    api.clone().into_client().request(request.unwrap()).await
}

fn params() -> PatchParams {
    PatchParams::apply("garden-gate-tests").force()
}

async fn patch(
    client: &Client,
    object: &DynamicObject,
    params: &PatchParams,
) -> kube::Result<DynamicObject> {
    let api = api(client, object).await;
    api.patch(&object.name_any(), params, &Patch::Apply(object)).await
}

/// Returns the API of an object's kind; waits for a new CustomResourceDefinition.
async fn api(client: &Client, object: &DynamicObject) -> Api<DynamicObject> {
    let types = object.types.clone().unwrap();
    let kind = GroupVersionKind::try_from(&types).unwrap();
    let (resource, capabilities) = eventually(&format!("{kind:?} is served"), async || {
        discovery::pinned_kind(client, &kind).await.ok()
    })
    .await;
    match (capabilities.scope, object.namespace()) {
        (Scope::Namespaced, Some(namespace)) => {
            Api::namespaced_with(client.clone(), &namespace, &resource)
        }
        (Scope::Namespaced, None) => Api::default_namespaced_with(client.clone(), &resource),
        (Scope::Cluster, _) => Api::all_with(client.clone(), &resource),
    }
}
