// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, Findings, Write, rule};
use crate::rules::shared::profiles::check_not_expired;
use garden_gate_model::api::NamespacedCloudProfile;

rule! {
    page: include_str!("new_version_expired.md"),
    id: "namespacedcloudprofile/new-version-expired",
    summary: "rejects a new version that has already expired",
    phase: Static,
    level: { documented: Deny, gardener: Off },
    scopes: [NamespacedCloudProfile [Create, Update]],
    acts_on_unchanged: [],
    findings: {
        EXPIRED = "namespacedcloudprofile/new-version-expired": "a new version has already expired",
    },
    check: Received(check),
}

fn check(
    context: &Context<'_>,
    profile: Write<'_, NamespacedCloudProfile>,
    findings: &mut Findings,
) {
    check_not_expired(profile, context.now, &EXPIRED, findings);
}
