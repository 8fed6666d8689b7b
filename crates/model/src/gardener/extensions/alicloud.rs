// SPDX-License-Identifier: Apache-2.0
//! The mutating webhook of provider-alicloud for Shoots. Source: `pkg/admission/mutator/shoot.go`.
//!
//! Whether the root volumes of pools are encrypted depends on the owner of their images, for which the webhook calls the
//! cloud. That and the task that it causes are not predicted.

use std::borrow::Cow;
use std::collections::HashMap;

use serde_json::{Map, Value, json};

use super::decoding::{decodes, with_header};
use super::shoot_mutation::{is_overlay_disabled, is_skipped, network_with_overlay, text_at};
use super::{Document, Mutation, Mutator, Refusal};
use crate::api::Kind;
use crate::api::extensions::{Configuration, ConfigurationPlace};
use garden_gate_text::json::Json;

/// The mutating webhook of provider-alicloud for Shoots.
pub(super) const MUTATOR: Mutator = Mutator { extension: "alicloud", mutate };

const TYPE: &str = "alicloud";
const ENCRYPTED: &str = "encrypted";
const CONTROL_PLANE: ConfigurationPlace = ConfigurationPlace::ControlPlane;

fn mutate(mutation: &mut Mutation<'_, '_>) -> Result<(), Refusal> {
    let is_shoot = mutation.kind == Kind::Shoot && mutation.has_workers();
    if !is_shoot || text_at(mutation, &["spec", "provider", "type"]) != TYPE {
        return Ok(());
    }
    let network = mutation.new.opened_at(&["spec", "networking", "type"]);
    if !network.is_null() && !is_skipped(mutation) {
        mutate_network(mutation)?;
    }
    if !mutation.changes_spec {
        return Ok(());
    }
    mutate_control_plane(mutation)?;
    encrypt_volumes(mutation);
    Ok(())
}

/// Disables the overlay of new Shoots, and without it SNAT of requests to the upstream DNS server.
fn mutate_network(mutation: &mut Mutation<'_, '_>) -> Result<(), Refusal> {
    let class = text_at(mutation, &["spec", "networking", "type"]);
    let mut network = network_with_overlay(mutation)?;
    if class == "calico" && is_overlay_disabled(&network, "admission-alicloud")? {
        network.insert("snatToUpstreamDNS".to_owned(), json!({"enabled": false}));
    }
    mutation.rewrite(ConfigurationPlace::Network, &class, Value::Object(network));
    Ok(())
}

/// Chooses the controller that attaches disks: the new one in a new Shoot, or else the stored choice.
fn mutate_control_plane(mutation: &mut Mutation<'_, '_>) -> Result<(), Refusal> {
    let stored = match mutation.old {
        None => Some(json!({"enableADController": true})),
        Some(_) => {
            let document = mutation.old_documents.at(CONTROL_PLANE);
            let decoded = decoded(mutation, document).ok_or_else(|| Refusal::Denied {
                pointer: "/spec/provider/controlPlaneConfig".to_owned(),
                message: "`admission-alicloud` cannot decode the stored `controlPlaneConfig`"
                    .to_owned(),
            });
            decoded?.remove("csi")
        }
    };
    let document = mutation.documents.at(CONTROL_PLANE);
    let Some(mut config) = decoded(mutation, document) else {
        return Err(undecodable(mutation));
    };
    let Some(Value::Object(stored)) = stored else {
        return Ok(());
    };
    let choice = stored.get("enableADController");
    let csi = config.entry("csi").or_insert_with(|| json!({}));
    let Value::Object(csi) = csi else {
        return Ok(());
    };
    if csi.contains_key("enableADController") {
        // A new Shoot gets the header in any case.
        if mutation.old.is_some() {
            return Ok(());
        }
    } else if let Some(choice) = choice {
        csi.insert("enableADController".to_owned(), choice.clone());
    }
    if let Some((_, configuration)) = Configuration::at(CONTROL_PLANE, TYPE) {
        config.insert("apiVersion".to_owned(), configuration.api_version().into());
        config.insert("kind".to_owned(), configuration.kind.into());
    }
    mutation.rewrite(CONTROL_PLANE, TYPE, Value::Object(config));
    Ok(())
}

