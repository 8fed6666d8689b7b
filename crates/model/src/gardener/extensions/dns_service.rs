// SPDX-License-Identifier: Apache-2.0
//! The mutating webhook of shoot-dns-service. Source: `pkg/admission/mutator/shoot_mutator.go`.

use std::borrow::Cow;

use serde_json::{Map, Value, json};

use super::decoding::{decodes, with_header};
use super::{Mutation, Mutator, Refusal};
use crate::api::Kind;
use crate::api::extensions::{Configuration, ConfigurationPlace, ExtensionVersion};
use garden_gate_text::json::Json;

/// The mutating webhook of shoot-dns-service.
pub(super) const MUTATOR: Mutator = Mutator { extension: "dns-service", mutate };

const TYPE: &str = "shoot-dns-service";
/// The beginning of the names of the resources that the webhook manages.
const PREFIX: &str = "shoot-dns-service-";
/// The first version with `useNextGenerationController`.
const NEXT_GENERATION: ExtensionVersion = ExtensionVersion::new(1, 76);
/// The first version with `credentials` and WorkloadIdentities.
const CREDENTIALS: ExtensionVersion = ExtensionVersion::new(1, 78);
const WORKLOAD_IDENTITIES: &str = "security.gardener.cloud/v1alpha1";

/// Copies the DNS providers of a Shoot to the configuration, and their credentials to `spec.resources`.
fn mutate(mutation: &mut Mutation<'_, '_>) -> Result<(), Refusal> {
    if mutation.kind != Kind::Shoot || is_skipped(mutation) {
        return Ok(());
    }
    let entries = mutation.new.opened_at(&["spec", "extensions"]).opened_elements();
    let index = entries.iter().position(|it| text_at(it, &["type"]) == TYPE);
    let entry = index.and_then(|index| entries.get(index));
    if entry.is_some_and(|it| it.opened_at(&["disabled"]).read().unwrap_or(false)) {
        return Ok(());
    }
    let written = match index {
        Some(index) => decoded(mutation, index)?,
        None => None,
    };
    if !is_synchronized(written.as_ref()) {
        return Ok(());
    }
    let (providers, resources) = providers(mutation)?;
    change_resources(mutation, &resources);
    let config = config(written.unwrap_or_default(), providers, mutation.version);
    let place = ConfigurationPlace::Extension;
    match index {
        Some(index) => mutation.rewrite_at(place, index, TYPE, config),
        None => {
            let mut all: Vec<Value> = entries.iter().map(Json::to_value).collect();
            all.push(json!({"type": TYPE, "providerConfig": config}));
            mutation.documents.set((place, entries.len()), TYPE, &config);
            mutation.set("/spec/extensions", Value::Array(all));
        }
    }
    Ok(())
}

/// Reports whether the webhook skips the Shoot: one without DNS, in deletion, or in another operation than a reconciliation.
fn is_skipped(mutation: &Mutation<'_, '_>) -> bool {
    let (new, old) = (mutation.new, mutation.old);
    let is_deleted = !new.opened_at(&["metadata", "deletionTimestamp"]).is_null();
    // Gardener adds `spec.dns` to a Shoot with a seed.
    let has_dns = !new.opened_at(&["spec", "dns"]).is_null() || has_seed(mutation);
    let status = new.opened_at(&["status"]);
    let operation = match old {
        Some(old) if status.is_null() => old.opened_at(&["status", "lastOperation"]),
        _ => status.opened_at(&["lastOperation"]),
    };
    let is_other = !operation.is_null()
        && text_at(operation, &["type"]) != "Reconcile"
        && text_at(operation, &["state"]) != "Processing";
    is_deleted || !has_dns || is_other
}

fn has_seed(mutation: &Mutation<'_, '_>) -> bool {
    let seed = |shoot: &Json<'_>| !text_at(shoot, &["spec", "seedName"]).is_empty();
    seed(mutation.new) || mutation.old.is_some_and(seed)
}

fn text_at(json: &Json<'_>, path: &[&str]) -> String {
    json.opened_at(path).read().unwrap_or_default()
}

/// Returns the fields of the configuration; `None` if there is none.
fn decoded(
    mutation: &mut Mutation<'_, '_>,
    index: usize,
) -> Result<Option<Map<String, Value>>, Refusal> {
    let place = ConfigurationPlace::Extension;
    let version = mutation.version;
    let mut all = mutation.documents.all.iter_mut();
    let document = all.find(|it| it.place == place && it.index == index);
    let (Some(document), Some((_, configuration))) = (document, Configuration::at(place, TYPE))
    else {
        return Ok(None);
    };
    let is_decoded = decodes(&document.text, configuration, version);
    match serde_json::from_str(&document.text) {
        Ok(fields) if is_decoded => Ok(Some(fields)),
        _ => {
            // The absent header is no reason for the refusal.
            document.text = Cow::Owned(with_header(&document.text, configuration));
            Err(Refusal::Undecodable { place })
        }
    }
}

