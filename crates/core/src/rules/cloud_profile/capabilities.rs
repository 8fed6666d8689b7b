// SPDX-License-Identifier: Apache-2.0
//! Checks of a CloudProfile's capability definitions.

use std::collections::BTreeMap;

use crate::admission::{FieldPath, Findings, Help};
use crate::rules::shared::validation::{
    MALFORMED, MISSING, Part, REPEATED, UNFITTING, UNSUPPORTED,
};
use garden_gate_model::api::{GardenerVersion, Versions};
use garden_gate_text::go::qualified_name_error;

const ARCHITECTURE: &str = "architecture";
const ARCHITECTURES: [&str; 2] = ["amd64", "arm64"];
/// Prefix of the capabilities that Gardener itself defines.
const RESERVED: &str = "gardener-";
/// The versions that reserve it.
const RESERVES: Versions = Versions::since(147);

/// Validates the definitions.
///
/// Mirrors validateCapabilityDefinitions in `pkg/api/core/validation/cloudprofile.go`, which reports values below the name of their
/// capability, a path that does not exist.
pub(super) fn check_definitions(
    profile: &Part<'_>,
    gardener: GardenerVersion,
    findings: &mut Findings,
) {
    let all = profile.items_at(&["spec", "machineCapabilities"]);
    // For duplicate names the last definition is used.
    let mut by_name = BTreeMap::new();
    for definition in &all {
        let name = definition.text_at(&["name"]);
        let field = definition.path().child("name");
        if by_name.contains_key(&name) {
            let message = format!("capability `{name}` is defined twice");
            findings.duplicate(&REPEATED, field.clone(), message).help("keep one of them");
        }
        if name.starts_with(RESERVED) && RESERVES.contains(gardener) {
            let message = format!("names that begin with `{RESERVED}` are Gardener's own");
            findings.forbid(&UNFITTING, field, message).help("choose another name");
        }
        by_name.insert(name, definition);
    }
    if !by_name.contains_key(ARCHITECTURE) {
        let field = path().child(ARCHITECTURE);
        let message = "capability `architecture` is not defined".to_owned();
        findings
            .required(&MISSING, field, message)
            .at(&path())
            .help("define it, with `amd64`, `arm64` or both");
    }
    for (name, definition) in by_name {
        check_definition(&name, definition, findings);
    }
}

fn path() -> FieldPath {
    FieldPath::new("spec.machineCapabilities")
}

fn check_definition(name: &str, definition: &Part<'_>, findings: &mut Findings) {
    let place = definition.path().child("name");
    if name.is_empty() {
        let message = "a capability has no name".to_owned();
        findings.required(&MISSING, path(), message).at(&place).help("set `name`");
    } else if let Some(why) = name_error(name) {
        let message = format!("`{name}` cannot be the name of a capability: {why}");
        findings.invalid(&MALFORMED, path(), message).at(&place).help("choose another name");
    }
    let field = path().child_called(name);
    let values = definition.items_at(&["values"]);
    if values.is_empty() {
        let message = format!("capability `{name}` has no values");
        let place = definition.path().child("values");
        findings
            .required(&MISSING, field.clone(), message)
            .at(&place)
            .help("list values, as in `values: [my-value]`");
    }
    for (index, value) in values.iter().enumerate() {
        let text = value.text().unwrap_or_default();
        let item = || field.index(index);
        if text.is_empty() {
            let message = format!("a value of capability `{name}` is empty");
            findings
                .required(&MISSING, item(), message)
                .at(value.path())
                .help(Help::remove("remove it"));
        } else if let Some(why) = name_error(&text) {
            let message = format!("`{text}` cannot be a value of a capability: {why}");
            findings
                .invalid(&MALFORMED, item(), message)
                .at(value.path())
                .help("choose another one");
        }
        if name == ARCHITECTURE && !ARCHITECTURES.contains(&text.as_str()) {
            let message = format!("there is no architecture `{text}`");
            findings
                .invalid(&UNSUPPORTED, field.clone(), message)
                .at(value.path())
                .help("use amd64 or arm64");
        }
    }
}

fn name_error(text: &str) -> Option<&'static str> {
    let has_prefix = text.contains('/').then_some("it contains `/`");
    qualified_name_error(text).or(has_prefix)
}
