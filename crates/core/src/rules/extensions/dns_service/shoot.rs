// SPDX-License-Identifier: Apache-2.0
//! Source: `pkg/admission/validator/shoot_validator.go` and `pkg/apis/service/validation` of shoot-dns-service.

use super::credentials::Judge;
use super::findings::{CREDENTIALS, FAILURE, IDENTITY, MISSING, TYPE, UNDECODABLE};
use crate::admission::{Context, ErrorType, FieldPath, Findings, Write, rule};
use crate::rules::extensions::resources::Resources;
use crate::rules::extensions::{CommonFindings, Component, Failure, entry};
use crate::rules::shared::lists::{one_of, short};
use crate::rules::shared::reported_path::ReportedPath;
use garden_gate_model::api::Shoot;
use garden_gate_model::api::extensions::dns_service::{DNSConfig, EXTENSION};
use garden_gate_model::api::extensions::{ConfigurationPlace, ExtensionVersion};
use garden_gate_model::gardener::extensions::{Document, Documents};

rule! {
    page: include_str!("shoot.md"),
    id: "dns-service/shoot",
    summary: "validates the configuration of the extension shoot-dns-service",
    phase: Admission,
    level: Deny,
    entry_point: Offline,
    scopes: [Shoot [Create, Update]],
    reads: [ControllerRegistration, ControllerDeployment, ValidatingWebhookConfiguration, MutatingWebhookConfiguration, WorkloadIdentity, Names],
    findings: { UNDECODABLE, FAILURE, TYPE, CREDENTIALS, MISSING, IDENTITY },
    fixes: Suggestion,
    check: Judge(check),
}

/// The types of DNS providers, each with the first version that supports it.
const TYPES: [(&str, ExtensionVersion); 13] = [
    ("alicloud-dns", ALWAYS),
    ("aws-route53", ALWAYS),
    ("azure-dns", ALWAYS),
    ("azure-private-dns", ALWAYS),
    ("cloudflare-dns", ALWAYS),
    ("gdch-dns", ExtensionVersion::new(1, 68)),
    ("google-clouddns", ALWAYS),
    ("infoblox-dns", ALWAYS),
    ("netlify-dns", ALWAYS),
    ("openstack-designate", ALWAYS),
    ("powerdns", ExtensionVersion::new(1, 53)),
    ("remote", ALWAYS),
    ("rfc2136", ALWAYS),
];
/// Before the oldest known version.
const ALWAYS: ExtensionVersion = ExtensionVersion::new(0, 0);

fn check(context: &Context<'_>, _: Write<'_, Shoot>, findings: &mut Findings) {
    let (_, class) = EXTENSION.resource;
    if entry::is_disabled(context.new_opened(), class) {
        return;
    }
    let common = CommonFindings { undecodable: &UNDECODABLE, failure: &FAILURE };
    let Some(component) = Component::begin(context, &EXTENSION, common, findings) else {
        return;
    };
    let Some(document) = own(component.new_documents()) else {
        return;
    };
    let failure = Failure::without_field(&UNDECODABLE);
    let Some(config) = component
        .decode_leniently::<DNSConfig>(document, &failure, findings)
        .filter(|_| has_version(document))
    else {
        return;
    };
    let old = own(component.old_documents()).and_then(|it| {
        if has_version(it) {
            it.decode_leniently::<DNSConfig>().ok()
        } else {
            Some(DNSConfig::default())
        }
    });
    let judge = Judge {
        context,
        version: component.version(),
        resources: Resources::of(context),
        is_changed: old.is_none_or(|old| old != config),
    };
    // The extension forgets `providers`, and its own index.
    let place = FieldPath::new("spec.extensions.[@.type='shoot-dns-service'].providerConfig");
    let real = entry::path(document.index).child("providers");
    for (index, provider) in config.providers.iter().enumerate() {
        let place = ReportedPath { own: place.index(index), real: real.index(index) };
        let kind = provider.kind.as_deref().unwrap_or_default();
        check_type(kind, component.version(), &place, findings);
        judge.check_credentials(provider, &place, findings);
    }
}

/// Returns the configuration of shoot-dns-service, also of an entry that its mutating webhook has added.
fn own<'d, 'a>(documents: &'d Documents<'a>) -> Option<&'d Document<'a>> {
    let (_, class) = EXTENSION.resource;
    let mut all = documents.each(ConfigurationPlace::Extension);
    all.find(|it| it.class == class)
}

/// Reports whether a configuration has an `apiVersion`, without which the extension ignores all fields.
fn has_version(document: &Document<'_>) -> bool {
    document.header().is_ok_and(|it| !it.api_version.is_empty())
}

fn check_type(
    kind: &str,
    version: ExtensionVersion,
    place: &ReportedPath,
    findings: &mut Findings,
) {
    let supported: Vec<&str> =
        TYPES.iter().filter(|(_, since)| version >= *since).map(|(name, _)| *name).collect();
    let at = place.child("type");
    if kind.is_empty() {
        let message = "the DNS provider has no type";
        at.report((&TYPE, ErrorType::Required), message, findings).help(one_of(kind, &supported));
    } else if !supported.contains(&kind) {
        let message = format!("`{}` is not a supported type of DNS provider", short(kind));
        at.report((&TYPE, ErrorType::Invalid), message, findings)
            .value(kind)
            .help(one_of(kind, &supported));
    }
}
