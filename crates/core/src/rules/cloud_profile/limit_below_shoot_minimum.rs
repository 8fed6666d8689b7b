// SPDX-License-Identifier: Apache-2.0
use super::update;
use super::version_in_use::related_users;
use crate::admission::{Context, Findings, Update, rule};
use crate::rules::shared::profiles::check_minimums;
use garden_gate_model::api::CloudProfile;

rule! {
    page: include_str!("limit_below_shoot_minimum.md"),
    id: "cloudprofile/limit-below-shoot-minimum",
    summary: "rejects a node limit below the minimum number of nodes of a Shoot",
    phase: Admission,
    level: Deny,
    scopes: [CloudProfile [Update]],
    reads: [NamespacedCloudProfile, Shoot],
    findings: {
        BELOW = "cloudprofile/limit-below-shoot-minimum": "the new node limit is below the minimum number of nodes of a Shoot",
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, profile: Update<'_, CloudProfile>, findings: &mut Findings) {
    if let Some((name, _)) = update(profile) {
        let users = || related_users(context, name);
        let help = "raise the limit, or have the Shoots lower their minimum first";
        check_minimums(profile, users, &BELOW, help, findings);
    }
}
