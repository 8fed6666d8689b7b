use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};

use super::api::{Api, ApiError};

/// Where both kinds of configurations are.
const PATHS: [&str; 2] = [
    "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations",
    "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations",
];

/// Makes our webhook configurations, and no others, trust `bundle`. One that does not exist needs nothing.
pub(super) async fn publish(api: &Api, name: &str, bundle: &str) -> Result<(), ApiError> {
    for path in PATHS {
        let path = format!("{path}/{name}");
        let configuration = match api.get(&path).await {
            Ok(configuration) => configuration,
            Err(ApiError::NotFound) => continue,
            Err(error) => return Err(error),
        };
        if let Some(patch) = patch(&configuration, bundle) {
            api.patch(&path, &patch).await?;
            tracing::info!("wrote the CA bundle into {path}");
        }
    }
    Ok(())
}

/// What to change so that every webhook trusts `bundle`; `None` if all do. Fails if the object has changed meanwhile.
fn patch(configuration: &Value, bundle: &str) -> Option<Value> {
    let wanted = json!(BASE64_STANDARD.encode(bundle));
    let webhooks = configuration["webhooks"].as_array()?;
    let differing = webhooks.iter().enumerate();
    let differing = differing.filter(|(_, webhook)| webhook["clientConfig"]["caBundle"] != wanted);
    // Adding a member that is there replaces it.
    let mut patch: Vec<Value> = differing
        .map(|(index, _)| {
            let path = format!("/webhooks/{index}/clientConfig/caBundle");
            json!({"op": "add", "path": path, "value": wanted})
        })
        .collect();
    if patch.is_empty() {
        return None;
    }
    let version = &configuration["metadata"]["resourceVersion"];
    patch.insert(
        0,
        json!({"op": "test", "path": "/metadata/resourceVersion", "value": version}),
    );
    Some(Value::Array(patch))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::patch;

    #[test]
    fn only_bundles_that_differ_are_written_and_only_into_what_was_read() {
        let webhook = |config| json!({"clientConfig": config});
        let new = "bmV3";
        let configuration = json!({
            "metadata": {"resourceVersion": "7"},
            "webhooks": [webhook(json!({"url": "u"})), webhook(json!({"caBundle": new})), webhook(json!({"caBundle": "b2xk"}))],
        });
        let expected = json!([
            {"op": "test", "path": "/metadata/resourceVersion", "value": "7"},
            {"op": "add", "path": "/webhooks/0/clientConfig/caBundle", "value": new},
            {"op": "add", "path": "/webhooks/2/clientConfig/caBundle", "value": new},
        ]);
        assert_eq!(patch(&configuration, "new"), Some(expected));
        let current = json!({"webhooks": [webhook(json!({"caBundle": new}))]});
        assert_eq!(patch(&current, "new"), None);
        assert_eq!(patch(&json!({}), "new"), None);
    }
}
