// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, Findings, Write, rule};
use crate::rules::advice::profiles::dropped_version_listed::report;
use garden_gate_model::api::NamespacedCloudProfile;

rule! {
    page: include_str!("dropped_version_extended.md"),
    id: "advice/dropped-version-extended",
    summary: "warns about a NamespacedCloudProfile that extends a Kubernetes version without support of Gardener",
    phase: Static,
    level: { documented: Warn, gardener: Off },
    scopes: [NamespacedCloudProfile [Create, Update]],
    findings: {
        EXTENDED = "advice/dropped-version-extended": "the profile extends a Kubernetes version that Gardener does not support any more",
    },
    check: Judge(check),
}

fn check(
    context: &Context<'_>,
    profile: Write<'_, NamespacedCloudProfile>,
    findings: &mut Findings,
) {
    report(context, &EXTENDED, profile, findings);
}
