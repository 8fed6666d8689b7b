// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Change, Context, Findings, rule};
use crate::rules::cloud_profile::form::check_storage;
use crate::rules::shared::validation::{
    Facts, MALFORMED, MISSING, Naming, OUT_OF_RANGE, Part, REPEATED, Section, TOO_LONG, UNFITTING,
    UNSUPPORTED, check as check_form, check_metadata,
};
use garden_gate_model::api::NamespacedCloudProfile;

rule! {
    page: include_str!("form.md"),
    id: "namespacedcloudprofile/form",
    summary: "rejects invalid machine types, volume types and names of a NamespacedCloudProfile",
    phase: Static,
    level: Deny,
    entry_point: Review,
    scopes: [NamespacedCloudProfile [Create, Update]],
    findings: { MALFORMED, MISSING, OUT_OF_RANGE, REPEATED, TOO_LONG, UNFITTING, UNSUPPORTED },
    check: Judge(check),
}

const SECTIONS: [&[&str]; 3] =
    [&["spec", "machineTypes"], &["spec", "volumeTypes"], &["spec", "caBundle"]];

fn check(context: &Context<'_>, _: Change<'_, NamespacedCloudProfile>, findings: &mut Findings) {
    let profile = Part::whole(context.new_opened());
    check_metadata(context, Naming::Subdomain, findings);
    for at in SECTIONS {
        let section = Section { kind: "NamespacedCloudProfile", at, except: &[] };
        check_form(section, context.new_opened(), Facts::without_shoot(context), findings);
    }
    for machine in profile.items_at(&["spec", "machineTypes"]) {
        check_storage(&machine, findings);
    }
}
