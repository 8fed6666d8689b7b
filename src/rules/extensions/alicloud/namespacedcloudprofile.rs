//! Source: `pkg/admission/validator/namespacedcloudprofile.go` of provider-alicloud.

use super::profiles::{COMMON, INVALID, JUDGES_CAPABILITIES, UNDECODABLE, UNMAPPED, failure};
use crate::admission::{Change, Context, Findings, rule};
use crate::api::NamespacedCloudProfile;
use crate::api::extensions::alicloud::EXTENSION;
use crate::api::extensions::alicloud::cloud_profile::CloudProfileConfig;
use crate::api::extensions::{ConfigurationPlace, ExtensionVersion};
use crate::rules::extensions::Component;
use crate::rules::extensions::provider_profiles::{
    Definitions, Inherited, NamespacedImages, SpecImages, check_entries, check_namespaced,
};

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
    let is_judged = |it: &&NamespacedCloudProfile| it.metadata.deletion_timestamp.is_none();
    let Some(profile) = change.new.filter(is_judged) else {
        return;
    };
    // `namespacedcloudprofile/parent-missing` reports a parent that does not exist or is unknown.
    let Ok(Some(parent)) = context.parent_profile() else {
        return;
    };
    if parent.spec.kind != "alicloud" {
        return;
    }
    let Some(component) = Component::begin(context, &EXTENSION, COMMON, findings) else {
        return;
    };
    let version = component.version();
    if version < JUDGES {
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
    let defined = Definitions::of(&parent.spec.machine_capabilities);
    if !defined.is_empty() && version < JUDGES_CAPABILITIES {
        return;
    }
    let images = &config.machine_images;
    check_entries(images, &defined, &INVALID, findings);
    let added = NamespacedImages {
        spec: SpecImages::of(&profile.spec.machine_images, component.edits()),
        parent: &parent.spec.machine_images,
        allows_overrides: version >= ALLOWS_OVERRIDES,
        inherited: Inherited::Nothing,
    };
    check_namespaced(&added, images, &defined, &UNMAPPED, findings);
}