fn is_synchronized(written: Option<&Map<String, Value>>) -> bool {
    let field = |name: &str| written.and_then(|it| it.get(name));
    match field("syncProvidersFromShootSpecDNS") {
        Some(Value::Bool(is_synchronized)) => *is_synchronized,
        _ => field("providers").is_none_or(Value::is_null),
    }
}

/// The credentials of a DNS provider.
struct Credentials {
    /// The field of the configuration that names them.
    field: &'static str,
    /// Their name in `spec.resources`.
    name: String,
    /// The reference to the object.
    reference: Value,
}

/// Returns the DNS providers for the configuration, and their credentials.
fn providers(mutation: &Mutation<'_, '_>) -> Result<(Vec<Value>, Vec<Credentials>), Refusal> {
    let dns = mutation.new.opened_at(&["spec", "dns"]);
    let domain = dns.opened_at(&["domain"]).to_value();
    let list = dns.opened_at(&["providers"]).to_value();
    let written = list.as_array().map_or(&[][..], Vec::as_slice);
    let primary = becomes_primary(mutation, written);
    let (mut providers, mut all) = (Vec::new(), Vec::new());
    for (index, provider) in written.iter().enumerate() {
        let mut fields = Map::new();
        let mut add = |name: &str, value: Option<Value>| {
            if let Some(value) = value {
                fields.insert(name.to_owned(), value);
            }
        };
        let selected = |name: &str| provider.get(name).and_then(selection);
        let (mut domains, zones) = (selected("domains"), selected("zones"));
        let is_primary = is_primary(provider) || primary == Some(index);
        if is_primary && domains.is_none() && zones.is_none() && domain.is_string() {
            domains = Some(json!({"include": [domain]}));
        }
        add("type", provider.get("type").filter(|it| !it.is_null()).cloned());
        add("domains", domains);
        add("zones", zones);
        if let Some(credentials) = credentials(provider, index, mutation.version)? {
            add(credentials.field, Some(credentials.name.as_str().into()));
            all.push(credentials);
        }
        providers.push(Value::Object(fields));
    }
    Ok((providers, all))
}

fn is_primary(provider: &Value) -> bool {
    provider.get("primary") == Some(&Value::Bool(true))
}

/// Returns the index of the DNS provider that Gardener makes the primary one again.
///
/// Mirrors `Admit` in `plugin/pkg/shoot/dns`.
fn becomes_primary(mutation: &Mutation<'_, '_>, providers: &[Value]) -> Option<usize> {
    if providers.iter().any(is_primary) {
        return None;
    }
    let stored = mutation.old?.opened_at(&["spec", "dns", "providers"]).to_value();
    let was = stored.as_array()?.iter().find(|it| is_primary(it))?;
    let is_same =
        |it: &Value| ["type", "credentialsRef"].iter().all(|name| it.get(name) == was.get(name));
    let same = providers.iter().position(is_same);
    same.or_else(|| has_seed(mutation).then_some(0))
}

/// Returns the included and excluded domains or zones; `None` if none are written.
fn selection(written: &Value) -> Option<Value> {
    let fields = written.as_object()?;
    let is_filled = |it: &&Value| it.as_array().is_some_and(|it| !it.is_empty());
    let kept = ["include", "exclude"].into_iter().filter_map(|name| {
        let value = fields.get(name).filter(is_filled)?;
        Some((name.to_owned(), value.clone()))
    });
    Some(Value::Object(kept.collect()))
}

fn credentials(
    provider: &Value,
    index: usize,
    version: ExtensionVersion,
) -> Result<Option<Credentials>, Refusal> {
    let reference = provider.get("credentialsRef").and_then(Value::as_object);
    let secret = |name: &str| json!({"apiVersion": "v1", "kind": "Secret", "name": name});
    let Some(reference) = reference else {
        let name = provider.get("secretName").and_then(Value::as_str);
        return Ok(name.map(|name| Credentials {
            field: "secretName",
            name: format!("{PREFIX}{name}"),
            reference: secret(name),
        }));
    };
    let part = |name: &str| reference.get(name).and_then(Value::as_str).unwrap_or_default();
    let name = part("name");
    let is_known = match (part("apiVersion"), part("kind")) {
        ("v1", "Secret") => true,
        (WORKLOAD_IDENTITIES, "WorkloadIdentity") => version >= CREDENTIALS,
        _ => false,
    };
    if !is_known {
        let kinds = if version >= CREDENTIALS {
            "a Secret of `v1`, or a WorkloadIdentity of `security.gardener.cloud/v1alpha1`"
        } else {
            "a Secret of `v1`"
        };
        return Err(Refusal::Denied {
            pointer: format!("/spec/dns/providers/{index}/credentialsRef"),
            message: format!("the credentials of the DNS provider are not {kinds}"),
        });
    }
    Ok(Some(Credentials {
        field: if version >= CREDENTIALS { "credentials" } else { "secretName" },
        name: format!("{PREFIX}{name}"),
        reference: json!({"apiVersion": part("apiVersion"), "kind": part("kind"), "name": name}),
    }))
}