/// Decodes a configuration strictly, without its `null`s; an absent one is empty.
fn decoded(
    mutation: &Mutation<'_, '_>,
    document: Option<&Document<'_>>,
) -> Option<Map<String, Value>> {
    let Some(document) = document else {
        return Some(Map::new());
    };
    let (_, configuration) = Configuration::at(CONTROL_PLANE, TYPE)?;
    if !decodes(&document.text, configuration, mutation.version) {
        return None;
    }
    let mut fields: Map<String, Value> = serde_json::from_str(&document.text).ok()?;
    fields.retain(|_, value| !value.is_null());
    for fields in fields.values_mut().filter_map(Value::as_object_mut) {
        fields.retain(|_, value| !value.is_null());
    }
    Some(fields)
}

/// Refuses the new configuration, whose absent header is no reason.
fn undecodable(mutation: &mut Mutation<'_, '_>) -> Refusal {
    let mut all = mutation.documents.all.iter_mut();
    if let Some(document) = all.find(|it| it.place == CONTROL_PLANE)
        && let Some((_, configuration)) = Configuration::at(CONTROL_PLANE, TYPE)
    {
        document.text = Cow::Owned(with_header(&document.text, configuration));
    }
    Refusal::Undecodable { place: CONTROL_PLANE }
}

/// Encrypts new data volumes, and keeps the stored choice for others.
fn encrypt_volumes(mutation: &mut Mutation<'_, '_>) {
    let (new, old) = (mutation.new, mutation.old);
    let stored =
        old.map(|it| by_name(elements(it, &["spec", "provider", "workers"]))).unwrap_or_default();
    for (index, pool) in elements(new, &["spec", "provider", "workers"]).iter().enumerate() {
        let old = stored.get(&name_of(pool)).copied();
        let path = format!("/spec/provider/workers/{index}");
        let volume = pool.opened_at(&["volume"]);
        let kept = old.map_or(&Json::NULL, |it| it.opened_at(&["volume", ENCRYPTED]));
        if !volume.is_null() && volume.opened_at(&[ENCRYPTED]).is_null() && !kept.is_null() {
            mutation.set(format!("{path}/volume/{ENCRYPTED}"), kept.to_value());
        }
        let stored = old.map(|it| by_name(elements(it, &["dataVolumes"]))).unwrap_or_default();
        for (position, volume) in elements(pool, &["dataVolumes"]).iter().enumerate() {
            let value = match stored.get(&name_of(volume)) {
                None => Value::Bool(true),
                Some(old) => old.opened_at(&[ENCRYPTED]).to_value(),
            };
            if volume.opened_at(&[ENCRYPTED]).is_null() && !value.is_null() {
                mutation.set(format!("{path}/dataVolumes/{position}/{ENCRYPTED}"), value);
            }
        }
    }
}

fn elements<'j, 'a>(object: &'j Json<'a>, path: &[&str]) -> &'j [Json<'a>] {
    object.opened_at(path).opened_elements()
}

fn name_of(part: &Json<'_>) -> String {
    part.opened_at(&["name"]).read().unwrap_or_default()
}

/// Returns the first element of each name.
fn by_name<'j, 'a>(elements: &'j [Json<'a>]) -> HashMap<String, &'j Json<'a>> {
    let mut all = HashMap::new();
    for element in elements {
        all.entry(name_of(element)).or_insert(element);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::extensions::ExtensionVersion;

    #[test]
    fn encryption_of_volumes_is_kept_by_name() {
        let shoot = |workers: Value| json!({"spec": {"provider": {"type": "alicloud", "workers": workers}}});
        let old = shoot(json!([
            {"name": "a", "volume": {"encrypted": true}, "dataVolumes": [{"name": "d", "encrypted": false}]},
            {"name": "b", "volume": {"encrypted": false}},
        ]));
        let new = shoot(json!([
            {"name": "b", "volume": {}},
            {"name": "a", "volume": {}, "dataVolumes": [{"name": "e"}, {"name": "d"}]},
        ]));
        let version = ExtensionVersion::new(1, 74);
        let edits = MUTATOR
            .edits((Kind::Shoot, version), &new, Some(&old), &[])
            .unwrap()
            .into_iter()
            .map(|it| (it.pointer, it.value));
        let expected = [
            ("/spec/provider/workers/0/volume/encrypted", false),
            ("/spec/provider/workers/1/volume/encrypted", true),
            ("/spec/provider/workers/1/dataVolumes/0/encrypted", true),
            ("/spec/provider/workers/1/dataVolumes/1/encrypted", false),
        ]
        .map(|(pointer, value)| (pointer.to_owned(), json!(value)));
        assert_eq!(edits.collect::<Vec<_>>(), expected);
    }
}
