//! Source: `pkg/admission/validator/namespacedcloudprofile.go` of provider-gcp.

use super::profiles::{COMMON, INVALID, UNDECODABLE, UNMAPPED, failure};
use crate::admission::{Change, Context, Findings, rule};
use crate::api::NamespacedCloudProfile;
use crate::api::extensions::gcp::EXTENSION;
use crate::api::extensions::gcp::cloud_profile::CloudProfileConfig;
use crate::api::extensions::{ConfigurationPlace, ExtensionVersion};
use crate::rules::extensions::Component;
use crate::rules::extensions::provider_profiles::{
    Definitions, Inherited, NamespacedImages, SpecImages, check_entries, check_namespaced,
};

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
    let Some(profile) = change
        .new
        .filter(|it| it.metadata.deletion_timestamp.is_none())
    else {
        return;
    };
    // `namespacedcloudprofile/parent-missing` reports a parent that does not exist or is unknown.
    let Ok(Some(parent)) = context.parent_profile() else {
        return;
    };
    if parent.spec.kind != "gcp" {
        return;
    }
    let Some(component) = Component::begin(context, &EXTENSION, COMMON, findings) else {
        return;
    };
    let version = component.version();
    if version < DECODES {
        return;
    }
    let documents = component.new_documents();
    let config = match documents.at(ConfigurationPlace::CloudProfile) {
        None => CloudProfileConfig::default(),
        Some(document) => {
            let config = component.decode::<CloudProfileConfig>(document, &failure(), findings);
            let Some(config) = config else { return };
            config
        }
    };
    if version < JUDGES_MAPPING {
        return;
    }
    let defined = Definitions::of(&parent.spec.machine_capabilities);
    let images = &config.machine_images;
    check_entries(images, &defined, &INVALID, findings);
    let added = NamespacedImages {
        spec: SpecImages::of(&profile.spec.machine_images, component.edits()),
        parent: &parent.spec.machine_images,
        allows_overrides: true,
        inherited: Inherited::Versions,
    };
    check_namespaced(&added, images, &defined, &UNMAPPED, findings);
}
