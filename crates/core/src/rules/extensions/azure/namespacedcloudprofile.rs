// SPDX-License-Identifier: Apache-2.0
//! Source: `pkg/admission/validator/namespacedcloudprofile.go` of provider-azure.

use std::collections::HashSet;

use super::profiles::{
    INVALID, JUDGES_CAPABILITIES, PROFILES, READS_CAPABILITIES, UNDECODABLE, UNMAPPED,
};
use crate::admission::{Change, Context, FieldPath, Findings, Help, rule};
use crate::rules::extensions::provider_profiles::{Definitions, Inherited};
use crate::rules::shared::lists::short;
use garden_gate_model::api::extensions::ExtensionVersion;
use garden_gate_model::api::extensions::azure::cloud_profile::CloudProfileConfig;
use garden_gate_model::api::{CloudProfile, NamespacedCloudProfile};

rule! {
    page: include_str!("namespacedcloudprofile.md"),
    id: "azure/namespacedcloudprofile",
    summary: "validates the providerConfig of a NamespacedCloudProfile on Azure",
    phase: Admission,
    level: Deny,
    entry_point: Offline,
    scopes: [NamespacedCloudProfile [Create, Update]],
    reads: [
        CloudProfile, ControllerRegistration, ControllerDeployment, ValidatingWebhookConfiguration,
        MutatingWebhookConfiguration,
    ],
    findings: { UNDECODABLE, INVALID, UNMAPPED },
    fixes: Suggestion,
    check: Judge(check),
}

/// The first version that judges NamespacedCloudProfiles.
const JUDGES: ExtensionVersion = ExtensionVersion::new(1, 49);
/// The first version in which a version of the parent that only gets another expiration date needs no images.
const ALLOWS_OVERRIDES: ExtensionVersion = ExtensionVersion::new(1, 61);

fn check(
    context: &Context<'_>,
    change: Change<'_, NamespacedCloudProfile>,
    findings: &mut Findings,
) {
    let judged = PROFILES.namespaced::<CloudProfileConfig>(context, change, JUDGES, findings);
    let Some(judged) = judged else { return };
    let version = judged.version();
    check_forbidden(&judged.config, findings);
    check_machine_types(&judged.config, judged.profile, &judged.parent, findings);
    let defined = if version < READS_CAPABILITIES {
        Definitions::of(&[])
    } else {
        Definitions::of(&judged.parent.spec.machine_capabilities)
    };
    if !defined.is_empty() && version < JUDGES_CAPABILITIES {
        return;
    }
    let inherited = match (defined.is_empty(), version < JUDGES_CAPABILITIES) {
        (false, _) => Inherited::Nothing,
        (true, true) => Inherited::Versions,
        (true, false) => Inherited::Images,
    };
    let overrides = (version >= ALLOWS_OVERRIDES, inherited);
    judged.check_images(&defined, overrides, findings);
}

/// Checks that the providerConfig has only fields that a NamespacedCloudProfile can add to its parent's.
fn check_forbidden(config: &CloudProfileConfig, findings: &mut Findings) {
    for (field, is_set) in [
        ("cloudConfiguration", config.cloud_configuration.is_some()),
        ("countUpdateDomains", !config.count_update_domains.is_empty()),
        ("countFaultDomains", !config.count_fault_domains.is_empty()),
    ] {
        if is_set {
            let place = FieldPath::new("spec.providerConfig").child(field);
            let message = format!("a NamespacedCloudProfile cannot set `{field}`");
            findings
                .forbid(&INVALID, place, message)
                .help(Help::remove("remove it; that of the parent is used"));
        }
    }
}

/// Checks that the machine types of the providerConfig are those that the profile adds.
fn check_machine_types(
    config: &CloudProfileConfig,
    profile: &NamespacedCloudProfile,
    parent: &CloudProfile,
    findings: &mut Findings,
) {
    let own: HashSet<&str> = profile.spec.machine_types.iter().map(|it| it.name.as_str()).collect();
    let inherited: HashSet<&str> =
        parent.spec.machine_types.iter().map(|it| it.name.as_str()).collect();
    for (index, machine_type) in config.machine_types.iter().enumerate() {
        let name = machine_type.name.as_str();
        let place = || FieldPath::new("spec.providerConfig.machineTypes").index(index);
        if inherited.contains(name) {
            let message =
                format!("the parent CloudProfile already has machine type `{}`", short(name));
            findings
                .forbid(&UNMAPPED, place(), message)
                .help(Help::remove("remove this entry; the parent's is used"));
        }
        if !own.contains(name) {
            let message = format!("`spec.machineTypes` has no machine type `{}`", short(name));
            findings
                .required(&UNMAPPED, place(), message)
                .help("add it to `spec.machineTypes`, or remove this entry");
        }
    }
}
