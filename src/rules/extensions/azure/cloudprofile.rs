//! Source: `pkg/admission/validator/cloudprofile.go` and `pkg/apis/azure/validation/cloudprofile.go` of provider-azure.

use super::profiles::{
    COMMON, INVALID, JUDGES_CAPABILITIES, READS_CAPABILITIES, UNDECODABLE, UNMAPPED, failure,
};
use crate::admission::{Change, Context, FieldPath, Findings, rule};
use crate::api::CloudProfile;
use crate::api::extensions::azure::EXTENSION;
use crate::api::extensions::azure::cloud_profile::{CloudProfileConfig, DomainCount};
use crate::api::extensions::{ConfigurationPlace, ExtensionVersion};
use crate::rules::extensions::Component;
use crate::rules::extensions::provider_profiles::{
    Definitions, SpecImages, check_entries, check_mapping,
};

rule! {
    page: include_str!("cloudprofile.md"),
    id: "azure/cloudprofile",
    summary: "validates the providerConfig of a CloudProfile on Azure",
    phase: Admission,
    level: Deny,
    entry_point: Offline,
    scopes: [CloudProfile [Create, Update]],
    reads: [ControllerRegistration, ControllerDeployment, ValidatingWebhookConfiguration, MutatingWebhookConfiguration],
    findings: {
        UNDECODABLE, INVALID, UNMAPPED,
        MISSING = "azure/profile-config-missing": "a CloudProfile on Azure has no providerConfig",
    },
    check: Judge(check),
}

/// The first version that compares `spec.machineImages` with the providerConfig.
const JUDGES_MAPPING: ExtensionVersion = ExtensionVersion::new(1, 50);

fn check(context: &Context<'_>, change: Change<'_, CloudProfile>, findings: &mut Findings) {
    let Some(profile) = change.new.filter(|it| it.spec.kind == "azure") else {
        return;
    };
    let Some(component) = Component::begin(context, &EXTENSION, COMMON, findings) else {
        return;
    };
    let documents = component.new_documents();
    let place = FieldPath::new("spec.providerConfig");
    let Some(document) = documents.at(ConfigurationPlace::CloudProfile) else {
        let message = "a CloudProfile of type `azure` has no `providerConfig`";
        findings
            .required(&MISSING, place, message)
            .help("add a `CloudProfileConfig` that maps `spec.machineImages` to images");
        return;
    };
    let config = component.decode::<CloudProfileConfig>(document, &failure(), findings);
    let Some(config) = config else { return };
    for (field, counts) in [
        ("countFaultDomains", &config.count_fault_domains),
        ("countUpdateDomains", &config.count_update_domains),
    ] {
        check_domains(counts, &place.child(field), findings);
    }
    let (images, version) = (&config.machine_images, component.version());
    let defined = match version < READS_CAPABILITIES {
        true => Definitions::of(&[]),
        false => Definitions::of(&profile.spec.machine_capabilities),
    };
    if !defined.is_empty() && version < JUDGES_CAPABILITIES {
        return;
    }
    if images.is_empty() {
        findings
            .required(
                &INVALID,
                place.child("machineImages"),
                "the providerConfig maps no machine images",
            )
            .help("map each image of `spec.machineImages`");
        return;
    }
    check_entries(images, &defined, &INVALID, findings);
    let is_compared = match version < READS_CAPABILITIES {
        true => version >= JUDGES_MAPPING,
        false => !findings.has_violations(),
    };
    if is_compared {
        let spec = SpecImages::of(&profile.spec.machine_images, component.edits());
        check_mapping(&spec, images, &defined, &UNMAPPED, findings);
    }
}

/// Checks the numbers of domains in the list at `place`.
fn check_domains(counts: &[DomainCount], place: &FieldPath, findings: &mut Findings) {
    if counts.is_empty() {
        findings
            .required(
                &INVALID,
                place.clone(),
                "the number of domains of no region is set",
            )
            .help("add `region` and `count` for each region");
    }
    for (index, domain) in counts.iter().enumerate() {
        let place = || place.index(index);
        if domain.region.is_empty() {
            findings
                .required(
                    &INVALID,
                    place().child("region"),
                    "a number of domains has no region",
                )
                .help("set it, for example to `westeurope`");
        }
        if domain.count < 0 {
            let message = format!(
                "the number of domains is {}, which is negative",
                domain.count
            );
            findings
                .invalid(&INVALID, place().child("count"), message)
                .value(domain.count)
                .help("use 0 or more");
        }
    }
}
