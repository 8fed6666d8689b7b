//! The network of a Shoot. Source: `pkg/apis/aws/validation/shoot.go`.

use serde_json::{Map, Value};

use super::judged::{Judged, NETWORK};
use crate::admission::{FieldPath, Findings};
use crate::api::extensions::{ConfigurationPlace, ExtensionVersion};
use crate::gardener::extensions::Documents;

/// The first version that checks the overlay network in conjunction with IPv6.
const CHECKS_IPV6: ExtensionVersion = ExtensionVersion::new(1, 65);

pub(super) fn check(judged: &Judged<'_>, documents: &Documents<'_>, findings: &mut Findings) {
    let networking = judged.shoot.networking();
    if networking.nodes.is_none() && networking.has("IPv4") {
        let place = FieldPath::new("spec.networking.nodes");
        findings
            .required(&NETWORK, place, "a Shoot on AWS needs a CIDR of nodes")
            .help("set it, for example to `10.250.0.0/16`");
    }
    if networking.has("IPv6") && judged.version >= CHECKS_IPV6 {
        check_overlay(documents, findings);
    }
}

/// Checks that the overlay network is disabled.
fn check_overlay(documents: &Documents<'_>, findings: &mut Findings) {
    let place = FieldPath::new("spec.networking.providerConfig");
    let network = match documents.at(ConfigurationPlace::Network) {
        None => Map::new(),
        Some(document) => {
            let Ok(fields) = document.decode::<Map<String, Value>>() else {
                findings
                    .invalid(
                        &NETWORK,
                        place,
                        "the configuration of the network is not an object",
                    )
                    .help("write it with fields, such as `overlay`");
                return;
            };
            fields
        }
    };
    let help = "set `spec.networking.providerConfig.overlay.enabled: false`";
    let Some(overlay) = network.get("overlay").filter(|it| !it.is_null()) else {
        let place = FieldPath::new("spec.networking.ipFamilies");
        let message = "with IPv6, the configuration of the network must disable the overlay";
        findings.invalid(&NETWORK, place, message).help(help);
        return;
    };
    let is_enabled = match overlay {
        Value::Object(overlay) => overlay.get("enabled") == Some(&Value::Bool(true)),
        _ => false,
    };
    if is_enabled {
        let message = "an overlay network cannot be used with IPv6";
        findings
            .invalid(&NETWORK, place.descendant("overlay.enabled"), message)
            .value(true)
            .help(help);
    }
}
