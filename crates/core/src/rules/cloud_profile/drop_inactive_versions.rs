// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, Findings, rule};
use garden_gate_model::api::CloudProfile;
use garden_gate_model::gardener::defaults;

rule! {
    page: include_str!("drop_inactive_versions.md"),
    id: "cloudprofile/drop-inactive-versions",
    summary: "removes expired and not yet available versions from new CloudProfiles",
    phase: Mutating,
    level: Deny,
    scopes: [CloudProfile [Create]],
    effect: "expired and unavailable versions are removed; no request is rejected",
    check: Mutate(mutate),
}

fn mutate(
    context: &Context<'_>,
    profile: &mut CloudProfile,
    _: Option<&CloudProfile>,
    findings: &mut Findings,
) {
    findings.remove(defaults::drop_from_cloud_profile(profile, context.now));
}
