// SPDX-License-Identifier: Apache-2.0
//! Source: `pkg/admission/validator/namespacedcloudprofile.go` of provider-alicloud.

use super::profiles::{INVALID, JUDGES_CAPABILITIES, PROFILES, UNDECODABLE, UNMAPPED};
use crate::admission::{Change, Context, Findings, rule};
use crate::rules::extensions::provider_profiles::{Definitions, Inherited};
use garden_gate_model::api::NamespacedCloudProfile;
use garden_gate_model::api::extensions::ExtensionVersion;
use garden_gate_model::api::extensions::alicloud::cloud_profile::CloudProfileConfig;

rule! {
    page: include_str!("namespacedcloudprofile.md"),
    id: "alicloud/namespacedcloudprofile",
    summary: "validates the providerConfig of a NamespacedCloudProfile on Alibaba Cloud",
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
const JUDGES: ExtensionVersion = ExtensionVersion::new(1, 59);
/// The first version in which a version of the parent that only gets another expiration date needs no images.
const ALLOWS_OVERRIDES: ExtensionVersion = ExtensionVersion::new(1, 72);

fn check(
    context: &Context<'_>,
    change: Change<'_, NamespacedCloudProfile>,
    findings: &mut Findings,
) {
    let judged = PROFILES.namespaced::<CloudProfileConfig>(context, change, JUDGES, findings);
    let Some(judged) = judged else { return };
    let version = judged.version();
    let defined = Definitions::of(&judged.parent.spec.machine_capabilities);
    if !defined.is_empty() && version < JUDGES_CAPABILITIES {
        return;
    }
    let overrides = (version >= ALLOWS_OVERRIDES, Inherited::Nothing);
    judged.check_images(&defined, overrides, findings);
}
