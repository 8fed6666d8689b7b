// SPDX-License-Identifier: Apache-2.0
use std::collections::{HashMap, HashSet};

use jiff::Timestamp;

use super::parent;
use crate::admission::{Context, FieldPath, Findings, Write, rule};
use crate::rules::shared::profiles::kubernetes_versions;
use garden_gate_model::api::{CloudProfile, ExpirableVersion, NamespacedCloudProfile};
use garden_gate_model::gardener::version::is_expired;

rule! {
    page: include_str!("kubernetes_overrides.md"),
    id: "namespacedcloudprofile/kubernetes-overrides",
    summary: "rejects an override of an unknown Kubernetes version or with a past date",
    phase: Admission,
    level: Deny,
    scopes: [NamespacedCloudProfile [Create, Update]],
    reads: [CloudProfile],
    only_if: Changed,
    findings: {
        UNKNOWN = "namespacedcloudprofile/kubernetes-override-unknown": "the parent does not have the Kubernetes version",
        NO_EXPIRATION = "namespacedcloudprofile/kubernetes-override-no-expiration": "a Kubernetes version override has no expiration date",
        EXPIRED = "namespacedcloudprofile/kubernetes-override-expired": "a Kubernetes version override has an expiration date in the past",
    },
    check: Judge(check),
}

fn check(
    context: &Context<'_>,
    profile: Write<'_, NamespacedCloudProfile>,
    findings: &mut Findings,
) {
    let new = profile.new;
    if let Some(parent) = parent(context, new, findings) {
        check_overrides(new, profile.old, &parent, context.now, findings);
    }
}

/// Reports each override that the parent does not allow.
pub(super) fn check_overrides(
    new: &NamespacedCloudProfile,
    old: Option<&NamespacedCloudProfile>,
    parent: &CloudProfile,
    now: Timestamp,
    findings: &mut Findings,
) {
    let Some(kubernetes) = &new.spec.kubernetes else {
        return;
    };
    let offered: HashSet<&str> =
        parent.spec.kubernetes.versions.iter().map(|version| version.version.as_str()).collect();
    let known = |old: &NamespacedCloudProfile| {
        let versions = old.status.cloud_profile_spec.kubernetes.versions.iter();
        let dates = versions.map(|v| (v.version.clone(), v.expiration_date));
        dates.collect::<HashMap<_, _>>()
    };
    let known = old.map(known);
    for (index, version) in kubernetes.versions.iter().enumerate() {
        let path = || kubernetes_versions("spec").index(index);
        let name = version.version.as_str();
        if !offered.contains(name) {
            report_unknown(name, &parent.metadata.name, path(), findings);
        } else if version.expiration_date.is_none() {
            report_no_expiration(name, path(), findings);
        } else if let Some(known) = &known
            && is_expired(version, now)
            && known.get(name) != Some(&version.expiration_date)
        {
            report_expired(version, path(), findings);
        }
    }
}

fn report_unknown(version: &str, parent: &str, path: FieldPath, findings: &mut Findings) {
    let message = format!(
        "Kubernetes version `{version}` cannot be overridden: CloudProfile `{parent}` does not have it"
    );
    findings
        .forbid(&UNKNOWN, path, message)
        .value(version)
        .help("name a version of the parent, or remove the override");
}

fn report_no_expiration(version: &str, path: FieldPath, findings: &mut Findings) {
    let message =
        format!("the override of Kubernetes version `{version}` needs an expiration date");
    findings
        .forbid(&NO_EXPIRATION, path.child("expirationDate"), message)
        .help("set `expirationDate`, or remove the override");
}

fn report_expired(version: &ExpirableVersion, path: FieldPath, findings: &mut Findings) {
    let date = version.expiration_date.unwrap_or_default();
    let message = format!(
        "the override of Kubernetes version `{}` expired at `{date}`, which is not the date that holds already",
        version.version
    );
    findings
        .forbid(&EXPIRED, path.child("expirationDate"), message)
        .value(date.to_string())
        .help("set a date in the future, or remove the override");
}
