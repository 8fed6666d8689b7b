// SPDX-License-Identifier: Apache-2.0
//! Source: `pkg/admission/validator/shoot.go` and `pkg/apis/rsyslog/validation` of shoot-rsyslog-relp.

use super::findings::{FAILURE, INVALID, MISSING, REQUIRED, UNDECODABLE, UNLISTED};
use super::values::check_config;
use crate::admission::{Context, ErrorType, FieldPath, Findings, Write, rule};
use crate::rules::extensions::entry::enabled_index_of;
use crate::rules::extensions::resources::{Resources, missing_object};
use crate::rules::extensions::{CommonFindings, JudgedEntry};
use crate::rules::shared::reported_path::ReportedPath;
use garden_gate_model::api::extensions::rsyslog_relp::{EXTENSION, RsyslogRelpConfig};
use garden_gate_model::api::{Kind, Shoot};

rule! {
    page: include_str!("shoot.md"),
    id: "rsyslog-relp/shoot",
    summary: "validates the configuration of the extension shoot-rsyslog-relp",
    phase: Admission,
    level: Deny,
    entry_point: Offline,
    scopes: [Shoot [Create, Update]],
    reads: [ControllerRegistration, ControllerDeployment, ValidatingWebhookConfiguration, MutatingWebhookConfiguration, Names],
    findings: { UNDECODABLE, FAILURE, REQUIRED, INVALID, UNLISTED, MISSING },
    fixes: Safe,
    check: Judge(check),
}

fn check(context: &Context<'_>, _: Write<'_, Shoot>, findings: &mut Findings) {
    let (_, class) = EXTENSION.resource;
    let Some(index) = enabled_index_of(context.new_opened(), class) else {
        return;
    };
    let common = CommonFindings { undecodable: &UNDECODABLE, failure: &FAILURE };
    let Some(entry) = JudgedEntry::at(index, context, &EXTENSION, common, findings) else {
        return;
    };
    let help = "add `providerConfig` with `target` and `loggingRules`, or remove the extension";
    let config = entry.decode_required::<RsyslogRelpConfig>(&REQUIRED, help, findings);
    let Some(config) = config else { return };
    let JudgedEntry { component, place: real, .. } = entry;
    // The extension reports fields without the path of the configuration.
    let place = ReportedPath { own: FieldPath::root(), real: real.clone() };
    check_config(&config, &place, component.version(), findings);
    if findings.has_violations() {
        return;
    }
    let resources = Resources::of(context);
    for (kind, name, field) in references(&config) {
        let place = real.descendant(field);
        if !check_reference(context, &resources, kind, name, &place, findings) {
            return;
        }
    }
}

/// Returns the objects that the configuration names, with the fields that name them.
fn references(config: &RsyslogRelpConfig) -> impl Iterator<Item = (Kind, &str, &'static str)> {
    let tls = config.tls.iter().filter(|it| it.enabled);
    let secret = tls.map(|it| {
        let name = it.secret_reference_name.as_str();
        (Kind::Secret, name, "tls.secretReferenceName")
    });
    let audit = config.audit_config.iter().filter(|it| it.enabled);
    let config_map = audit.filter_map(|it| {
        let name = it.config_map_reference_name.as_deref()?;
        Some((Kind::ConfigMap, name, "auditConfig.configMapReferenceName"))
    });
    secret.chain(config_map)
}

/// Checks that an object is listed and exists; returns whether that is so, or not known.
fn check_reference(
    context: &Context<'_>,
    resources: &Resources,
    kind: Kind,
    name: &str,
    place: &FieldPath,
    findings: &mut Findings,
) -> bool {
    let mut deny = |finding, message: String, help: String| {
        findings
            .report(finding, ErrorType::Denied, FieldPath::root(), message)
            .at(place)
            .help(help);
        false
    };
    match resources.of_kind(name, kind) {
        Err(message) => {
            let help = format!("add the {kind} to `spec.resources` with this `name`");
            deny(&UNLISTED, message, help)
        }
        Ok(resource) => match missing_object(context, kind, &resource.object) {
            Some(key) => {
                let help = format!("create the {kind} first");
                deny(&MISSING, format!("there is no {key}"), help)
            }
            None => true,
        },
    }
}
