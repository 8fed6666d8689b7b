// SPDX-License-Identifier: Apache-2.0
use super::guarded_parts::{self, KUBERNETES};
use crate::admission::{Context, Findings, Write, rule};
use garden_gate_model::api::NamespacedCloudProfile;

rule! {
    page: include_str!("kubernetes_verb.md"),
    id: "namespacedcloudprofile/kubernetes-verb",
    summary: "rejects changes of `spec.kubernetes` without the verb `modify-spec-kubernetes`",
    phase: Admission,
    level: Deny,
    scopes: [NamespacedCloudProfile [Create, Update]],
    reads: [Verbs],
    findings: {
        VERB = "namespacedcloudprofile/kubernetes-verb": "the requesting user may not change `spec.kubernetes`",
    },
    check: Judge(check),
}

fn check(
    context: &Context<'_>,
    profile: Write<'_, NamespacedCloudProfile>,
    findings: &mut Findings,
) {
    guarded_parts::check(&KUBERNETES, &VERB, context, profile, findings);
}
