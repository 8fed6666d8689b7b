// SPDX-License-Identifier: Apache-2.0
//! What the mutating webhooks of several providers do with Shoots.

use serde_json::{Map, Value, json};

use super::{Documents, Mutation, Refusal};
use crate::api::extensions::ConfigurationPlace;
use garden_gate_text::json::Json;

const OVERLAY: &str = "overlay";

/// Reports whether the webhook of a provider skips the Shoot.
pub(super) fn is_skipped(mutation: &Mutation<'_, '_>) -> bool {
    !mutation.changes_spec || is_deleted_or_moving(mutation)
}

/// Reports whether the Shoot is deleted, or its control plane is moved.
pub(super) fn is_deleted_or_moving(mutation: &Mutation<'_, '_>) -> bool {
    let Some(old) = mutation.old else {
        return is_deleted(mutation.new);
    };
    is_deleted(mutation.new) || is_deleted(old) || is_moving(mutation.new, old)
}

fn is_deleted(shoot: &Json<'_>) -> bool {
    let since = shoot.opened_at(&["metadata", "deletionTimestamp"]);
    !since.is_null()
}

/// Reports whether the control plane is migrated or restored, or scheduled to another Seed.
fn is_moving(new: &Json<'_>, old: &Json<'_>) -> bool {
    let status = match new.opened_at(&["status"]) {
        status if !status.is_null() => status,
        _ => old.opened_at(&["status"]),
    };
    let text = |path: &[&str]| status.opened_at(path).read::<String>().ok();
    let Some(kind) = text(&["lastOperation", "type"]) else {
        return false;
    };
    let is_done = text(&["lastOperation", "state"]).is_some_and(|it| it == "Succeeded");
    let seed = new.opened_at(&["spec", "seedName"]).read::<String>().ok();
    let current = text(&["seedName"]);
    kind == "Migrate"
        || kind == "Restore" && !is_done
        || seed.is_some() && current.is_some() && seed != current
}

/// Returns a string of the new object; an absent one is empty.
pub(super) fn text_at(mutation: &Mutation<'_, '_>, path: &[&str]) -> String {
    mutation.new.opened_at(path).read().unwrap_or_default()
}

/// Returns the configuration of the network with `overlay`: disabled in new Shoots, and unchanged in others.
///
/// # Errors
/// Fails if a configuration is not an object.
pub(super) fn network_with_overlay(
    mutation: &Mutation<'_, '_>,
) -> Result<Map<String, Value>, Refusal> {
    network_with_default(mutation, json!({"enabled": false}))
}

/// Returns the configuration of the network with `overlay`: `default` in new Shoots, and unchanged in others.
///
/// # Errors
/// Fails if a configuration is not an object.
pub(super) fn network_with_default(
    mutation: &Mutation<'_, '_>,
    default: Value,
) -> Result<Map<String, Value>, Refusal> {
    let mut network = network_of(mutation.documents)?;
    if network.get(OVERLAY).is_none_or(Value::is_null) {
        let overlay = match mutation.old {
            None => Some(default),
            Some(_) => {
                network_of(mutation.old_documents)?.remove(OVERLAY).filter(|it| !it.is_null())
            }
        };
        if let Some(overlay) = overlay {
            network.insert(OVERLAY.to_owned(), overlay);
        }
    }
    Ok(network)
}

fn network_of(documents: &Documents<'_>) -> Result<Map<String, Value>, Refusal> {
    let place = ConfigurationPlace::Network;
    let Some(document) = documents.at(place) else {
        return Ok(Map::new());
    };
    serde_json::from_str(&document.text).map_err(|_| Refusal::Undecodable { place })
}

/// Reports whether the overlay network is disabled.
///
/// # Errors
/// Fails if `overlay` is an object without boolean `enabled`, for which `component` panics.
pub(super) fn is_overlay_disabled(
    network: &Map<String, Value>,
    component: &str,
) -> Result<bool, Refusal> {
    match network.get(OVERLAY) {
        Some(Value::Object(overlay)) => match overlay.get("enabled") {
            Some(Value::Bool(is_enabled)) => Ok(!is_enabled),
            _ => Err(overlay_panic(component)),
        },
        _ => Ok(false),
    }
}

/// Returns the panic of a component that expects a boolean `enabled` in `overlay`.
pub(super) fn overlay_panic(component: &str) -> Refusal {
    Refusal::Panic {
        pointer: "/spec/networking/providerConfig/overlay".to_owned(),
        message: format!("`{component}` panics, because `overlay` has no boolean `enabled`"),
    }
}

/// Lets the DNS cache of nodes use UDP if the Shoot does not choose.
pub(super) fn mutate_node_local_dns(mutation: &mut Mutation<'_, '_>) {
    let dns = ["spec", "systemComponents", "nodeLocalDNS"];
    let dns = mutation.new.opened_at(&dns);
    let is_enabled = dns.opened_at(&["enabled"]).read::<bool>().unwrap_or(false);
    if is_enabled && dns.opened_at(&["forceTCPToUpstreamDNS"]).is_null() {
        let pointer = "/spec/systemComponents/nodeLocalDNS/forceTCPToUpstreamDNS";
        mutation.set(pointer, Value::Bool(false));
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::migrated(json!({"lastOperation": {"type": "Migrate", "state": "Succeeded"}}), true)]
    #[case::restoring(json!({"lastOperation": {"type": "Restore", "state": "Processing"}}), true)]
    #[case::restored(json!({"lastOperation": {"type": "Restore", "state": "Succeeded"}}), false)]
    #[case::scheduled(json!({"lastOperation": {"type": "Reconcile"}}), false)]
    #[case::same_seed(json!({"seedName": "s", "lastOperation": {"type": "Reconcile"}}), false)]
    #[case::other_seed(json!({"seedName": "t", "lastOperation": {"type": "Reconcile"}}), true)]
    fn move_is_known_from_the_stored_status(#[case] status: Value, #[case] expected: bool) {
        let new = json!({"spec": {"seedName": "s"}}).to_string();
        let old = json!({"status": status}).to_string();
        let [new, old] = [&new, &old].map(|it| Json::text(it).opened());
        assert_eq!(is_moving(&new, &old), expected);
    }
}
