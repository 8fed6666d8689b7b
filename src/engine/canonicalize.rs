//! Normalization that an API server performs before it compares two Shoots.

use serde_json::json;

use crate::compat::{Fields, Json, Tree as _, is_at_least};
use crate::model::Shoot;

/// Normalizes references to profiles (not in deletion) and to Secrets of DNS providers.
///
/// Applies to Kubernetes versions for which both field names exist.
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

/// Merges both fields for the profile into `cloudProfile`.
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

/// Merges both fields for the Secret into `credentialsRef`.
fn align_provider(provider: &mut Json<'_>) {
    let name = provider.at(&["secretName"]);
    let name = name.and_then(|it| it.read::<String>().ok());
    if let (Some(name), Some(fields)) = (name, provider.fields()) {
        let secret = json!({"apiVersion": "v1", "kind": "Secret", "name": name});
        fields.fill("credentialsRef", &secret);
        fields.remove("secretName");
    }
}

/// Sets absent fields that defaulting or mutation fills in again.
pub(super) fn refill(spec: &mut Json<'_>, shoot: &Shoot) {
    if let Some(domain) = shoot.domain() {
        put(spec, "dns", "domain", domain);
    }
    let providers = spec.at(&["dns", "providers"]).and_then(Json::elements);
    let filled = shoot.spec.dns.iter().flat_map(|dns| &dns.providers);
    for (raw, provider) in providers.into_iter().flatten().zip(filled) {
        if let (Some(primary), Some(raw)) = (provider.primary, raw.fields()) {
            raw.set("primary", &primary);
        }
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

/// Gardener's default reservations for components on a node.
const RESERVED: [(&str, &str); 3] = [("cpu", "80m"), ("memory", "1Gi"), ("pid", "20k")];

/// Sets absent `kubeReserved` values if the stored value equals the default.
///
/// Not in deletion.
///
/// Mirrors the default configuration of `plugin/pkg/shoot/resourcereservation`.
pub(super) fn reserve(spec: &mut Json<'_>, stored: &mut Json<'_>, shoot: &Shoot) {
    const PATH: [&str; 3] = ["kubernetes", "kubelet", "kubeReserved"];
    if shoot.metadata.deletion_timestamp.is_some() || shoot.is_workerless() {
        return;
    }
    let Some(stored) = stored.at(&PATH).and_then(Json::fields) else {
        return;
    };
    for (resource, amount) in RESERVED {
        let text = stored.get(resource).map(Json::read::<String>);
        if matches!(text, Some(Ok(text)) if text == amount) {
            let reserved = json!({ resource: amount });
            spec.complete(&json!({"kubernetes": {"kubelet": {"kubeReserved": reserved}}}));
        }
    }
}

/// Removes fields that are never stored.
///
/// Mirrors Canonicalize in `pkg/apiserver/registry/core/shoot/strategy.go`.
pub(super) fn drop_unstored(spec: &mut Json<'_>) {
    let autoscaler = spec.at(&["kubernetes", "clusterAutoscaler"]);
    if let Some(fields) = autoscaler.and_then(Json::fields) {
        fields.remove("maxEmptyBulkDelete");
    }
    let server = spec.at(&["kubernetes", "kubeAPIServer"]);
    if let Some(fields) = server.and_then(Json::fields) {
        let anonymous = fields.get("enableAnonymousAuthentication");
        if anonymous.and_then(|it| it.read::<bool>().ok()) == Some(false) {
            fields.remove("enableAnonymousAuthentication");
        }
    }
    if has_only_a_disabled_dashboard(spec)
        && let Some(fields) = spec.fields()
    {
        fields.remove("addons");
    }
}

fn has_only_a_disabled_dashboard(spec: &mut Json<'_>) -> bool {
    let Some(addons) = spec.at(&["addons"]) else {
        return false;
    };
    let mut is_absent = |addon: &str| addons.at(&[addon]).is_none_or(|it| it.is_null());
    if is_absent("kubernetesDashboard") || !is_absent("nginxIngress") {
        return false;
    }
    let enabled = addons.at(&["kubernetesDashboard", "enabled"]);
    enabled.and_then(|it| it.read::<bool>().ok()) != Some(true)
}

/// Sets a string field if it is absent.
fn put(spec: &mut Json<'_>, part: &str, field: &str, value: &str) {
    if spec.at(&[part, field]).is_none_or(|it| it.is_null())
        && let Some(fields) = spec.fields()
    {
        fields.entry(part).complete(&json!({ field: value }));
    }
}
