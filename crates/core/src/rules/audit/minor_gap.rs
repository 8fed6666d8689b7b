// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, Findings, Write, rule};
use crate::rules::advice::profiles::minor_gap::report;
use garden_gate_model::api::CloudProfile;

rule! {
    page: include_str!("minor_gap.md"),
    id: "audit/minor-gap",
    summary: "warns about a Kubernetes minor version that Shoots cannot be updated from",
    phase: Admission,
    level: { documented: Warn, gardener: Off },
    entry_point: Audit,
    scopes: [CloudProfile [Update]],
    reads: [NamespacedCloudProfile, Shoot],
    findings: {
        GAP = "audit/minor-gap": "Shoots of a minor version cannot be updated, because the next one is missing",
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, profile: Write<'_, CloudProfile>, findings: &mut Findings) {
    report(context, (profile.new, &GAP), |_| true, findings);
}
