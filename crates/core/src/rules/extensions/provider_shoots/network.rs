// SPDX-License-Identifier: Apache-2.0
//! The configuration of a Shoot's network, as providers read it.

use serde_json::{Map, Value};

use crate::admission::{Context, ErrorType, FieldPath, FindingKind, Findings};
use garden_gate_model::api::extensions::{ConfigurationPlace, Extension};
use garden_gate_model::gardener::extensions::{Documents, Refusal};

/// Checks that the overlay network is disabled, as IPv6 needs it.
///
/// If `must_be_set`, it is not disabled by default.
pub(crate) fn check_overlay(
    documents: &Documents<'_>,
    must_be_set: bool,
    kind: &'static FindingKind,
    findings: &mut Findings,
) {
    let place = FieldPath::new("spec.networking.providerConfig");
    let network = match documents.at(ConfigurationPlace::Network) {
        None => Map::new(),
        Some(document) => {
            let Ok(fields) = document.decode::<Map<String, Value>>() else {
                findings
                    .invalid(kind, place, "the configuration of the network is not an object")
                    .help("write it with fields, such as `overlay`");
                return;
            };
            fields
        }
    };
    let help = "set `spec.networking.providerConfig.overlay.enabled: false`";
    // `null` counts as set.
    let Some(overlay) = network.get("overlay") else {
        if must_be_set {
            let place = FieldPath::new("spec.networking.ipFamilies");
            let message = "with IPv6, the configuration of the network must disable the overlay";
            findings.invalid(kind, place, message).help(help);
        }
        return;
    };
    let is_enabled = match overlay {
        Value::Object(overlay) => overlay.get("enabled") == Some(&Value::Bool(true)),
        _ => false,
    };
    if is_enabled {
        let message = "an overlay network cannot be used with IPv6";
        findings.invalid(kind, place.descendant("overlay.enabled"), message).value(true).help(help);
    }
}

/// Reports that the mutating webhook of a provider has refused a configuration of the network that is not an object.
pub(super) fn report_undecodable_network(
    context: &Context<'_>,
    extension: &Extension,
    kind: &'static FindingKind,
    findings: &mut Findings,
) {
    let Ok(configurations) = context.configurations() else {
        return;
    };
    let place = ConfigurationPlace::Network;
    if let Some((name, Refusal::Undecodable { place: refused })) = &configurations.refusal
        && *name == extension.name
        && *refused == place
    {
        let message = "`networking.providerConfig` is not an object";
        findings
            .report(kind, ErrorType::Decode, FieldPath::root(), message)
            .at(&FieldPath::new("spec.networking.providerConfig"))
            .help("write it with fields, such as `overlay`");
    }
}
