//! Source: `pkg/admission/validator/cloudprofile.go` and `pkg/apis/alicloud/validation/cloudprofile.go` of provider-alicloud.

use super::profiles::{COMMON, INVALID, JUDGES_CAPABILITIES, UNDECODABLE, UNMAPPED, failure};
use crate::admission::{Change, Context, FieldPath, Findings, rule};
use crate::api::CloudProfile;
use crate::api::extensions::alicloud::EXTENSION;
use crate::api::extensions::alicloud::cloud_profile::CloudProfileConfig;
use crate::api::extensions::{ConfigurationPlace, ExtensionVersion};
use crate::rules::extensions::Component;
use crate::rules::extensions::provider_profiles::{
    Definitions, SpecImages, check_entries, check_mapping,
};

rule! {
    page: include_str!("cloudprofile.md"),
    id: "alicloud/cloudprofile",
    summary: "validates the providerConfig of a CloudProfile on Alibaba Cloud",
    phase: Admission,
    level: Deny,
    entry_point: Offline,
    scopes: [CloudProfile [Create, Update]],
    reads: [ControllerRegistration, ControllerDeployment, ValidatingWebhookConfiguration, MutatingWebhookConfiguration],
    findings: {
        UNDECODABLE, INVALID, UNMAPPED,
        MISSING = "alicloud/profile-config-missing": "a CloudProfile on Alibaba Cloud has no providerConfig",
    },
    check: Judge(check),
}

/// The first version that compares `spec.machineImages` with the providerConfig.
const JUDGES_MAPPING: ExtensionVersion = ExtensionVersion::new(1, 70);

fn check(context: &Context<'_>, change: Change<'_, CloudProfile>, findings: &mut Findings) {
    let is_judged = |it: &&CloudProfile| it.spec.kind == "alicloud";
    let Some(profile) = change.new.filter(is_judged) else {
        return;
    };
    let Some(component) = Component::begin(context, &EXTENSION, COMMON, findings) else {
        return;
    };
    let documents = component.new_documents();
    let Some(document) = documents.at(ConfigurationPlace::CloudProfile) else {
        let place = FieldPath::new("spec.providerConfig");
        let message = "a CloudProfile of type `alicloud` has no `providerConfig`";
        findings
            .required(&MISSING, place, message)
            .help("add a `CloudProfileConfig` that maps `spec.machineImages`");
        return;
    };
    let config = component.decode::<CloudProfileConfig>(document, &failure(), findings);
    let Some(config) = config else { return };
    let images = &config.machine_images;
    let defined = Definitions::of(&profile.spec.machine_capabilities);
    if !defined.is_empty() && component.version() < JUDGES_CAPABILITIES {
        return;
    }
    if images.is_empty() {
        let place = FieldPath::new("spec.providerConfig.machineImages");
        findings
            .required(&INVALID, place, "the providerConfig maps no machine images")
            .help("map each image of `spec.machineImages`");
    }
    check_entries(images, &defined, &INVALID, findings);
    if component.version() >= JUDGES_MAPPING {
        let spec = SpecImages::of(&profile.spec.machine_images, component.edits());
        check_mapping(&spec, images, &defined, &UNMAPPED, findings);
    }
}
