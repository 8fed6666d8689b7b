//! What an API server brings into line before it compares two Shoots.

use serde_json::json;

use crate::compat::{Fields, Json, is_at_least};
use crate::model::Shoot;

/// Brings into line references to profiles (not in deletion) and Secrets of DNS providers, as long as the version has both names.
///
/// Mirrors SyncCloudProfileFields in `pkg/utils/gardener/cloudprofile.go` and SyncDNSProviderCredentials in
/// `pkg/apiserver/registry/core/shoot/strategy.go`.
pub(super) fn align(spec: &mut Json<'_>, shoot: &Shoot) {
    let version = &shoot.spec.kubernetes.version;
    let is_deleted = shoot.metadata.deletion_timestamp.is_some();
    if !is_deleted
        && !is_at_least(version, 1, 34)
        && let Some(fields) = spec.fields()
    {
        align_profile(fields);
    }
    if is_at_least(version, 1, 35) {
        return;
    }
    let providers = spec.at(&["dns", "providers"]).and_then(Json::elements);
    for provider in providers.into_iter().flatten() {
        align_provider(provider);
    }
}

/// Two names of one profile become one reference.
fn align_profile(spec: &mut Fields<'_>) {
    let name = spec.get("cloudProfileName");
    if let Some(name) = name.and_then(|it| it.read::<String>().ok()) {
        spec.fill(
            "cloudProfile",
            &json!({"kind": "CloudProfile", "name": name}),
        );
    }
    spec.remove("cloudProfileName");
    if let Some(reference) = spec.get_mut("cloudProfile").and_then(Json::fields) {
        reference.fill("kind", &"CloudProfile");
    }
}

/// Two names of one Secret become one reference.
fn align_provider(provider: &mut Json<'_>) {
    let name = provider.at(&["secretName"]);
    let name = name.and_then(|it| it.read::<String>().ok());
    if let (Some(name), Some(fields)) = (name, provider.fields()) {
        let secret = json!({"apiVersion": "v1", "kind": "Secret", "name": name});
        fields.fill("credentialsRef", &secret);
        fields.remove("secretName");
    }
}

/// Puts in what was left out and is filled in again.
pub(super) fn refill(spec: &mut Json<'_>, shoot: &Shoot) {
    if let Some(domain) = shoot.domain() {
        put(spec, "dns", "domain", domain);
    }
    let Some(own) = &shoot.spec.networking else {
        return;
    };
    for (field, range) in [("pods", &own.pods), ("services", &own.services)] {
        if let Some(range) = range {
            put(spec, "networking", field, range);
        }
    }
}

/// Puts a text where there is none.
fn put(spec: &mut Json<'_>, part: &str, field: &str, value: &str) {
    if spec.at(&[part, field]).is_none_or(|it| it.is_null())
        && let Some(fields) = spec.fields()
    {
        fields.entry(part).complete(&json!({ field: value }));
    }
}
