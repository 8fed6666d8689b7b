// SPDX-License-Identifier: Apache-2.0
//! Source: `pkg/admission/validator/cloudprofile.go` and `pkg/apis/aws/validation/cloudprofile.go` of provider-aws.

use super::profiles::{INVALID, JUDGES_CAPABILITIES, PROFILES, UNDECODABLE, UNMAPPED};
use crate::admission::{Change, Context, Findings, rule};
use crate::rules::extensions::provider_profiles::Definitions;
use garden_gate_model::api::CloudProfile;
use garden_gate_model::api::extensions::ExtensionVersion;
use garden_gate_model::api::extensions::aws::cloud_profile::CloudProfileConfig;

rule! {
    page: include_str!("cloudprofile.md"),
    id: "aws/cloudprofile",
    summary: "validates the providerConfig of a CloudProfile on AWS",
    phase: Admission,
    level: Deny,
    entry_point: Offline,
    scopes: [CloudProfile [Create, Update]],
    reads: [ControllerRegistration, ControllerDeployment, ValidatingWebhookConfiguration, MutatingWebhookConfiguration],
    findings: {
        UNDECODABLE, INVALID, UNMAPPED,
        MISSING = "aws/profile-config-missing": "a CloudProfile on AWS has no providerConfig",
    },
    fixes: Safe,
    check: Judge(check),
}

/// The first version that compares `spec.machineImages` with the providerConfig.
const JUDGES_MAPPING: ExtensionVersion = ExtensionVersion::new(1, 61);

fn check(context: &Context<'_>, change: Change<'_, CloudProfile>, findings: &mut Findings) {
    let missing = (&MISSING, "add a `CloudProfileConfig` that maps `spec.machineImages` to AMIs");
    let judged = PROFILES.cloud_profile::<CloudProfileConfig>(context, change, missing, findings);
    let Some(judged) = judged else { return };
    let version = judged.version();
    let defined = Definitions::of(&judged.profile.spec.machine_capabilities);
    if !defined.is_empty() && version < JUDGES_CAPABILITIES {
        return;
    }
    judged.check_any(findings);
    judged.check_entries(&defined, findings);
    if version >= JUDGES_MAPPING {
        judged.check_mapping(&defined, findings);
    }
}
