// SPDX-License-Identifier: Apache-2.0
//! Use of extensions by a Shoot, which Gardener shows in labels such as `extensions.extensions.gardener.cloud/<type>`.

use crate::admission::{Context, FieldPath, FindingKind, Findings, Help, Kind};
use crate::rules::shared::lists::short;
use crate::rules::shared::validation::Part;
use garden_gate_model::gardener::extensions::enabled_types;
use garden_gate_model::gardener::extensions::labels::{EXTENSION, PROVIDER};
use garden_gate_text::json::Json;

const EXTENSIONS: &[&str] = &["spec", "extensions"];

/// An extension that a Shoot uses.
pub(super) struct UsedExtension<'a> {
    /// The entry in `spec.extensions`; `None` if the extension is enabled by default.
    pub(super) entry: Option<Part<'a>>,
}

impl<'a> UsedExtension<'a> {
    /// Returns the extension of a type.
    ///
    /// If the Shoot does not use it, reports that as `kind`, and returns `None`.
    pub(super) fn find(
        context: &Context<'_>,
        (shoot, class): (&Part<'a>, &str),
        kind: &'static FindingKind,
        findings: &mut Findings,
    ) -> Option<Self> {
        let entry = entry(shoot, class);
        if let Some(entry) = &entry {
            if entry.flag_at(&["disabled"]) == Some(true) {
                let message = format!("extension `{}` is disabled", short(class));
                findings
                    .forbid(kind, entry.path().child("disabled"), message)
                    .value(true)
                    .help(Help::remove("remove `disabled`"));
                return None;
            }
        } else if !is_enabled_by_default(context, shoot, class, findings)? {
            let message = format!("the Shoot does not use extension `{}`", short(class));
            let help = format!("add `type: {}` to `spec.extensions`", short(class));
            findings.required(kind, FieldPath::new("spec.extensions"), message).help(help);
            return None;
        }
        Some(Self { entry })
    }
}

/// Returns the first entry of a type in `spec.extensions`.
fn entry<'a>(shoot: &Part<'a>, class: &str) -> Option<Part<'a>> {
    let mut entries = shoot.items_at(EXTENSIONS).into_iter();
    entries.find(|it| it.text_at(&["type"]) == class)
}

/// Reports whether an extension without an entry is enabled; `None` if that is unknown, which is recorded.
fn is_enabled_by_default(
    context: &Context<'_>,
    shoot: &Part<'_>,
    class: &str,
    findings: &mut Findings,
) -> Option<bool> {
    let place = FieldPath::new("spec.extensions");
    let unknown = format!("whether extension `{}` is enabled by default", short(class));
    if context.absence_is_known(Kind::ControllerRegistration) {
        let registrations = context.controller_registrations();
        let registrations = findings.known(registrations, &place, unknown)?;
        let enabled = enabled_types(context.new_opened(), registrations.map(AsRef::as_ref));
        return Some(enabled.contains(class));
    }
    let is_enabled = labelled(context, shoot, class);
    if is_enabled.is_none() {
        let why =
            "the garden has no ControllerRegistrations, and the Shoot has no labels of Gardener";
        findings.undetermined(&place, format!("it is unknown {unknown}: {why}"));
    }
    is_enabled
}

/// Reports whether the labels of a Shoot show an extension; `None` if they may be outdated, or Gardener has not added any yet.
fn labelled(context: &Context<'_>, shoot: &Part<'_>, class: &str) -> Option<bool> {
    let (mut is_stored, mut is_enabled) = (false, false);
    if let Some(labels) = shoot.at(&["metadata", "labels"]) {
        labels.each_text(&mut |key, value| {
            is_stored |= key.starts_with(PROVIDER);
            is_enabled |= key.strip_prefix(EXTENSION) == Some(class) && value == Some("true");
        });
    }
    // Gardener renews the labels with every write; in a manifest, they may belong to a removed entry.
    let is_removed = context.request.is_converted && has_entry(context.old_opened(), class);
    (is_stored && !is_removed).then_some(is_enabled)
}

fn has_entry(shoot: &Json<'_>, class: &str) -> bool {
    entry(&Part::whole(shoot), class).is_some()
}
