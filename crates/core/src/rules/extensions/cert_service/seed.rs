//! Source: `pkg/apis/service/validation/validation.go` of shoot-cert-service.

use super::findings::{FORBIDDEN, UNDECODABLE};
use crate::admission::{Change, Context, FieldPath, Findings, rule};
use crate::rules::extensions::{CommonFindings, Component, Failure, entry};
use garden_gate_model::api::Seed;
use garden_gate_model::api::extensions::cert_service::{CertConfig, EXTENSION};
use garden_gate_model::api::extensions::{ConfigurationPlace, ExtensionVersion};

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

fn check(context: &Context<'_>, change: Change<'_, Seed>, findings: &mut Findings) {
    let (_, class) = EXTENSION.resource;
    let index = entry::index_of(context.new_opened(), class);
    let Some(index) = index.filter(|_| change.new.is_some()) else {
        return;
    };
    let common = CommonFindings { undecodable: &UNDECODABLE, failure: &UNDECODABLE };
    let Some(component) = Component::begin(context, &EXTENSION, common, findings) else {
        return;
    };
    let documents = component.new_documents();
    let Some(document) = documents.nth(ConfigurationPlace::Extension, index) else {
        return;
    };
    let failure = Failure::without_field(&UNDECODABLE);
    let config = component.decode::<CertConfig>(document, &failure, findings);
    let Some(config) = config.filter(|_| component.version() >= SEEDS) else {
        return;
    };
    let place = entry::path(index);
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
                .at(&place.child(field))
                .help(format!("remove `{field}`"));
        }
    }
}
