// SPDX-License-Identifier: Apache-2.0
use super::guarded_parts::{self, PROVIDER_CONFIG};
use crate::admission::{Context, Findings, Write, rule};
use garden_gate_model::api::NamespacedCloudProfile;

rule! {
    page: include_str!("providerconfig_verb.md"),
    id: "namespacedcloudprofile/providerconfig-verb",
    summary: "rejects changes of `spec.providerConfig` without `modify-spec-providerconfig`",
    phase: Admission,
    level: Deny,
    scopes: [NamespacedCloudProfile [Create, Update]],
    reads: [Verbs],
    findings: {
        VERB = "namespacedcloudprofile/providerconfig-verb": "the requesting user may not change `spec.providerConfig`",
    },
    check: Judge(check),
}

fn check(
    context: &Context<'_>,
    profile: Write<'_, NamespacedCloudProfile>,
    findings: &mut Findings,
) {
    guarded_parts::check(&PROVIDER_CONFIG, &VERB, context, profile, findings);
}
