// SPDX-License-Identifier: Apache-2.0
//! Source: `pkg/admission/validator/cloudprofile.go` and `pkg/apis/azure/validation/cloudprofile.go` of provider-azure.

use super::profiles::{
    INVALID, JUDGES_CAPABILITIES, PROFILES, READS_CAPABILITIES, UNDECODABLE, UNMAPPED,
};
use crate::admission::{Change, Context, FieldPath, Findings, rule};
use crate::rules::extensions::provider_profiles::Definitions;
use garden_gate_model::api::CloudProfile;
use garden_gate_model::api::extensions::ExtensionVersion;
use garden_gate_model::api::extensions::azure::cloud_profile::{CloudProfileConfig, DomainCount};

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
    fixes: Safe,
    check: Judge(check),
}

/// The first version that compares `spec.machineImages` with the providerConfig.
const JUDGES_MAPPING: ExtensionVersion = ExtensionVersion::new(1, 50);

fn check(context: &Context<'_>, change: Change<'_, CloudProfile>, findings: &mut Findings) {
    let missing = (&MISSING, "add a `CloudProfileConfig` that maps `spec.machineImages` to images");
    let judged = PROFILES.cloud_profile::<CloudProfileConfig>(context, change, missing, findings);
    let Some(judged) = judged else { return };
    let version = judged.version();
    let config = &judged.config;
    for (field, counts) in [
        ("countFaultDomains", &config.count_fault_domains),
        ("countUpdateDomains", &config.count_update_domains),
    ] {
        let place = FieldPath::new("spec.providerConfig").child(field);
        check_domains(counts, &place, findings);
    }
    let defined = if version < READS_CAPABILITIES {
        Definitions::of(&[])
    } else {
        Definitions::of(&judged.profile.spec.machine_capabilities)
    };
    if !defined.is_empty() && version < JUDGES_CAPABILITIES {
        return;
    }
    if !judged.check_any(findings) {
        return;
    }
    judged.check_entries(&defined, findings);
    let is_compared = if version < READS_CAPABILITIES {
        version >= JUDGES_MAPPING
    } else {
        !findings.has_violations()
    };
    if is_compared {
        judged.check_mapping(&defined, findings);
    }
}

/// Checks the numbers of domains in the list at `place`.
fn check_domains(counts: &[DomainCount], place: &FieldPath, findings: &mut Findings) {
    if counts.is_empty() {
        findings
            .required(&INVALID, place.clone(), "the number of domains of no region is set")
            .help("add `region` and `count` for each region");
    }
    for (index, domain) in counts.iter().enumerate() {
        let place = || place.index(index);
        if domain.region.is_empty() {
            findings
                .required(&INVALID, place().child("region"), "a number of domains has no region")
                .help("set it, for example to `westeurope`");
        }
        if domain.count < 0 {
            let message = format!("the number of domains is {}, which is negative", domain.count);
            findings
                .invalid(&INVALID, place().child("count"), message)
                .value(domain.count)
                .help("use 0 or more");
        }
    }
}
