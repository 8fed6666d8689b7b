// SPDX-License-Identifier: Apache-2.0
use super::hint::hint;
use super::listed::{path, report};
use crate::admission::{Applicability, Context, FieldPath, Findings, Help, Remedy, rule};
use crate::rules::custom_resource;
use crate::rules::shared::lists::short;
use garden_gate_model::api::{Listed, Object, Removed, Step};

rule! {
    page: include_str!("unknown_field.md"),
    id: "object/unknown-field",
    summary: "rejects unknown fields",
    phase: Decoding,
    level: Deny,
    entry_point: Review,
    scopes: [
        Shoot [Create, Update] [Itself, Binding, Status];
        Project [Create, Update] [Itself, Status];
        CloudProfile [Create, Update] [Itself, Status];
        NamespacedCloudProfile [Create, Update] [Itself, Status];
        Seed [Create, Update] [Itself, Status];
        ExposureClass [Create, Update];
        SecretBinding [Create, Update];
        CredentialsBinding [Create, Update];
        Quota [Create, Update];
        BackupBucket [Create, Update] [Itself, Status];
        BackupEntry [Create, Update] [Itself, Status];
        ControllerRegistration [Create, Update];
        ControllerDeployment [Create, Update];
        ControllerInstallation [Create, Update] [Itself, Status];
        InternalSecret [Create, Update];
        ShootState [Create, Update];
        WorkloadIdentity [Create, Update];
        Bastion [Create, Update] [Itself, Status];
        ManagedSeed [Create, Update] [Itself, Status];
        ManagedSeedSet [Create, Update] [Itself, Status];
        Gardenlet [Create, Update] [Itself, Status];
        Garden [Create, Update] [Itself, Status];
        Extension [Create, Update] [Itself, Status];
    ],
    findings: {
        UNKNOWN = "object/unknown-field": "the field is unknown",
    },
    fixes: Safe,
    check: Written(check),
}

fn check(context: &Context<'_>, findings: &mut Findings) {
    if custom_resource::unknown_fields(context, &UNKNOWN, findings) {
        return;
    }
    let Some((kind, strict_errors)) = context.strict_errors() else {
        return;
    };
    let version = context.config.gardener_version;
    let newer = newer_gardener(context);
    for (place, object) in &strict_errors.unknown.first {
        let Some(Step::Unknown(name)) = place.last() else {
            continue;
        };
        let later = object.field(name).map(|it| it.versions);
        let is_removed = Removed::of(object, name).is_some();
        let (message, help) = match (later, Removed::of(object, name)) {
            (Some(versions), _) => (
                format!("`{name}` exists {versions}; the landscape runs {version}"),
                Help::remove("remove it until the landscape is updated"),
            ),
            (None, Some(it)) => (
                format!("`{name}` was removed in Gardener v{}", it.release),
                Help::of(it.instead, replacement(object, it.instead)),
            ),
            (None, None) => (
                format!("`{}` is no field of {}", short(name), owner(kind.kind, place)),
                hint((*kind, version), object, place, name),
            ),
        };
        if let Some(newer) = newer.as_ref().filter(|_| !is_removed) {
            let message = format!("{message}, unless {newer} has it");
            findings.undetermined(&path(place), message);
            continue;
        }
        findings.unsupported(&UNKNOWN, path(place), message).help(help);
    }
    match &newer {
        Some(newer) => leave_open(&strict_errors.unknown, newer, findings),
        None => report(&strict_errors.unknown, &UNKNOWN, findings),
    }
}

/// Returns the Gardener that may have fields that this program does not know.
///
/// An API server has decoded every stored object, so that it knows all of its fields.
fn newer_gardener(context: &Context<'_>) -> Option<String> {
    let version = context.config.gardener_version;
    if context.request.is_stored {
        Some("the newer Gardener that stored the object".to_owned())
    } else {
        version.is_newer_than_known().then(|| format!("Gardener {version}"))
    }
}

/// Adds an undetermined check about the violations that are not listed.
fn leave_open<T>(mistakes: &Listed<'_, T>, newer: &str, findings: &mut Findings) {
    let more = mistakes.count.saturating_sub(mistakes.first.len());
    if more > 0 {
        let message = format!("{more} more fields are unknown, unless {newer} has them");
        findings.undetermined(&FieldPath::root(), message);
    }
}

/// Returns the remedy that the help for a removed field describes.
fn replacement(object: &Object, instead: &str) -> Option<Remedy> {
    if let Some(sibling) = instead
        .strip_prefix("use `")
        .and_then(|it| it.strip_suffix('`'))
        .filter(|name| object.field(name).is_some())
    {
        let key = sibling.to_owned();
        return Some(Remedy::Rename(key, Applicability::Suggestion));
    }
    let is_removal = instead.starts_with("remove it");
    is_removal.then_some(Remedy::Remove(Applicability::Suggestion))
}

/// Returns the name of the object that lacks the field at the end of `place`.
fn owner(kind: &str, place: &[Step<'_>]) -> String {
    match path(&place[..place.len().saturating_sub(1)]) {
        root if root == FieldPath::root() => format!("a {kind}"),
        inside => format!("`{inside}`"),
    }
}
