// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, Findings, Write, rule};
use crate::rules::shared::profiles::{
    DUPLICATE, LATEST_EXPIRATION, LATEST_EXPIRED, LATEST_UNKNOWN, MALFORMED, MISSING, check_latest,
    check_versions,
};
use garden_gate_model::api::CloudProfile;

rule! {
    page: include_str!("kubernetes_versions.md"),
    id: "cloudprofile/kubernetes-versions",
    summary: "rejects invalid or duplicate Kubernetes versions, and expiration of the highest",
    phase: Static,
    level: Deny,
    scopes: [CloudProfile [Create, Update]],
    findings: { MISSING, LATEST_UNKNOWN, LATEST_EXPIRATION, LATEST_EXPIRED, MALFORMED, DUPLICATE },
    fixes: Safe,
    check: Judge(check),
}

fn check(context: &Context<'_>, profile: Write<'_, CloudProfile>, findings: &mut Findings) {
    let new = profile.new;
    let versions = &new.spec.kubernetes.versions;
    check_latest(versions, "spec", context.now, findings);
    check_versions(versions, "spec", findings);
}
