// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeSet;

use serde_json::Value;

use super::json_access::{at, object_at, pools, text_at};
use crate::garden::Snapshot;
use garden_gate_model::gardener::extensions::enabled_types;
use garden_gate_model::gardener::extensions::labels::{
    DNS, EXPOSURE, EXTENSION, NETWORK, PROVIDER, RUNTIME, SYSTEM, is_extension_label,
};
use garden_gate_text::json::Json;

/// Replaces the extension labels of a Shoot by those for the extensions that it uses as sent.
///
/// Mirrors `plugin/pkg/global/extensionlabels/admission.go`. The plugin runs before images are chosen. Extensions that
/// are enabled for all Shoots are unknown if the garden has no ControllerRegistrations.
pub(super) fn name_extensions(sent: &Value, shoot: &mut Value, garden: &Snapshot) {
    let found = extensions_of(sent, garden);
    let labels = object_at(shoot, &["metadata", "labels"]);
    labels.retain(|label, _| !is_extension_label(label));
    labels.extend(found.into_iter().map(|label| (label, "true".into())));
}

fn extensions_of(shoot: &Value, garden: &Snapshot) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut add = |prefix: &str, name: &str| _ = found.insert(format!("{prefix}{name}"));
    for name in enabled(shoot, garden) {
        add(EXTENSION, &name);
    }
    for pool in pools(shoot) {
        let runtimes = at(pool, &["cri", "containerRuntimes"]).and_then(Value::as_array);
        for runtime in runtimes.into_iter().flatten() {
            add(RUNTIME, text_at(runtime, &["type"]));
        }
        if let Some(image) = at(pool, &["machine", "image"]) {
            add(SYSTEM, text_at(image, &["name"]));
        }
        if let Some(extension) = at(pool, &["controlPlane", "exposure", "extension"]) {
            let provider = text_at(shoot, &["spec", "provider", "type"]);
            let own = at(extension, &["type"]).and_then(Value::as_str);
            add(EXPOSURE, own.unwrap_or(provider));
        }
    }
    let providers = at(shoot, &["spec", "dns", "providers"]).and_then(Value::as_array);
    let types =
        providers.into_iter().flatten().filter_map(|provider| at(provider, &["type"])?.as_str());
    for name in types.filter(|name| *name != "unmanaged") {
        add(DNS, name);
    }
    add(PROVIDER, text_at(shoot, &["spec", "provider", "type"]));
    if let Some(network) = at(shoot, &["spec", "networking", "type"]).and_then(Value::as_str) {
        add(NETWORK, network);
    }
    found
}

/// Returns the extensions that a Shoot names, and those that are enabled by default and not disabled.
fn enabled(shoot: &Value, garden: &Snapshot) -> BTreeSet<String> {
    let text = shoot.to_string();
    let registrations = garden.controller_registrations().into_iter().flatten();
    enabled_types(&Json::text(&text).opened(), registrations.map(AsRef::as_ref))
}
