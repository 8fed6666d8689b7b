// SPDX-License-Identifier: Apache-2.0
//! The mutating webhook of provider-gcp for Shoots. Source: `pkg/admission/mutator/shoot.go`.

use serde_json::{Map, Value, json};

use super::shoot_mutation::{
    is_overlay_disabled, is_skipped, network_with_overlay, overlay_panic, text_at,
};
use super::{Mutation, Mutator, Refusal};
use crate::api::Kind;
use crate::api::extensions::{ConfigurationPlace, ExtensionVersion};

/// The mutating webhook of provider-gcp for Shoots.
pub(super) const MUTATOR: Mutator = Mutator { extension: "gcp", mutate };

const COMPONENT: &str = "admission-gcp";
/// The first version that disables SNAT of DNS requests without an overlay network.
const DISABLES_SNAT: ExtensionVersion = ExtensionVersion::new(1, 40);

/// Disables the overlay network of new Shoots, and without it SNAT of requests to the upstream DNS server.
fn mutate(mutation: &mut Mutation<'_, '_>) -> Result<(), Refusal> {
    let is_shoot = mutation.kind == Kind::Shoot && mutation.has_workers();
    if !is_shoot
        || is_skipped(mutation)
        || text_at(mutation, &["spec", "provider", "type"]) != "gcp"
        || mutation.new.opened_at(&["spec", "networking"]).is_null()
    {
        return Ok(());
    }
    let mut network = network_with_overlay(mutation)?;
    if mutation.version >= DISABLES_SNAT && is_without_overlay(&network)? {
        network.insert("snatToUpstreamDNS".to_owned(), json!({"enabled": false}));
    }
    let class = text_at(mutation, &["spec", "networking", "type"]);
    mutation.rewrite(ConfigurationPlace::Network, &class, Value::Object(network));
    Ok(())
}

/// Reports whether the overlay network is disabled.
///
/// # Errors
/// Fails if `overlay` is anything else than an object with boolean `enabled`.
fn is_without_overlay(network: &Map<String, Value>) -> Result<bool, Refusal> {
    let overlay = network.get("overlay").filter(|it| !it.is_null());
    if overlay.is_none_or(Value::is_object) {
        is_overlay_disabled(network, COMPONENT)
    } else {
        Err(overlay_panic(COMPONENT))
    }
}
