// SPDX-License-Identifier: Apache-2.0
//! Source: `pkg/admission/validator/cloudprofile.go` and `pkg/apis/gcp/validation/cloudprofile.go` of provider-gcp.

use super::profiles::{INVALID, PROFILES, UNDECODABLE, UNMAPPED};
use crate::admission::{Change, Context, FieldPath, Findings, rule};
use crate::rules::extensions::provider_profiles::{Definitions, JudgedVersion as _};
use garden_gate_model::api::CloudProfile;
use garden_gate_model::api::extensions::ExtensionVersion;
use garden_gate_model::api::extensions::gcp::cloud_profile::{CloudProfileConfig, MachineImages};

rule! {
    page: include_str!("cloudprofile.md"),
    id: "gcp/cloudprofile",
    summary: "validates the providerConfig of a CloudProfile on Google Cloud",
    phase: Admission,
    level: Deny,
    entry_point: Offline,
    scopes: [CloudProfile [Create, Update]],
    reads: [ControllerRegistration, ControllerDeployment, ValidatingWebhookConfiguration, MutatingWebhookConfiguration],
    findings: {
        UNDECODABLE, INVALID, UNMAPPED,
        MISSING = "gcp/profile-config-missing": "a CloudProfile on Google Cloud has no providerConfig",
    },
    fixes: Safe,
    check: Judge(check),
}

/// The first version that compares `spec.machineImages` with the providerConfig, for each architecture.
const JUDGES_MAPPING: ExtensionVersion = ExtensionVersion::new(1, 42);
/// The first version that reads capabilities, and checks the names and versions of machine images.
const JUDGES_CAPABILITIES: ExtensionVersion = ExtensionVersion::new(1, 50);

fn check(context: &Context<'_>, change: Change<'_, CloudProfile>, findings: &mut Findings) {
    let missing = (&MISSING, "add a `CloudProfileConfig` that maps `spec.machineImages` to images");
    let judged = PROFILES.cloud_profile::<CloudProfileConfig>(context, change, missing, findings);
    let Some(judged) = judged else { return };
    let version = judged.version();
    if version < JUDGES_MAPPING {
        return;
    }
    let mut defined = Definitions::of(&[]);
    if version < JUDGES_CAPABILITIES {
        check_plain_entries(&judged.config.machine_images, findings);
    } else {
        defined = Definitions::of(&judged.profile.spec.machine_capabilities);
        judged.check_any(findings);
        judged.check_entries(&defined, findings);
    }
    judged.check_mapping(&defined, findings);
}

/// Checks the entries as versions do that know no capabilities.
fn check_plain_entries(images: &[MachineImages], findings: &mut Findings) {
    let place = FieldPath::new("spec.providerConfig.machineImages");
    for (index, image) in images.iter().enumerate() {
        let at = place.index(index).child("versions");
        for (index, version) in image.versions.iter().enumerate() {
            version.check_plain(&at.index(index), &INVALID, findings);
        }
    }
}
