// SPDX-License-Identifier: Apache-2.0
//! Source: `pkg/apis/mirror/validation` and `pkg/admission/validator/mirror/shoot.go` of registry-cache.

use std::collections::BTreeSet;

use crate::admission::{Context, ErrorType, FieldPath, Findings, Write, rule};
use crate::rules::extensions::entry::{check_containerd, index_of};
use crate::rules::extensions::registry_cache::hosts::{Paths, check_upstream, check_url};
use crate::rules::extensions::registry_cache::secrets::{report_unlisted, unlisted};
use crate::rules::extensions::{CommonFindings, JudgedEntry};
use crate::rules::shared::lists::{one_of, short};
use garden_gate_model::api::Shoot;
use garden_gate_model::api::extensions::ExtensionVersion;
use garden_gate_model::api::extensions::registry_cache::{self, RegistryConfig};
use garden_gate_model::api::extensions::registry_mirror::{
    EXTENSION, MirrorConfig, MirrorConfiguration,
};

rule! {
    page: include_str!("shoot.md"),
    id: "registry-mirror/shoot",
    summary: "validates the configuration of the extension registry-mirror",
    phase: Admission,
    level: Deny,
    entry_point: Offline,
    scopes: [Shoot [Create, Update]],
    reads: [ControllerRegistration, ControllerDeployment, ValidatingWebhookConfiguration, MutatingWebhookConfiguration, Names],
    findings: {
        UNDECODABLE = "registry-mirror/undecodable": "the configuration of registry-mirror, or of registry-cache next to it, cannot be decoded",
        FAILURE = "registry-mirror/failure": "the admission component of registry-mirror fails",
        REQUIRED = "registry-mirror/required": "a required part of the configuration of registry-mirror is missing",
        INVALID = "registry-mirror/invalid": "a value in the configuration of registry-mirror is invalid",
        DUPLICATE = "registry-mirror/duplicate": "an upstream, mirror or capability is listed twice, or is also cached",
        UNLISTED = "registry-mirror/secret-unlisted": "the Secret of a mirror is not listed in `spec.resources`",
        MISSING = "registry-mirror/secret-missing": "the Secret of a mirror is not found",
    },
    fixes: Safe,
    check: Judge(check),
}

const CAPABILITIES: &[&str] = &["pull", "resolve"];

fn check(context: &Context<'_>, change: Write<'_, Shoot>, findings: &mut Findings) {
    let common = CommonFindings { undecodable: &UNDECODABLE, failure: &FAILURE };
    let Some(entry) = JudgedEntry::begin(context, &EXTENSION, common, findings) else {
        return;
    };
    if !check_containerd(change.new, &FAILURE, findings) {
        return;
    }
    let help = "add `providerConfig` with `mirrors`, or remove the extension";
    let config = entry.decode_required::<MirrorConfig>(&REQUIRED, help, findings);
    let Some(config) = config else { return };
    let JudgedEntry { component, place, .. } = entry;
    let Some(unlisted) = unlisted(context, references(&config, &place), &MISSING, findings) else {
        return;
    };
    let Ok(cached) = cached(context, common, findings) else {
        return;
    };
    check_config(&config, &place, component.version(), findings);
    report_unlisted(unlisted, &UNLISTED, findings);
    if let Some(cached) = &cached {
        check_cached(cached, &config, &place, findings);
    }
}

/// Returns the names of Secrets with CA bundles, with the fields that contain them.
fn references<'c>(
    config: &'c MirrorConfig,
    place: &FieldPath,
) -> impl Iterator<Item = (FieldPath, &'c str)> {
    let at = place.child("mirrors");
    let mirrors = config.mirrors.iter().enumerate();
    mirrors.flat_map(move |(index, mirror)| {
        let place = at.index(index).child("hosts");
        let hosts = mirror.hosts.iter().enumerate();
        hosts.filter_map(move |(index, host)| {
            let name = host.ca_bundle_secret_reference_name.as_deref()?;
            let field = place.index(index).child("caBundleSecretReferenceName");
            Some((field, name))
        })
    })
}

/// A configuration of registry-cache that ends the request, which is reported.
struct Unusable;

