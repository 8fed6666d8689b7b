//! Source: `pkg/admission/validator/cloudprofile.go` and `pkg/apis/openstack/validation/cloudprofile.go` of provider-openstack.

mod constraints;
mod endpoints;

use super::profiles::{COMMON, INVALID, JUDGES_CAPABILITIES, UNDECODABLE, UNMAPPED, failure};
use crate::admission::{Change, Context, FieldPath, Findings, rule};
use crate::api::CloudProfile;
use crate::api::extensions::openstack::EXTENSION;
use crate::api::extensions::openstack::cloud_profile::CloudProfileConfig;
use crate::api::extensions::{ConfigurationPlace, ExtensionVersion};
use crate::rules::extensions::Component;
use crate::rules::extensions::provider_profiles::{
    Definitions, SpecImages, check_entries, check_mapping,
};

rule! {
    page: include_str!("cloudprofile.md"),
    id: "openstack/cloudprofile",
    summary: "validates the providerConfig of a CloudProfile on OpenStack",
    phase: Admission,
    level: Deny,
    entry_point: Offline,
    scopes: [CloudProfile [Create, Update]],
    reads: [ControllerRegistration, ControllerDeployment, ValidatingWebhookConfiguration, MutatingWebhookConfiguration],
    findings: {
        UNDECODABLE, INVALID, UNMAPPED,
        MISSING = "openstack/profile-config-missing": "a CloudProfile on OpenStack has no providerConfig",
    },
    check: Judge(check),
}

/// The first version that compares `spec.machineImages` with the providerConfig.
const JUDGES_MAPPING: ExtensionVersion = ExtensionVersion::new(1, 47);

fn check(context: &Context<'_>, change: Change<'_, CloudProfile>, findings: &mut Findings) {
    let is_judged = |it: &&CloudProfile| it.spec.kind == "openstack";
    let Some(profile) = change.new.filter(is_judged) else {
        return;
    };
    let Some(component) = Component::begin(context, &EXTENSION, COMMON, findings) else {
        return;
    };
    let documents = component.new_documents();
    let Some(document) = documents.at(ConfigurationPlace::CloudProfile) else {
        let place = FieldPath::new("spec.providerConfig");
        let message = "a CloudProfile of type `openstack` has no `providerConfig`";
        findings.required(&MISSING, place, message).help(
            "add a `CloudProfileConfig` with `constraints`, `keystoneURL` and `machineImages`",
        );
        return;
    };
    let config = component.decode::<CloudProfileConfig>(document, &failure(), findings);
    let Some(config) = config else { return };
    constraints::check(&config.constraints, component.version(), findings);
    endpoints::check(&config, findings);
    check_images(&component, profile, &config, findings);
}

fn check_images(
    component: &Component<'_, '_>,
    profile: &CloudProfile,
    config: &CloudProfileConfig,
    findings: &mut Findings,
) {
    let images = &config.machine_images;
    if images.is_empty() {
        let place = FieldPath::new("spec.providerConfig.machineImages");
        findings
            .required(&INVALID, place, "the providerConfig maps no machine images")
            .help("map each image of `spec.machineImages`");
    }
    let defined = Definitions::of(&profile.spec.machine_capabilities);
    if !defined.is_empty() && component.version() < JUDGES_CAPABILITIES {
        return;
    }
    check_entries(images, &defined, &INVALID, findings);
    if component.version() >= JUDGES_MAPPING {
        let spec = SpecImages::of(&profile.spec.machine_images, component.edits());
        check_mapping(&spec, images, &defined, &UNMAPPED, findings);
    }
}
