// SPDX-License-Identifier: Apache-2.0
//! Changes of a Shoot that an API server makes before it compares two Shoots, or stores one.

use serde_json::json;

use crate::api::Shoot;
use garden_gate_text::go::is_at_least;
use garden_gate_text::json::{Fields, Json};

const CLUSTER_WIDE: &str = "CloudProfile";

/// Synchronizes old and new fields for the profile and for Secrets of DNS providers.
///
/// `stored` is the stored `cloudProfileName`, and `version` the Kubernetes version. `keeps_profile` excludes the fields for the
/// profile: in deletion and in bindings, Gardener does not change them.
/// Mirrors SyncCloudProfileFields in `pkg/utils/gardener/cloudprofile.go` and SyncDNSProviderCredentials in
/// `pkg/apiserver/registry/core/shoot/strategy.go`.
pub fn sync_references(
    spec: &mut Json<'_>,
    stored: Option<&str>,
    (version, keeps_profile): (&str, bool),
) {
    if let Some(fields) = spec.fields().filter(|_| !keeps_profile) {
        sync_profile(fields, stored, version);
    }
    if !is_at_least(version, 1, 35) {
        let providers =
            spec.at(&["dns", "providers"]).and_then(Json::elements).into_iter().flatten();
        providers.filter_map(Json::fields).for_each(sync_provider);
    }
}

fn sync_profile(spec: &mut Fields<'_>, stored: Option<&str>, version: &str) {
    let named = text(spec, "cloudProfileName");
    let is_reference_only = is_at_least(version, 1, 34);
    if let (Some(name), false) = (&named, is_reference_only) {
        let reference = json!({"kind": CLUSTER_WIDE, "name": name});
        spec.fill("cloudProfile", &reference);
    }
    let Some(reference) = spec.get_mut("cloudProfile").and_then(Json::fields) else {
        return;
    };
    if text(reference, "kind").is_none_or(|kind| kind.is_empty()) {
        reference.set("kind", &CLUSTER_WIDE);
    }
    let is_cluster_wide = text(reference, "kind").as_deref() == Some(CLUSTER_WIDE);
    let name = text(reference, "name").unwrap_or_default();
    let is_same = named.as_ref() == Some(&name);
    if is_reference_only {
        if is_cluster_wide && is_same && stored == named.as_deref() {
            spec.remove("cloudProfileName");
        }
    } else if !is_cluster_wide {
        spec.remove("cloudProfileName");
    } else if !is_at_least(version, 1, 33) || named.is_some_and(|it| !it.is_empty() && !is_same) {
        spec.set("cloudProfileName", &name);
    }
}

fn sync_provider(provider: &mut Fields<'_>) {
    if let Some(name) = text(provider, "secretName") {
        let secret = json!({"apiVersion": "v1", "kind": "Secret", "name": name});
        return provider.fill("credentialsRef", &secret);
    }
    let reference = provider.get("credentialsRef").map(Json::to_value).unwrap_or_default();
    if reference["apiVersion"] == "v1" && reference["kind"] == "Secret" {
        provider.set("secretName", &reference["name"]);
    }
}

fn text(fields: &Fields<'_>, name: &str) -> Option<String> {
    fields.get(name)?.read().ok()
}

/// Sets absent fields that defaulting or mutation fills in again.
pub fn refill(spec: &mut Json<'_>, shoot: &Shoot) {
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
pub const RESERVED: [(&str, &str); 3] = [("cpu", "80m"), ("memory", "1Gi"), ("pid", "20k")];

/// Sets absent `kubeReserved` values if the stored value equals the default.
///
/// Not in deletion.
///
/// Mirrors the default configuration of `plugin/pkg/shoot/resourcereservation`.
pub fn reserve(spec: &mut Json<'_>, stored: &mut Json<'_>, shoot: &Shoot) {
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
pub fn drop_unstored(spec: &mut Json<'_>) {
    let autoscaler = spec.at(&["kubernetes", "clusterAutoscaler"]);
    if let Some(fields) = autoscaler.and_then(Json::fields) {
        fields.remove("maxEmptyBulkDelete");
    }
    let server = spec.at(&["kubernetes", "kubeAPIServer"]);
    let anonymous = "enableAnonymousAuthentication";
    if let Some(fields) = server.and_then(Json::fields)
        && matches!(fields.get(anonymous).map(Json::read), Some(Ok(false)))
    {
        fields.remove(anonymous);
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

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::sync_references;
    use garden_gate_text::json::Json;

    fn synchronized(spec: &Value, stored: Option<&str>) -> Value {
        let text = spec.to_string();
        let mut spec = Json::text(&text).opened();
        sync_references(&mut spec, stored, ("1.34.1", false));
        spec.to_value()
    }

    #[rstest]
    #[case::redundant("CloudProfile", "c", Some("c"), true)]
    #[case::new("CloudProfile", "c", None, false)]
    #[case::other_name("CloudProfile", "d", Some("c"), false)]
    #[case::other_kind("NamespacedCloudProfile", "c", Some("c"), false)]
    fn redundant_profile_name_is_removed(
        #[case] kind: &str,
        #[case] name: &str,
        #[case] stored: Option<&str>,
        #[case] is_removed: bool,
    ) {
        let reference = json!({"kind": kind, "name": name});
        let spec = json!({"cloudProfileName": "c", "cloudProfile": reference});
        let found = synchronized(&spec, stored);
        assert_eq!(found.get("cloudProfileName").is_none(), is_removed);
    }

    #[rstest]
    #[case::secret("v1", "Secret", Some("x"))]
    #[case::config_map("v1", "ConfigMap", None)]
    #[case::other_version("v2", "Secret", None)]
    fn name_of_a_secret_is_copied(
        #[case] api_version: &str,
        #[case] kind: &str,
        #[case] expected: Option<&str>,
    ) {
        let reference = json!({"apiVersion": api_version, "kind": kind, "name": "x"});
        let spec = json!({"dns": {"providers": [{"credentialsRef": reference}]}});
        let found = synchronized(&spec, None);
        let name = found.pointer("/dns/providers/0/secretName");
        assert_eq!(name.and_then(Value::as_str), expected);
    }
}
