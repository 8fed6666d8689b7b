// SPDX-License-Identifier: Apache-2.0
use std::fmt::Debug;

use k8s_openapi::ByteString;
use k8s_openapi::api::admissionregistration::v1::{
    MutatingWebhookConfiguration, ValidatingWebhookConfiguration,
};
use kube::Resource;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::api::{Api, ApiError};

/// An object that is watched.
pub(super) trait Object:
    Clone + Debug + DeserializeOwned + Resource<DynamicType = ()>
{
}

impl<K: Clone + Debug + DeserializeOwned + Resource<DynamicType = ()>> Object for K {}

/// A mutating or validating webhook configuration.
pub(super) trait Configuration: Object {
    /// Returns the CA bundle of each webhook, in order.
    fn bundles(&self) -> Vec<Option<&ByteString>>;
}

impl Configuration for MutatingWebhookConfiguration {
    fn bundles(&self) -> Vec<Option<&ByteString>> {
        let webhooks = self.webhooks.iter().flatten();
        webhooks.map(|it| it.client_config.ca_bundle.as_ref()).collect()
    }
}

impl Configuration for ValidatingWebhookConfiguration {
    fn bundles(&self) -> Vec<Option<&ByteString>> {
        let webhooks = self.webhooks.iter().flatten();
        webhooks.map(|it| it.client_config.ca_bundle.as_ref()).collect()
    }
}

/// Reports whether a webhook of garden-gate's own configurations has a CA bundle.
pub(super) async fn have_bundle(api: &Api, name: &str) -> Result<bool, ApiError> {
    Ok(has_bundle::<MutatingWebhookConfiguration>(api, name).await?
        || has_bundle::<ValidatingWebhookConfiguration>(api, name).await?)
}

async fn has_bundle<C: Configuration>(api: &Api, name: &str) -> Result<bool, ApiError> {
    let configuration = read::<C>(api, name).await?;
    let is_set = |it: Option<&ByteString>| it.is_some_and(|bundle| !bundle.0.is_empty());
    Ok(configuration.is_some_and(|it| it.bundles().into_iter().any(is_set)))
}

/// Sets the CA bundle in garden-gate's own webhook configurations, and returns whether it was another one.
/// A missing configuration is skipped.
pub(super) async fn publish(api: &Api, name: &str, bundle: &str) -> Result<bool, ApiError> {
    let is_mutating_written = publish_in::<MutatingWebhookConfiguration>(api, name, bundle).await?;
    let is_written = publish_in::<ValidatingWebhookConfiguration>(api, name, bundle).await?;
    Ok(is_mutating_written || is_written)
}

async fn publish_in<C: Configuration>(
    api: &Api,
    name: &str,
    bundle: &str,
) -> Result<bool, ApiError> {
    match write::<C>(api, name, bundle).await {
        // All replicas repair the same change at once, and only the first one writes.
        Err(_) => write::<C>(api, name, bundle).await,
        written => written,
    }
}

async fn write<C: Configuration>(api: &Api, name: &str, bundle: &str) -> Result<bool, ApiError> {
    let Some(configuration) = read::<C>(api, name).await? else {
        return Ok(false);
    };
    let Some(patch) = patch(&configuration, bundle) else {
        return Ok(false);
    };
    let path = path::<C>(name);
    api.patch(&path, &patch).await?;
    tracing::info!("wrote the CA bundle into {path}");
    Ok(true)
}

/// Reads a configuration; `None` if it does not exist.
async fn read<C: Configuration>(api: &Api, name: &str) -> Result<Option<C>, ApiError> {
    match api.get(&path::<C>(name)).await {
        Ok(configuration) => Ok(Some(configuration)),
        Err(ApiError::NotFound) => Ok(None),
        Err(error) => Err(error),
    }
}

fn path<C: Configuration>(name: &str) -> String {
    format!("{}/{name}", C::url_path(&(), None))
}

/// Returns a JSON patch that sets `bundle` in every webhook; `None` if all have it.
/// Fails on concurrent changes.
pub(super) fn patch(configuration: &impl Configuration, bundle: &str) -> Option<Value> {
    let wanted = ByteString(bundle.as_bytes().to_vec());
    let bundles = configuration.bundles().into_iter().enumerate();
    let differing = bundles.filter(|(_, bundle)| *bundle != Some(&wanted));
    // `add` replaces an existing member.
    let mut patch: Vec<Value> = differing
        .map(|(index, _)| {
            let path = format!("/webhooks/{index}/clientConfig/caBundle");
            json!({"op": "add", "path": path, "value": wanted})
        })
        .collect();
    if patch.is_empty() {
        return None;
    }
    let version = &configuration.meta().resource_version;
    patch.insert(0, json!({"op": "test", "path": "/metadata/resourceVersion", "value": version}));
    Some(Value::Array(patch))
}

#[cfg(test)]
mod tests {
    use k8s_openapi::api::admissionregistration::v1::MutatingWebhookConfiguration;
    use serde_json::{Value, json};

    use super::patch;

    fn configuration(value: Value) -> MutatingWebhookConfiguration {
        serde_json::from_value(value).unwrap()
    }

    #[test]
    fn only_bundles_that_differ_are_written_and_only_into_what_was_read() {
        let webhook = |config| json!({"clientConfig": config});
        let new = "bmV3";
        let old = configuration(json!({
            "metadata": {"resourceVersion": "7"},
            "webhooks": [webhook(json!({"url": "u"})), webhook(json!({"caBundle": new})), webhook(json!({"caBundle": "b2xk"}))],
        }));
        let expected = json!([
            {"op": "test", "path": "/metadata/resourceVersion", "value": "7"},
            {"op": "add", "path": "/webhooks/0/clientConfig/caBundle", "value": new},
            {"op": "add", "path": "/webhooks/2/clientConfig/caBundle", "value": new},
        ]);
        assert_eq!(patch(&old, "new"), Some(expected));
        let current = configuration(json!({"webhooks": [webhook(json!({"caBundle": new}))]}));
        assert_eq!(patch(&current, "new"), None);
        assert_eq!(patch(&configuration(json!({})), "new"), None);
    }
}
