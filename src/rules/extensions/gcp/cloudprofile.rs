//! Source: `pkg/admission/validator/cloudprofile.go` and `pkg/apis/gcp/validation/cloudprofile.go` of provider-gcp.

use super::profiles::{COMMON, INVALID, UNDECODABLE, UNMAPPED, failure};
use crate::admission::{Change, Context, FieldPath, Findings, rule};
use crate::api::CloudProfile;
use crate::api::extensions::gcp::EXTENSION;
use crate::api::extensions::gcp::cloud_profile::{CloudProfileConfig, MachineImages};
use crate::api::extensions::{ConfigurationPlace, ExtensionVersion};
use crate::rules::extensions::Component;
use crate::rules::extensions::provider_profiles::{
    Definitions, JudgedVersion as _, SpecImages, check_entries, check_mapping,
};

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
    check: Judge(check),
}

/// The first version that compares `spec.machineImages` with the providerConfig, for each architecture.
const JUDGES_MAPPING: ExtensionVersion = ExtensionVersion::new(1, 42);
/// The first version that reads capabilities, and checks the names and versions of machine images.
const JUDGES_CAPABILITIES: ExtensionVersion = ExtensionVersion::new(1, 50);

fn check(context: &Context<'_>, change: Change<'_, CloudProfile>, findings: &mut Findings) {
    let Some(profile) = change.new.filter(|it| it.spec.kind == "gcp") else {
        return;
    };
    let Some(component) = Component::begin(context, &EXTENSION, COMMON, findings) else {
        return;
    };
    let documents = component.new_documents();
    let Some(document) = documents.at(ConfigurationPlace::CloudProfile) else {
        let place = FieldPath::new("spec.providerConfig");
        let message = "a CloudProfile of type `gcp` has no `providerConfig`";
        findings
            .required(&MISSING, place, message)
            .help("add a `CloudProfileConfig` that maps `spec.machineImages` to images");
        return;
    };
    let config = component.decode::<CloudProfileConfig>(document, &failure(), findings);
    let Some(config) = config else { return };
    let (images, version) = (&config.machine_images, component.version());
    if version < JUDGES_MAPPING {
        return;
    }
    let mut defined = Definitions::of(&[]);
    if version < JUDGES_CAPABILITIES {
        check_plain_entries(images, findings);
    } else {
        defined = Definitions::of(&profile.spec.machine_capabilities);
        if images.is_empty() {
            let place = FieldPath::new("spec.providerConfig.machineImages");
            findings
                .required(&INVALID, place, "the providerConfig maps no machine images")
                .help("map each image of `spec.machineImages`");
        }
        check_entries(images, &defined, &INVALID, findings);
    }
    let spec = SpecImages::of(&profile.spec.machine_images, component.edits());
    check_mapping(&spec, images, &defined, &UNMAPPED, findings);
}

/// Checks the entries as versions do that know no capabilities.
fn check_plain_entries(images: &[MachineImages], findings: &mut Findings) {
    let place = FieldPath::new("spec.providerConfig.machineImages");
    for (index, image) in images.iter().enumerate() {
        let place = place.index(index).child("versions");
        for (index, version) in image.versions.iter().enumerate() {
            version.check_plain(&place.index(index), &INVALID, findings);
        }
    }
}
