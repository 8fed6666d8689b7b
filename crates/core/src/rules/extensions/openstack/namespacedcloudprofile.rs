// SPDX-License-Identifier: Apache-2.0
//! Source: `pkg/admission/validator/namespacedcloudprofile.go` of provider-openstack.

use super::profiles::{INVALID, JUDGES_CAPABILITIES, PROFILES, UNDECODABLE, UNMAPPED};
use crate::admission::{Change, Context, FieldPath, Findings, rule};
use crate::rules::extensions::provider_profiles::{Definitions, Inherited};
use garden_gate_model::api::NamespacedCloudProfile;
use garden_gate_model::api::extensions::ExtensionVersion;
use garden_gate_model::api::extensions::openstack::cloud_profile::CloudProfileConfig;

rule! {
    page: include_str!("namespacedcloudprofile.md"),
    id: "openstack/namespacedcloudprofile",
    summary: "validates the providerConfig of a NamespacedCloudProfile on OpenStack",
    phase: Admission,
    level: Deny,
    entry_point: Offline,
    scopes: [NamespacedCloudProfile [Create, Update]],
    reads: [
        CloudProfile, ControllerRegistration, ControllerDeployment, ValidatingWebhookConfiguration,
        MutatingWebhookConfiguration,
    ],
    findings: {
        UNDECODABLE, INVALID, UNMAPPED,
        OTHER_FIELDS = "openstack/profile-other-fields": "a NamespacedCloudProfile on OpenStack configures more than machine images",
    },
    fixes: Suggestion,
    check: Judge(check),
}

/// The first version that judges NamespacedCloudProfiles.
const JUDGES: ExtensionVersion = ExtensionVersion::new(1, 44);
/// The first version in which a version of the parent that only gets another expiration date needs no images.
const ALLOWS_OVERRIDES: ExtensionVersion = ExtensionVersion::new(1, 55);

fn check(
    context: &Context<'_>,
    change: Change<'_, NamespacedCloudProfile>,
    findings: &mut Findings,
) {
    let judged = PROFILES.namespaced::<CloudProfileConfig>(context, change, JUDGES, findings);
    let Some(judged) = judged else { return };
    let version = judged.version();
    check_other_fields(&judged.config, findings);
    let defined = Definitions::of(&judged.parent.spec.machine_capabilities);
    if !defined.is_empty() && version < JUDGES_CAPABILITIES {
        return;
    }
    let overrides = (version >= ALLOWS_OVERRIDES, Inherited::Nothing);
    judged.check_images(&defined, overrides, findings);
}

/// Checks that only machine images are configured.
fn check_other_fields(config: &CloudProfileConfig, findings: &mut Findings) {
    let only_images = CloudProfileConfig {
        machine_images: config.machine_images.clone(),
        ..CloudProfileConfig::default()
    };
    if *config != only_images {
        let place = FieldPath::new("spec.providerConfig");
        let message = "a NamespacedCloudProfile can only set `machineImages`";
        findings
            .forbid(&OTHER_FIELDS, place, message)
            .help("remove all other fields; those of the parent CloudProfile are used");
    }
}
