// SPDX-License-Identifier: Apache-2.0
//! The network of a Shoot. Source: `ValidateNetworking` in `pkg/apis/azure/validation/shoot.go`.

use serde_json::{Map, Value};

use super::judged::{Judged, NETWORK};
use crate::admission::{ErrorType, FieldPath, Findings, Help};
use garden_gate_model::api::extensions::{ConfigurationPlace, ExtensionVersion};
use garden_gate_model::gardener::extensions::Documents;

/// The first version that refuses IPv6.
const REFUSES_IPV6: ExtensionVersion = ExtensionVersion::new(1, 49);

/// What the component reads of the overlay network of calico.
pub(super) enum Overlay {
    /// It is absent, disabled, or of another network extension.
    Accepted,
    /// It is enabled.
    Enabled,
    /// The configuration is not an object.
    Undecodable,
    /// It is an object without a boolean `enabled`, for which the component panics.
    Unexpected,
}

impl Overlay {
    pub(super) fn of(judged: &Judged<'_>, documents: &Documents<'_>) -> Self {
        let document = documents
            .at(ConfigurationPlace::Network)
            .filter(|_| judged.shoot.networking().kind.as_deref() == Some("calico"));
        let Some(document) = document else {
            return Overlay::Accepted;
        };
        let Ok(network) = document.decode::<Map<String, Value>>() else {
            return Overlay::Undecodable;
        };
        let Some(Value::Object(overlay)) = network.get("overlay") else {
            return Overlay::Accepted;
        };
        match overlay.get("enabled") {
            Some(Value::Bool(true)) => Overlay::Enabled,
            Some(Value::Bool(false)) => Overlay::Accepted,
            _ => Overlay::Unexpected,
        }
    }
}

pub(super) fn check(judged: &Judged<'_>, overlay: &Overlay, findings: &mut Findings) {
    let networking = judged.shoot.networking();
    let place = FieldPath::new("spec.networking");
    if networking.nodes.is_none() {
        findings
            .required(&NETWORK, place.child("nodes"), "a Shoot on Azure needs a CIDR of nodes")
            .help("set it, for example to `10.250.0.0/16`");
    }
    let config = place.child("providerConfig");
    match overlay {
        Overlay::Enabled => {
            let place = config.descendant("overlay.enabled");
            findings
                .forbid(&NETWORK, place, "calico cannot have an overlay network on Azure")
                .value(true)
                .help(Help::set("set `enabled: false`", false));
        }
        Overlay::Undecodable => {
            let message = "the configuration of the network is not an object";
            findings
                .report(&NETWORK, ErrorType::InternalError, config, message)
                .help("write it with fields, such as `overlay`");
        }
        Overlay::Accepted | Overlay::Unexpected => {}
    }
    let families = &networking.ip_families;
    let message = match families.as_slice() {
        [only] if only == "IPv6" => "IPv6 is not supported on Azure",
        [_, _, ..] => "dual-stack networking is not supported on Azure",
        _ => return,
    };
    if judged.version >= REFUSES_IPV6 {
        findings
            .invalid(&NETWORK, place.child("ipFamilies"), message)
            .value(families.join(", "))
            .help(Help::set("set `ipFamilies: [IPv4]`", serde_json::json!(["IPv4"])));
    }
}
