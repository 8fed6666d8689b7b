// SPDX-License-Identifier: Apache-2.0
//! The mutating webhook of provider-aws for Shoots. Source: `pkg/admission/mutator/shoot.go`.

use std::borrow::Cow;

use serde_json::{Map, Value, json};

use super::decoding::{decodes, with_header};
use super::shoot_mutation::{
    is_overlay_disabled, is_skipped, mutate_node_local_dns, network_with_overlay, text_at,
};
use super::{Mutation, Mutator, Refusal};
use crate::api::Kind;
use crate::api::extensions::{Configuration, ConfigurationPlace, ExtensionVersion};

/// The mutating webhook of provider-aws for Shoots.
pub(super) const MUTATOR: Mutator = Mutator { extension: "aws", mutate };

const TYPE: &str = "aws";
/// The first version that decodes the configuration of the infrastructure.
const DECODES_INFRASTRUCTURE: ExtensionVersion = ExtensionVersion::new(1, 69);

fn mutate(mutation: &mut Mutation<'_, '_>) -> Result<(), Refusal> {
    if mutation.kind != Kind::Shoot || !mutation.has_workers() || is_skipped(mutation) {
        return Ok(());
    }
    if text_at(mutation, &["spec", "provider", "type"]) != TYPE {
        return Ok(());
    }
    let routes = mutate_network(mutation)?;
    mutate_control_plane(mutation, routes)?;
    mutate_node_local_dns(mutation);
    if mutation.version >= DECODES_INFRASTRUCTURE {
        mutate_infrastructure(mutation)?;
    }
    Ok(())
}

/// Sets `overlay`, and reports whether the overlay network is disabled.
fn mutate_network(mutation: &mut Mutation<'_, '_>) -> Result<bool, Refusal> {
    let network = network_with_overlay(mutation)?;
    let is_disabled = is_overlay_disabled(&network, "admission-aws")?;
    let class = text_at(mutation, &["spec", "networking", "type"]);
    mutation.rewrite(ConfigurationPlace::Network, &class, Value::Object(network));
    Ok(is_disabled)
}

fn is_absent(object: &Map<String, Value>, field: &str) -> bool {
    object.get(field).is_none_or(Value::is_null)
}

/// Completes the configuration of the control plane, and chooses the controller of routes.
fn mutate_control_plane(mutation: &mut Mutation<'_, '_>, routes: bool) -> Result<(), Refusal> {
    let place = ConfigurationPlace::ControlPlane;
    let mut control_plane = match decoded(mutation, place)? {
        Some(mut written) => {
            within(&mut written, "storage", |storage| {
                let managed = storage.entry("managedDefaultClass");
                managed.or_insert(Value::Bool(true));
            });
            written
        }
        None => with_type(Map::new(), place),
    };
    if let Some(Value::Object(balancer)) = control_plane.get_mut("loadBalancerController") {
        balancer.entry("enabled").or_insert(Value::Bool(false));
    }
    within(&mut control_plane, "cloudControllerManager", |manager| {
        drop_empty(manager, "featureGates");
        manager.insert("useCustomRouteController".to_owned(), Value::Bool(routes));
    });
    if needs_load_balancer_controller(mutation) {
        within(&mut control_plane, "loadBalancerController", |balancer| {
            balancer.insert("enabled".to_owned(), Value::Bool(true));
        });
    }
    mutation.rewrite(place, TYPE, Value::Object(control_plane));
    Ok(())
}

fn needs_load_balancer_controller(mutation: &Mutation<'_, '_>) -> bool {
    let families = mutation.new.opened_at(&["spec", "networking", "ipFamilies"]).opened_elements();
    match families {
        [only] => only.read::<String>().is_ok_and(|it| it == "IPv6"),
        several => several.len() > 1,
    }
}

/// Disables the MTU customizer in a new Shoot that does not configure it.
fn mutate_infrastructure(mutation: &mut Mutation<'_, '_>) -> Result<(), Refusal> {
    let place = ConfigurationPlace::Infrastructure;
    let mut infrastructure =
        decoded(mutation, place)?.unwrap_or_else(|| with_type(Map::new(), place));
    if mutation.old.is_some() || !is_absent(&infrastructure, "enableMTUCustomizer") {
        return Ok(());
    }
    infrastructure.insert("enableMTUCustomizer".to_owned(), Value::Bool(false));
    complete_infrastructure(&mut infrastructure);
    mutation.rewrite(place, TYPE, Value::Object(infrastructure));
    Ok(())
}

