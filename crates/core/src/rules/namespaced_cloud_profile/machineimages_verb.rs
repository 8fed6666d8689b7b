// SPDX-License-Identifier: Apache-2.0
use super::guarded_parts::{self, MACHINE_IMAGES};
use crate::admission::{Context, Findings, Write, rule};
use garden_gate_model::api::NamespacedCloudProfile;

rule! {
    page: include_str!("machineimages_verb.md"),
    id: "namespacedcloudprofile/machineimages-verb",
    summary: "rejects changes of `spec.machineImages` without `modify-spec-machineimages`",
    phase: Admission,
    level: Deny,
    scopes: [NamespacedCloudProfile [Create, Update]],
    reads: [Verbs],
    findings: {
        VERB = "namespacedcloudprofile/machineimages-verb": "the requesting user may not change `spec.machineImages`",
    },
    check: Judge(check),
}

fn check(
    context: &Context<'_>,
    profile: Write<'_, NamespacedCloudProfile>,
    findings: &mut Findings,
) {
    guarded_parts::check(&MACHINE_IMAGES, &VERB, context, profile, findings);
}
