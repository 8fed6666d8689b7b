//! Source: `pkg/controller/extension/shared/certconfigdecoder.go` of shoot-cert-service.

use super::findings::{DUPLICATE, INVALID, RESERVED, UNDECODABLE, UNLISTED};
use super::values::Judge;
use crate::admission::{Change, Context, FieldPath, Findings, rule};
use crate::rules::extensions::resources::Resources;
use crate::rules::extensions::{CommonFindings, Component, Failure, entry};
use crate::rules::shared::reported_path::ReportedPath;
use garden_gate_model::api::Shoot;
use garden_gate_model::api::extensions::ConfigurationPlace;
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

fn check(context: &Context<'_>, change: Change<'_, Shoot>, findings: &mut Findings) {
    let (_, class) = EXTENSION.resource;
    let index = entry::index_of(context.new_opened(), class);
    let Some(index) = index.filter(|_| change.new.is_some()) else {
        return;
    };
    if entry::is_disabled(context.new_opened(), class) {
        return;
    }
    let common = CommonFindings { undecodable: &UNDECODABLE, failure: &UNDECODABLE };
    let Some(component) = Component::begin(context, &EXTENSION, common, findings) else {
        return;
    };
    let documents = component.new_documents();
    let Some(document) = documents.nth(ConfigurationPlace::Extension, index) else {
        return;
    };
    let failure = Failure::without_field(&UNDECODABLE);
    let Some(config) = component.decode::<CertConfig>(document, &failure, findings) else {
        return;
    };
    let judge = Judge { resources: Resources::of(context), version: component.version() };
    // The extension reports fields without the path of the configuration.
    let place = ReportedPath { own: FieldPath::root(), real: entry::path(index) };
    judge.check_config(&config, &place, findings);
}