/// Decodes the configuration of registry-cache, if the Shoot has that extension.
fn cached(
    context: &Context<'_>,
    common: CommonFindings,
    findings: &mut Findings,
) -> Result<Option<RegistryConfig>, Unusable> {
    let extension = &registry_cache::EXTENSION;
    let (_, class) = extension.resource;
    let Some(index) = index_of(context.new_opened(), class) else {
        return Ok(None);
    };
    let Some(entry) = JudgedEntry::at(index, context, extension, common, findings) else {
        return Ok(None);
    };
    if entry.document.is_none() {
        let message = "registry-cache has no configuration";
        findings
            .report(&FAILURE, ErrorType::Denied, FieldPath::root(), message)
            .at(&entry.place)
            .help("add `providerConfig` with `caches`, or remove registry-cache");
        return Err(Unusable);
    }
    entry.decode(findings).map(Some).ok_or(Unusable)
}

fn check_config(
    config: &MirrorConfig,
    place: &FieldPath,
    version: ExtensionVersion,
    findings: &mut Findings,
) {
    let at = place.child("mirrors");
    if config.mirrors.is_empty() {
        findings
            .required(&REQUIRED, at.clone(), "there is no mirror")
            .help("add a mirror with `upstream` and `hosts`, or remove the extension");
    }
    let mut upstreams = BTreeSet::new();
    for (index, mirror) in config.mirrors.iter().enumerate() {
        let field = at.index(index);
        check_mirror(mirror, &field, version, findings);
        if !upstreams.insert(mirror.upstream.as_str()) {
            let upstream = short(&mirror.upstream);
            let message = format!("the upstream `{upstream}` has mirrors before");
            findings
                .duplicate(&DUPLICATE, field.child("upstream"), message)
                .value(mirror.upstream.as_str())
                .help("list all `hosts` in one entry");
        }
    }
}

fn check_mirror(
    mirror: &MirrorConfiguration,
    field: &FieldPath,
    version: ExtensionVersion,
    findings: &mut Findings,
) {
    check_upstream(&mirror.upstream, &field.child("upstream"), &INVALID, findings);
    let place = field.child("hosts");
    if mirror.hosts.is_empty() {
        let message = format!("`{}` has no mirror", short(&mirror.upstream));
        findings
            .required(&REQUIRED, place.clone(), message)
            .help("add a mirror such as `- host: https://mirror.example.com`");
    }
    let mut urls = BTreeSet::new();
    for (index, host) in mirror.hosts.iter().enumerate() {
        let field = place.index(index);
        let url = host.host.as_str();
        let paths = Paths::Allowed;
        check_url((url, paths), &field.child("host"), version, &INVALID, findings);
        if !urls.insert(url) {
            let message = format!("the mirror `{}` is listed before", short(url));
            findings
                .duplicate(&DUPLICATE, field.child("host"), message)
                .value(url)
                .help("keep one of them");
        }
        check_capabilities(&host.capabilities, &field.child("capabilities"), findings);
    }
}

fn check_capabilities(capabilities: &[String], field: &FieldPath, findings: &mut Findings) {
    let mut listed = BTreeSet::new();
    for (index, capability) in capabilities.iter().enumerate() {
        if !CAPABILITIES.contains(&capability.as_str()) {
            let message = format!("`{}` is not a capability of a mirror", short(capability));
            findings
                .unsupported(&INVALID, field.clone(), message)
                .value(capability.as_str())
                .help(one_of(capability, CAPABILITIES))
                .at(&field.index(index));
        }
        if !listed.insert(capability) {
            let message = format!("the capability `{}` is listed before", short(capability));
            findings
                .duplicate(&DUPLICATE, field.index(index), message)
                .value(capability.as_str())
                .help("keep one of them");
        }
    }
}

/// Checks that no mirror is for a cached upstream. An upstream that is listed before counts as cached, too.
fn check_cached(
    cached: &RegistryConfig,
    config: &MirrorConfig,
    place: &FieldPath,
    findings: &mut Findings,
) {
    let mut upstreams: BTreeSet<&str> =
        cached.caches.iter().map(|it| it.upstream.as_str()).collect();
    for (index, mirror) in config.mirrors.iter().enumerate() {
        if upstreams.insert(&mirror.upstream) {
            continue;
        }
        let field = place.child("mirrors").index(index).child("upstream");
        let upstream = short(&mirror.upstream);
        let message =
            format!("the upstream `{upstream}` also has a registry cache or mirrors before");
        findings
            .invalid(&DUPLICATE, field, message)
            .value(mirror.upstream.as_str())
            .help("remove the mirrors, or the cache from registry-cache");
    }
}