/// Lists the credentials in `spec.resources`, and removes those of former DNS providers.
fn change_resources(mutation: &mut Mutation<'_, '_>, credentials: &[Credentials]) {
    let written = mutation.new.opened_at(&["spec", "resources"]).to_value();
    let before: Vec<Value> = match written {
        Value::Array(resources) => resources,
        _ => Vec::new(),
    };
    let mut after = before.clone();
    for wanted in credentials {
        let index = before.iter().rposition(|it| name_of(it) == wanted.name);
        let listed = index.and_then(|index| after.get_mut(index)?.as_object_mut());
        match listed {
            Some(listed) => {
                listed.insert("resourceRef".to_owned(), wanted.reference.clone());
            }
            None => after.push(json!({"name": wanted.name, "resourceRef": wanted.reference})),
        }
    }
    after.retain(|it| {
        let name = name_of(it);
        !name.starts_with(PREFIX) || credentials.iter().any(|wanted| wanted.name == name)
    });
    if after != before {
        mutation.set("/spec/resources", Value::Array(after));
    }
}

fn name_of(resource: &Value) -> &str {
    let name = resource.get("name").and_then(Value::as_str);
    name.unwrap_or_default()
}

/// Returns the configuration with these DNS providers; without unknown fields, as the webhook encodes it.
fn config(
    mut written: Map<String, Value>,
    providers: Vec<Value>,
    version: ExtensionVersion,
) -> Value {
    let mut config = Map::new();
    let mut add = |name: &str, value: Value| config.insert(name.to_owned(), value);
    if let Some((_, configuration)) = Configuration::at(ConfigurationPlace::Extension, TYPE) {
        add("apiVersion", configuration.api_version().into());
        add("kind", configuration.kind.into());
    }
    if let Some(Value::Object(replication)) = written.get("dnsProviderReplication") {
        let is_enabled = replication.get("enabled") == Some(&Value::Bool(true));
        add("dnsProviderReplication", json!({"enabled": is_enabled}));
    }
    if !providers.is_empty() {
        add("providers", Value::Array(providers));
    }
    add("syncProvidersFromShootSpecDNS", Value::Bool(true));
    if let Some(next @ Value::Bool(_)) = written.remove("useNextGenerationController")
        && version >= NEXT_GENERATION
    {
        add("useNextGenerationController", next);
    }
    Value::Object(config)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    /// Returns the copied DNS providers of a Shoot; `None` if the webhook skips it.
    fn copied(new: &Value, old: Option<&Value>) -> Option<Value> {
        let edits = MUTATOR.edits((Kind::Shoot, CREDENTIALS), new, old, &[]).unwrap();
        let extensions = edits.iter().find(|it| it.pointer == "/spec/extensions")?;
        Some(extensions.value[0]["providerConfig"]["providers"].clone())
    }

    /// Gardener adds `spec.dns` to Shoots with a Seed: `assignDefaultDomainIfNeeded` in `plugin/pkg/shoot/dns`.
    #[rstest]
    #[case::seed(json!({"seedName": "s"}), Some(Value::Null))]
    #[case::no_seed(json!({}), None)]
    #[case::dns(json!({"dns": {}}), Some(Value::Null))]
    fn shoot_with_seed_has_dns(#[case] spec: Value, #[case] expected: Option<Value>) {
        assert_eq!(copied(&json!({ "spec": spec }), None), expected);
    }

    /// A new Shoot without status keeps the stored one.
    #[rstest]
    #[case::new(json!({"lastOperation": {"type": "Reconcile"}}), Some(Value::Null))]
    #[case::stored(Value::Null, None)]
    fn shoot_in_creation_is_skipped(#[case] status: Value, #[case] expected: Option<Value>) {
        let stored = json!({"lastOperation": {"type": "Create", "state": "Failed"}});
        let [new, old] = [status, stored].map(|it| json!({"spec": {"dns": {}}, "status": it}));
        assert_eq!(copied(&new, Some(&old)), expected);
    }

    /// As `Admit` in `plugin/pkg/shoot/dns` does for a Shoot without primary provider.
    #[rstest]
    #[case::first(json!({"seedName": "s"}), "other", 0)]
    #[case::same(json!({"seedName": "s"}), "stored", 1)]
    #[case::same_without_seed(json!({}), "stored", 1)]
    fn stored_primary_provider_becomes_primary_again(
        #[case] mut spec: Value,
        #[case] secret: &str,
        #[case] expected: usize,
    ) {
        let provider = |secret: &str| {
            let reference = json!({"apiVersion": "v1", "kind": "Secret", "name": secret});
            json!({"type": "aws-route53", "credentialsRef": reference})
        };
        let mut shoot = |providers: Value| {
            spec["dns"] = json!({"domain": "web.example.com", "providers": providers});
            json!({ "spec": spec })
        };
        let mut stored = provider("stored");
        stored["primary"] = json!(true);
        let old = shoot(json!([stored]));
        let new = shoot(json!([provider("first"), provider(secret)]));
        let copied = copied(&new, Some(&old)).unwrap();
        let providers = copied.as_array().unwrap();
        let domains = json!({"include": ["web.example.com"]});
        let with_domain = providers.iter().position(|it| it["domains"] == domains);
        assert_eq!(with_domain, Some(expected), "{providers:?}");
    }
}
