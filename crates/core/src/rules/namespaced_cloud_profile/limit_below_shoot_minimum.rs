// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, Findings, Update, rule};
use crate::rules::shared::profiles::check_minimums;
use garden_gate_model::api::{NamespacedCloudProfile, ProfileKey};

rule! {
    page: include_str!("limit_below_shoot_minimum.md"),
    id: "namespacedcloudprofile/limit-below-shoot-minimum",
    summary: "rejects a node limit below the minimum number of nodes of a Shoot",
    phase: Admission,
    level: Deny,
    scopes: [NamespacedCloudProfile [Update]],
    reads: [Shoot],
    findings: {
        BELOW = "namespacedcloudprofile/limit-below-shoot-minimum": "the new node limit is below the minimum number of nodes of a Shoot",
    },
    check: Judge(check),
}

fn check(
    context: &Context<'_>,
    profile: Update<'_, NamespacedCloudProfile>,
    findings: &mut Findings,
) {
    let metadata = &profile.new.metadata;
    if metadata.deletion_timestamp.is_none() {
        let key = ProfileKey::namespaced(&context.request.namespace, &metadata.name);
        let users = || Ok(context.shoots()?.of_profile(&key).into_iter().collect());
        let help = "raise the limit, or lower the minimum of the Shoots first";
        check_minimums(profile, users, &BELOW, help, findings);
    }
}
