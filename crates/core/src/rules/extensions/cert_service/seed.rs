// SPDX-License-Identifier: Apache-2.0
//! Source: `pkg/apis/service/validation/validation.go` of shoot-cert-service.

use super::findings::{FORBIDDEN, UNDECODABLE};
use crate::admission::{Context, FieldPath, Findings, Write, rule};
use crate::rules::extensions::entry::index_of;
use crate::rules::extensions::{CommonFindings, JudgedEntry};
use garden_gate_model::api::Seed;
use garden_gate_model::api::extensions::ExtensionVersion;
use garden_gate_model::api::extensions::cert_service::{CertConfig, EXTENSION};

rule! {
    page: include_str!("seed.md"),
    id: "cert-service/seed",
    summary: "warns of configurations in Seeds with which the extension shoot-cert-service fails",
    phase: Admission,
    level: { documented: Warn, gardener: Off },
    entry_point: Offline,
    scopes: [Seed [Create, Update]],
    reads: [ControllerRegistration, ControllerDeployment, ValidatingWebhookConfiguration, MutatingWebhookConfiguration],
    findings: { UNDECODABLE, FORBIDDEN },
    fixes: Safe,
    check: Judge(check),
}

/// The first version that reads configurations of Seeds.
const SEEDS: ExtensionVersion = ExtensionVersion::new(1, 50);

fn check(context: &Context<'_>, _: Write<'_, Seed>, findings: &mut Findings) {
    let (_, class) = EXTENSION.resource;
    let Some(index) = index_of(context.new_opened(), class) else {
        return;
    };
    let common = CommonFindings { undecodable: &UNDECODABLE, failure: &UNDECODABLE };
    let Some(entry) = JudgedEntry::at(index, context, &EXTENSION, common, findings) else {
        return;
    };
    let Some(config) =
        entry.decode::<CertConfig>(findings).filter(|_| entry.component.version() >= SEEDS)
    else {
        return;
    };
    for (field, is_set) in [
        ("issuers", !config.issuers.is_empty()),
        ("precheckNameservers", config.precheck_nameservers.is_some()),
        ("dnsChallengeOnShoot", config.dns_challenge_on_shoot.is_some()),
        ("shootIssuers", config.shoot_issuers.is_some()),
        ("alerting", config.alerting.is_some()),
    ] {
        if is_set {
            // The extension reports fields without the path of the configuration.
            let message = format!("`{field}` is not allowed in a Seed");
            findings
                .forbid(&FORBIDDEN, FieldPath::new(field), message)
                .at(&entry.place.child(field))
                .help(format!("remove `{field}`"));
        }
    }
}
