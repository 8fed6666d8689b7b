//! Checks of a CloudProfile's capability definitions.

use std::collections::BTreeMap;

use crate::compat::qualified_name_error;
use crate::engine::ErrorType::{self, Duplicate, Forbidden, Invalid, Required};
use crate::engine::{FieldPath, FindingKind, Findings, Offence};
use crate::rules::shared::validation::{
    MALFORMED, MISSING, Part, REPEATED, UNFITTING, UNSUPPORTED,
};

const ARCHITECTURE: &str = "architecture";
const ARCHITECTURES: [&str; 2] = ["amd64", "arm64"];
/// Prefix of the capabilities that Gardener itself defines.
const RESERVED: &str = "gardener-";

/// Validates the definitions.
///
/// Mirrors validateCapabilityDefinitions in `pkg/api/core/validation/cloudprofile.go`, which reports values below the name of their
/// capability, a path that does not exist.
pub(super) fn check_definitions(profile: &Part<'_>, findings: &mut Findings) {
    let all = profile.items_at(&["spec", "machineCapabilities"]);
    // For duplicate names the last definition is used.
    let mut by_name = BTreeMap::new();
    for definition in &all {
        let name = definition.text_at(&["name"]);
        let field = definition.path().child("name");
        let mut refuse = |what, message: String, help: &str| {
            say(findings, what, (field.clone(), &field), message, help);
        };
        if by_name.contains_key(&name) {
            let message = format!("capability `{name}` is defined twice");
            refuse((&REPEATED, Duplicate), message, "keep one of them");
        }
        if name.starts_with(RESERVED) {
            let message = format!("names that begin with `{RESERVED}` are Gardener's own");
            refuse((&UNFITTING, Forbidden), message, "choose another name");
        }
        by_name.insert(name, definition);
    }
    if !by_name.contains_key(ARCHITECTURE) {
        let field = path().child(ARCHITECTURE);
        let message = "capability `architecture` is not defined".to_owned();
        let help = "define it, with `amd64`, `arm64` or both";
        say(
            findings,
            (&MISSING, Required),
            (field, &path()),
            message,
            help,
        );
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
        say(
            findings,
            (&MISSING, Required),
            (path(), &place),
            message,
            "set `name`",
        );
    } else if let Some(why) = name_error(name) {
        let message = format!("`{name}` cannot be the name of a capability: {why}");
        let help = "choose another name";
        say(
            findings,
            (&MALFORMED, Invalid),
            (path(), &place),
            message,
            help,
        );
    }
    let field = path().child_called(name);
    let values = definition.items_at(&["values"]);
    if values.is_empty() {
        let message = format!("capability `{name}` has no values");
        let place = definition.path().child("values");
        say(
            findings,
            (&MISSING, Required),
            (field.clone(), &place),
            message,
            "list values, as in `values: [my-value]`",
        );
    }
    for (index, value) in values.iter().enumerate() {
        let text = value.text().unwrap_or_default();
        let at = (field.index(index), value.path());
        if text.is_empty() {
            let message = format!("a value of capability `{name}` is empty");
            say(findings, (&MISSING, Required), at, message, "remove it");
        } else if let Some(why) = name_error(&text) {
            let message = format!("`{text}` cannot be a value of a capability: {why}");
            let help = "choose another one";
            say(findings, (&MALFORMED, Invalid), at, message, help);
        }
        if name == ARCHITECTURE && !ARCHITECTURES.contains(&text.as_str()) {
            let message = format!("there is no architecture `{text}`");
            let at = (field.clone(), value.path());
            let help = "use amd64 or arm64";
            say(findings, (&UNSUPPORTED, Invalid), at, message, help);
        }
    }
}

fn name_error(text: &str) -> Option<&'static str> {
    let has_prefix = text.contains('/').then_some("it contains `/`");
    qualified_name_error(text).or(has_prefix)
}

/// Reports a violation at Gardener's path, and points to the real one.
fn say(
    findings: &mut Findings,
    (kind, error): (&'static FindingKind, ErrorType),
    (field, place): (FieldPath, &FieldPath),
    message: String,
    help: &str,
) {
    findings.add(
        Offence::new(kind, error, field, message)
            .at(place)
            .help(help),
    );
}
