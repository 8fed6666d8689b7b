use crate::defaults;
use crate::engine::{Context, Findings, rule};
use crate::model::CloudProfile;

rule! {
    page: include_str!("drop_inactive_versions.md"),
    id: "cloudprofile/drop-inactive-versions",
    summary: "new CloudProfiles lose versions that are expired or not yet available",
    phase: Mutating,
    level: Deny,
    scopes: [CloudProfile [Create]],
    effect: "expired and unavailable versions are dropped; nothing is refused",
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
