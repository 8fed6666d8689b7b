// SPDX-License-Identifier: Apache-2.0
use super::capabilities::check_definitions;
use crate::admission::{Context, FieldPath, Findings, Write, rule};
use crate::rules::shared::profiles::{Defined, TYPE_CAPABILITIES, check_type_capabilities};
use crate::rules::shared::validation::{
    Facts, MALFORMED, MISSING, Naming, OUT_OF_RANGE, Part, REPEATED, Section, TOO_LONG, UNFITTING,
    UNSUPPORTED, check as check_form, check_labels, check_made_label, check_metadata,
    check_selector,
};
use garden_gate_model::api::CloudProfile;

rule! {
    page: include_str!("form.md"),
    id: "cloudprofile/form",
    summary: "rejects invalid machine types, volume types, regions and names of a CloudProfile",
    phase: Static,
    level: Deny,
    entry_point: Review,
    scopes: [CloudProfile [Create, Update]],
    findings: {
        MALFORMED, MISSING, OUT_OF_RANGE, REPEATED, TOO_LONG, UNFITTING, UNSUPPORTED, TYPE_CAPABILITIES,
        CAPABILITIES = "cloudprofile/capabilities-feature-gate": "the profile defines capabilities, but the feature gate `CloudProfileCapabilities` is disabled",
    },
    fixes: Safe,
    check: Judge(check),
}

const SECTIONS: [&[&str]; 5] = [
    &["spec", "type"],
    &["spec", "machineTypes"],
    &["spec", "volumeTypes"],
    &["spec", "regions"],
    &["spec", "caBundle"],
];

fn check(context: &Context<'_>, change: Write<'_, CloudProfile>, findings: &mut Findings) {
    let new = change.new;
    let profile = Part::whole(context.new_opened());
    check_metadata(context, Naming::Subdomain, findings);
    for at in SECTIONS {
        let section = Section { kind: "CloudProfile", at, except: &[] };
        check_form(section, context.new_opened(), Facts::without_shoot(context), findings);
    }
    if let Some(selector) = profile.at(&["spec", "seedSelector"]) {
        check_selector(&selector, findings);
    }
    for region in profile.items_at(&["spec", "regions"]) {
        check_labels(&region, &region.path().child("labels"), findings);
    }
    let provider = profile.at(&["spec", "type"]).unwrap_or_else(|| Part::absent("spec.type"));
    check_made_label(&provider, findings);
    let types = profile.items_at(&["spec", "machineTypes"]);
    for machine in &types {
        check_storage(machine, findings);
    }
    if new.spec.machine_capabilities.is_empty() {
        for (machine, stored) in types.iter().zip(&new.spec.machine_types) {
            check_architecture(machine, findings);
            // An update that removes the definitions also removes the capabilities.
            if !stored.capabilities.is_empty() {
                let message = "the machine type has capabilities, but the profile defines none";
                let field = machine.path().child("capabilities");
                let help = "define them in `machineCapabilities`";
                findings.forbid(&UNFITTING, field, message).help(help);
            }
        }
        return;
    }
    if !context.config.allows_capabilities() {
        let message =
            "machine capabilities need the feature gate `CloudProfileCapabilities`, which is off";
        let field = FieldPath::new("spec.machineCapabilities");
        findings.forbid(&CAPABILITIES, field, message).help(
            "remove them, or enable the gate in gardener-apiserver and in `featureGates` of the configuration",
        );
    }
    check_definitions(&profile, context.config.gardener_version, findings);
    let defined = Defined::by(&new.spec.machine_capabilities);
    for (index, machine) in new.spec.machine_types.iter().enumerate() {
        let place = || FieldPath::new("spec.machineTypes").index(index);
        check_type_capabilities(machine, &defined, &place, findings);
    }
}

fn check_architecture(machine: &Part<'_>, findings: &mut Findings) {
    // The API server fills in `amd64` for an omitted architecture, but not for an empty one.
    if let Some(named) = machine.at(&["architecture"]).filter(Part::is_empty) {
        let message = "the machine type has no architecture";
        let field = named.path().clone();
        let help = "use amd64 or arm64";
        findings.required(&MISSING, field, message).help(help);
    }
}

/// Checks the storage of a machine type, also for NamespacedCloudProfiles.
pub(crate) fn check_storage(machine: &Part<'_>, findings: &mut Findings) {
    let Some(storage) = machine.at(&["storage"]) else {
        return;
    };
    let message = match (storage.at(&["size"]), storage.at(&["minSize"])) {
        (None, None) => "storage has neither `size` nor `minSize`",
        (Some(_), Some(_)) => "storage has both `size` and `minSize`",
        _ => return,
    };
    findings.invalid(&UNFITTING, storage.path().clone(), message).help("set one of both");
}
