// SPDX-License-Identifier: Apache-2.0
//! Source: `pkg/apis/registry/validation` and `pkg/admission/validator/cache/shoot.go` of registry-cache.

use super::findings::{
    DUPLICATE, FAILURE, IMMUTABLE, INVALID, MISSING, REQUIRED, STORED, UNDECODABLE, UNLISTED,
};
use super::secrets::{report_unlisted, unlisted};
use super::update::{check_update, is_same};
use super::values::check_config;
use crate::admission::{Context, ErrorType, FieldPath, Findings, Write, rule};
use crate::rules::extensions::entry::{check_containerd, index_of};
use crate::rules::extensions::{CommonFindings, Component, Failure, JudgedEntry};
use garden_gate_model::api::Shoot;
use garden_gate_model::api::extensions::registry_cache::{EXTENSION, RegistryConfig};
use garden_gate_model::api::extensions::{ConfigurationPlace, ExtensionVersion};

rule! {
    page: include_str!("shoot.md"),
    id: "registry-cache/shoot",
    summary: "validates the configuration of the extension registry-cache",
    phase: Admission,
    level: Deny,
    entry_point: Offline,
    scopes: [Shoot [Create, Update]],
    reads: [ControllerRegistration, ControllerDeployment, ValidatingWebhookConfiguration, MutatingWebhookConfiguration, Names],
    findings: { UNDECODABLE, STORED, FAILURE, REQUIRED, INVALID, DUPLICATE, IMMUTABLE, UNLISTED, MISSING },
    fixes: Safe,
    check: Judge(check),
}

fn check(context: &Context<'_>, change: Write<'_, Shoot>, findings: &mut Findings) {
    let common = CommonFindings { undecodable: &UNDECODABLE, failure: &FAILURE };
    let Some(entry) = JudgedEntry::begin(context, &EXTENSION, common, findings) else {
        return;
    };
    if !check_containerd(change.new, &FAILURE, findings) {
        return;
    }
    let help = "add `providerConfig` with `caches`, or remove the extension";
    let new = entry.decode_required::<RegistryConfig>(&REQUIRED, help, findings);
    let Some(new) = new else { return };
    let JudgedEntry { component, place, .. } = entry;
    let Ok(old) = stored(&component, context, &place, findings) else {
        return;
    };
    let knows_equal = component.version() >= ExtensionVersion::new(0, 10);
    if old.as_ref().is_some_and(|old| knows_equal && is_same(old, &new)) {
        return;
    }
    let references = new.caches.iter().enumerate().filter_map(|(index, cache)| {
        let field = place.child("caches").index(index).child("secretReferenceName");
        Some((field, cache.secret_reference_name.as_deref()?))
    });
    let Some(unlisted) = unlisted(context, references, &MISSING, findings) else {
        return;
    };
    if let Some(old) = &old {
        check_update(old, &new, &place, findings);
    }
    check_config(&new, &place, component.version(), findings);
    report_unlisted(unlisted, &UNLISTED, findings);
}

/// A stored configuration that ends the request, which is reported.
struct Unusable;

/// Decodes the stored configuration, if the stored Shoot has the extension.
fn stored(
    component: &Component<'_, '_>,
    context: &Context<'_>,
    place: &FieldPath,
    findings: &mut Findings,
) -> Result<Option<RegistryConfig>, Unusable> {
    let (_, class) = EXTENSION.resource;
    let Some(index) = index_of(context.old_opened(), class) else {
        return Ok(None);
    };
    let documents = component.old_documents();
    let Some(document) = documents.nth(ConfigurationPlace::Extension, index) else {
        let message = "the stored Shoot has registry-cache without a configuration";
        findings
            .report(&FAILURE, ErrorType::Denied, FieldPath::root(), message)
            .at(place)
            .help("remove the extension, and add it with the configuration afterwards");
        return Err(Unusable);
    };
    let failure = Failure::without_field(&STORED);
    let mut decoded = None;
    findings.under(&STORED, place, |findings| {
        decoded = component.decode(document, &failure, findings);
    });
    decoded.map(Some).ok_or(Unusable)
}
