// SPDX-License-Identifier: Apache-2.0
//! Source: `pkg/admission/validator/namespacedcloudprofile.go` of provider-gcp.

use super::profiles::{INVALID, PROFILES, UNDECODABLE, UNMAPPED};
use crate::admission::{Change, Context, Findings, rule};
use crate::rules::extensions::provider_profiles::{Definitions, Inherited};
use garden_gate_model::api::NamespacedCloudProfile;
use garden_gate_model::api::extensions::ExtensionVersion;
use garden_gate_model::api::extensions::gcp::cloud_profile::CloudProfileConfig;

rule! {
    page: include_str!("namespacedcloudprofile.md"),
    id: "gcp/namespacedcloudprofile",
    summary: "validates the providerConfig of a NamespacedCloudProfile on Google Cloud",
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

/// The first version that decodes the providerConfig of NamespacedCloudProfiles.
const DECODES: ExtensionVersion = ExtensionVersion::new(1, 41);
/// The first version in which versions of the parent need no images.
const JUDGES_MAPPING: ExtensionVersion = ExtensionVersion::new(1, 51);

fn check(
    context: &Context<'_>,
    change: Change<'_, NamespacedCloudProfile>,
    findings: &mut Findings,
) {
    let judged = PROFILES.namespaced::<CloudProfileConfig>(context, change, DECODES, findings);
    let Some(judged) = judged else { return };
    let version = judged.version();
    if version < JUDGES_MAPPING {
        return;
    }
    let defined = Definitions::of(&judged.parent.spec.machine_capabilities);
    judged.check_images(&defined, (true, Inherited::Versions), findings);
}
