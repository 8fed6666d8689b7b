// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Change, Context, Findings, rule};
use crate::rules::shared::profiles::{NOT_POSITIVE, check_positive};
use garden_gate_model::api::NamespacedCloudProfile;

rule! {
    page: include_str!("limits.md"),
    id: "namespacedcloudprofile/limits",
    summary: "rejects a node limit that is not positive",
    phase: Static,
    level: Deny,
    scopes: [NamespacedCloudProfile [Create, Update]],
    findings: { NOT_POSITIVE },
    check: Judge(check),
}

fn check(_: &Context<'_>, profile: Change<'_, NamespacedCloudProfile>, findings: &mut Findings) {
    if let Some(limits) = profile.new.and_then(|new| new.spec.limits) {
        check_positive(limits, findings);
    }
}
