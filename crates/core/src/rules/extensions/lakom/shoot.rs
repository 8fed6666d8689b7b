// SPDX-License-Identifier: Apache-2.0
//! Source: `pkg/admission/validator/lakom/shoot.go` of shoot-lakom-service.

use crate::admission::{Context, Findings, Write, rule};
use crate::rules::extensions::resources::{Resources, check_secret};
use crate::rules::extensions::{CommonFindings, JudgedEntry};
use crate::rules::shared::lists::{one_of, short};
use garden_gate_model::api::Shoot;
use garden_gate_model::api::extensions::lakom::{EXTENSION, LakomConfig};

rule! {
    page: include_str!("shoot.md"),
    id: "lakom/shoot",
    summary: "validates the configuration of the extension shoot-lakom-service",
    phase: Admission,
    level: Deny,
    entry_point: Offline,
    scopes: [Shoot [Create, Update]],
    reads: [ControllerRegistration, ControllerDeployment, ValidatingWebhookConfiguration, MutatingWebhookConfiguration, Names],
    findings: {
        UNDECODABLE = "lakom/undecodable": "the configuration of shoot-lakom-service cannot be decoded",
        FAILURE = "lakom/failure": "the admission component of shoot-lakom-service fails",
        SCOPE = "lakom/scope": "the scope of shoot-lakom-service is unsupported",
        UNLISTED = "lakom/secret-unlisted": "the Secret of shoot-lakom-service is not listed in `spec.resources`",
        MISSING = "lakom/secret-missing": "the Secret of shoot-lakom-service is not found",
    },
    fixes: Suggestion,
    check: Judge(check),
}

const SCOPES: &[&str] = &["Cluster", "KubeSystem", "KubeSystemManagedByGardener"];

fn check(context: &Context<'_>, _: Write<'_, Shoot>, findings: &mut Findings) {
    let common = CommonFindings { undecodable: &UNDECODABLE, failure: &FAILURE };
    let Some(entry) = JudgedEntry::begin(context, &EXTENSION, common, findings) else {
        return;
    };
    let Some(config) = entry.decode::<LakomConfig>(findings) else {
        return;
    };
    let place = entry.place;
    if let Some(scope) = config.scope.as_deref().filter(|it| !SCOPES.contains(it)) {
        let message = format!("the scope `{}` is unsupported", short(scope));
        findings
            .unsupported(&SCOPE, place.child("scope"), message)
            .value(scope)
            .help(one_of(scope, SCOPES));
    }
    if let Some(name) = config.trusted_keys_resource_name.as_deref() {
        let field = place.child("trustedKeysResourceName");
        let (resources, kinds) = (Resources::of(context), (&UNLISTED, &MISSING));
        check_secret(context, &resources, (name, &field), kinds, findings);
    }
}
