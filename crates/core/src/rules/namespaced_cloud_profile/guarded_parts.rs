// SPDX-License-Identifier: Apache-2.0
//! The parts of a NamespacedCloudProfile that custom verbs guard.
//!
//! Mirrors `plugin/pkg/global/customverbauthorizer/admission.go`.

use crate::admission::{Context, FieldPath, FindingKind, Findings, Kind, Write};
use crate::rules::shared::custom_verbs::{GuardedField, require};
use garden_gate_model::api::Declared;
use garden_gate_model::api::NamespacedCloudProfile;
use garden_gate_text::json::Json;

/// A part that a custom verb guards.
pub(super) struct Part {
    verb: &'static str,
    field: &'static str,
    /// The guarded action, for messages.
    action: &'static str,
    differs: fn(&NamespacedCloudProfile, &NamespacedCloudProfile, Declared) -> bool,
}

pub(super) const KUBERNETES: Part = Part {
    verb: "modify-spec-kubernetes",
    field: "spec.kubernetes",
    action: "changing Kubernetes version overrides",
    differs: |new, old, _| new.spec.kubernetes != old.spec.kubernetes,
};

pub(super) const MACHINE_IMAGES: Part = Part {
    verb: "modify-spec-machineimages",
    field: "spec.machineImages",
    action: "changing machine images",
    differs: |new, old, _| new.spec.machine_images != old.spec.machine_images,
};

pub(super) const PROVIDER_CONFIG: Part = Part {
    verb: "modify-spec-providerconfig",
    field: "spec.providerConfig",
    action: "changing the provider configuration",
    differs: |new, old, raw| !provider_config(new).same_as(&provider_config(old), raw),
};

fn provider_config(profile: &NamespacedCloudProfile) -> Json<'_> {
    let raw = profile.spec.provider_config.as_ref();
    raw.map_or(Json::NULL, |raw| Json::text(raw.get()))
}

/// Requires the verb of `part` if the request changes that part.
pub(super) fn check(
    part: &Part,
    kind: &'static FindingKind,
    context: &Context<'_>,
    profile: Write<'_, NamespacedCloudProfile>,
    findings: &mut Findings,
) {
    let new = profile.new;
    let empty = NamespacedCloudProfile::default();
    let raw = Declared::RAW.with_bytes(!context.request.is_converted);
    if !(part.differs)(new, profile.old.unwrap_or(&empty), raw) {
        return;
    }
    let guarded = GuardedField {
        verb: part.verb,
        kind: Kind::NamespacedCloudProfile,
        field: FieldPath::new(part.field),
        action: part.action,
    };
    require(context, guarded, &new.metadata.name, kind, findings);
}
