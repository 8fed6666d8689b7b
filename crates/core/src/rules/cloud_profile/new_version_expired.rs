use crate::admission::{Context, Findings, Write, rule};
use crate::rules::shared::profiles::{NewVersions, check_not_expired};
use garden_gate_model::api::CloudProfile;

rule! {
    page: include_str!("new_version_expired.md"),
    id: "cloudprofile/new-version-expired",
    summary: "rejects a new version that has already expired",
    phase: Static,
    level: { documented: Deny, gardener: Off },
    scopes: [CloudProfile [Create, Update]],
    acts_on_unchanged: [],
    findings: {
        EXPIRED = "cloudprofile/new-version-expired": "a new version has already expired",
    },
    check: Received(check),
}

fn check(context: &Context<'_>, profile: Write<'_, CloudProfile>, findings: &mut Findings) {
    let new = profile.new;
    let old = profile.old.map(|old| &old.spec);
    let versions = NewVersions {
        kubernetes: &new.spec.kubernetes.versions,
        old_kubernetes: old.map_or(&[], |old| &old.kubernetes.versions),
        images: &new.spec.machine_images,
        old_images: old.map_or(&[], |old| &old.machine_images),
    };
    check_not_expired(&versions, context.now, &EXPIRED, findings);
}
