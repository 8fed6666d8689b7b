// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Change, Context, FieldPath, Findings, Help, Kind, rule};
use crate::rules::shared::effective_profile::{Missing, find};
use crate::rules::shared::lists::instead_of_missing;
use garden_gate_model::api::{ProfileKind, Shoot};

rule! {
    page: include_str!("profile_missing.md"),
    id: "shoot/profile-missing",
    summary: "rejects a Shoot whose CloudProfile or NamespacedCloudProfile is not found",
    phase: Admission,
    level: Deny,
    scopes: [Shoot [Create, Update, Delete] [Itself, Binding]; Shoot [Update] [Status]],
    reads: [CloudProfile, NamespacedCloudProfile],
    findings: {
        KIND = "shoot/profile-kind": "the kind of the referenced profile is not supported",
        MISSING = "shoot/profile-missing": "the profile that the Shoot references is not found",
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, shoot: Change<'_, Shoot>, findings: &mut Findings) {
    let Some(judged) = shoot.new.or(shoot.old) else {
        return;
    };
    let reference = judged.spec.cloud_profile.as_ref();
    let field = reference.map_or("spec.cloudProfileName", |_| "spec.cloudProfile.name");
    let path = FieldPath::new(field);
    // Gardener fills in the kind in other requests, and static validation refuses an empty name.
    let is_incomplete = reference.is_some_and(|it| it.kind.is_empty() && !it.name.is_empty());
    if is_incomplete && context.request.sub_resource == "binding" {
        report_kind("a binding has to name the kind of the profile", "", findings);
    }
    let Err(missing) = find(context, judged) else {
        return;
    };
    match missing {
        Missing::NoReference => {}
        Missing::Kind(kind) => {
            let message = format!("there are no profiles of kind `{kind}`");
            report_kind(message, &kind, findings);
        }
        Missing::Unknown(message) => findings.undetermined(&path, message),
        // Static validation refuses an empty name.
        Missing::Absent { name, .. } if name.is_empty() => {}
        Missing::Absent { kind, name } => {
            let namespace = &context.request.namespace;
            let message = match kind {
                ProfileKind::Cluster => format!("there is no CloudProfile `{name}`"),
                ProfileKind::Namespaced => {
                    format!(
                        "there is no NamespacedCloudProfile `{name}` in namespace `{namespace}`"
                    )
                }
            };
            let help = help(context, kind, &name);
            findings.not_found(&MISSING, path, message).value(name).help(help);
        }
        Missing::Parent { name, parent } => {
            let message = format!(
                "NamespacedCloudProfile `{name}` has no status yet, and its parent CloudProfile `{parent}` does not exist"
            );
            findings.not_found(&MISSING, path, message).value(name).help("create the parent first");
        }
    }
}

fn report_kind(message: impl Into<String>, kind: &str, findings: &mut Findings) {
    let path = FieldPath::new("spec.cloudProfile.kind");
    let help = "set the kind to `CloudProfile` or `NamespacedCloudProfile`";
    findings.unsupported(&KIND, path, message).value(kind).help(help);
}

/// Returns the help line for a profile that does not exist.
fn help(context: &Context<'_>, kind: ProfileKind, name: &str) -> Help {
    let (kind, other) = match kind {
        ProfileKind::Cluster => (Kind::CloudProfile, Kind::NamespacedCloudProfile),
        ProfileKind::Namespaced => (Kind::NamespacedCloudProfile, Kind::CloudProfile),
    };
    let namespace = if other.is_namespaced() { context.request.namespace.as_str() } else { "" };
    if context.names(other, namespace).contains(&name) {
        let text =
            format!("there is a {other} `{name}`; set `spec.cloudProfile.kind` to `{other}`");
        return text.into();
    }
    let otherwise = "name a profile that exists, or create it first";
    instead_of_missing(context, kind, name, otherwise)
}