/// Adds the fields that are always serialized, and drops empty ones that are not.
fn complete_infrastructure(infrastructure: &mut Map<String, Value>) {
    for name in ["dualStack", "elasticFileSystem"] {
        if let Some(Value::Object(part)) = infrastructure.get_mut(name) {
            part.entry("enabled").or_insert(Value::Bool(false));
        }
    }
    if let Some(Value::Object(tags)) = infrastructure.get_mut("ignoreTags") {
        drop_empty(tags, "keys");
        drop_empty(tags, "keyPrefixes");
    }
    within(infrastructure, "networks", |networks| {
        within(networks, "vpc", |vpc| {
            drop_empty(vpc, "gatewayEndpoints");
            if let Some(Value::Object(pool)) = vpc.get_mut("ipv6IpamPool") {
                pool.entry("id").or_insert(Value::Null);
            }
        });
        let zones =
            networks.entry("zones").or_insert(Value::Null).as_array_mut().into_iter().flatten();
        for zone in zones.filter_map(Value::as_object_mut) {
            zone.entry("name").or_insert_with(|| "".into());
        }
    });
}

/// Returns a configuration without `null`, with its type; `None` if there is none.
fn decoded(
    mutation: &mut Mutation<'_, '_>,
    place: ConfigurationPlace,
) -> Result<Option<Map<String, Value>>, Refusal> {
    let mut all = mutation.documents.all.iter_mut();
    let Some(document) = all.find(|it| it.place == place) else {
        return Ok(None);
    };
    let Some((_, configuration)) = Configuration::at(place, TYPE) else {
        return Ok(None);
    };
    let is_decoded = decodes(&document.text, configuration, mutation.version);
    let fields = serde_json::from_str::<Map<String, Value>>(&document.text);
    let (Ok(mut fields), true) = (fields, is_decoded) else {
        // The absent header is no reason for the refusal.
        document.text = Cow::Owned(with_header(&document.text, configuration));
        return Err(Refusal::Undecodable { place });
    };
    drop_nulls(&mut fields);
    Ok(Some(with_type(fields, place)))
}

/// Sets `apiVersion` and `kind`.
fn with_type(mut fields: Map<String, Value>, place: ConfigurationPlace) -> Map<String, Value> {
    if let Some((_, configuration)) = Configuration::at(place, TYPE) {
        fields.insert("apiVersion".to_owned(), configuration.api_version().into());
        fields.insert("kind".to_owned(), configuration.kind.into());
    }
    fields
}

fn drop_nulls(fields: &mut Map<String, Value>) {
    fields.retain(|_, value| !value.is_null());
    for value in fields.values_mut() {
        match value {
            Value::Object(fields) => drop_nulls(fields),
            Value::Array(elements) => {
                for fields in elements.iter_mut().filter_map(Value::as_object_mut) {
                    drop_nulls(fields);
                }
            }
            _ => {}
        }
    }
}

fn drop_empty(fields: &mut Map<String, Value>, name: &str) {
    let is_empty = match fields.get(name) {
        Some(Value::Array(elements)) => elements.is_empty(),
        Some(Value::Object(fields)) => fields.is_empty(),
        _ => false,
    };
    if is_empty {
        fields.remove(name);
    }
}

/// Changes an object in an object, which is added if it is absent.
fn within(
    fields: &mut Map<String, Value>,
    name: &str,
    change: impl FnOnce(&mut Map<String, Value>),
) {
    let value = fields.entry(name).or_insert_with(|| json!({}));
    if let Value::Object(fields) = value {
        change(fields);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_feature_gates_are_dropped() {
        let control_plane = json!({"cloudControllerManager": {"featureGates": {}}});
        let provider = json!({"type": TYPE, "workers": [{}], "controlPlaneConfig": control_plane});
        let shoot = json!({"spec": {"networking": {"type": "calico"}, "provider": provider}});
        let version = ExtensionVersion::new(1, 74);
        let edits = MUTATOR.edits((Kind::Shoot, version), &shoot, None, &[]).unwrap();
        let pointer = "/spec/provider/controlPlaneConfig";
        let edit = edits.iter().find(|it| it.pointer == pointer).unwrap();
        let manager = &edit.value["cloudControllerManager"];
        assert_eq!(manager, &json!({"useCustomRouteController": true}));
    }
}
