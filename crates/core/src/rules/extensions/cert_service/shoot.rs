// SPDX-License-Identifier: Apache-2.0
//! Source: `pkg/controller/extension/shared/certconfigdecoder.go` of shoot-cert-service.

use super::findings::{DUPLICATE, INVALID, RESERVED, UNDECODABLE, UNLISTED};
use super::values::Judge;
use crate::admission::{Context, FieldPath, Findings, Write, rule};
use crate::rules::extensions::entry::enabled_index_of;
use crate::rules::extensions::resources::Resources;
use crate::rules::extensions::{CommonFindings, JudgedEntry};
use crate::rules::shared::reported_path::ReportedPath;
use garden_gate_model::api::Shoot;
use garden_gate_model::api::extensions::cert_service::{CertConfig, EXTENSION};

rule! {
    page: include_str!("shoot.md"),
    id: "cert-service/shoot",
    summary: "warns of configurations with which the extension shoot-cert-service fails",
    phase: Admission,
    level: { documented: Warn, gardener: Off },
    entry_point: Offline,
    scopes: [Shoot [Create, Update]],
    reads: [ControllerRegistration, ControllerDeployment, ValidatingWebhookConfiguration, MutatingWebhookConfiguration],
    findings: { UNDECODABLE, INVALID, DUPLICATE, RESERVED, UNLISTED },
    fixes: Suggestion,
    check: Judge(check),
}

fn check(context: &Context<'_>, _: Write<'_, Shoot>, findings: &mut Findings) {
    let (_, class) = EXTENSION.resource;
    let Some(index) = enabled_index_of(context.new_opened(), class) else {
        return;
    };
    let common = CommonFindings { undecodable: &UNDECODABLE, failure: &UNDECODABLE };
    let Some(entry) = JudgedEntry::at(index, context, &EXTENSION, common, findings) else {
        return;
    };
    let Some(config) = entry.decode::<CertConfig>(findings) else {
        return;
    };
    let judge = Judge { resources: Resources::of(context), version: entry.component.version() };
    // The extension reports fields without the path of the configuration.
    let place = ReportedPath { own: FieldPath::root(), real: entry.place };
    judge.check_config(&config, &place, findings);
}
