// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, FieldPath, Findings, Write, rule};
use garden_gate_model::api::{NamespacedCloudProfile, ProfileKey};

rule! {
    page: include_str!("namespaced_cloud_profile_unused.md"),
    id: "audit/namespaced-cloud-profile-unused",
    summary: "warns about a NamespacedCloudProfile that no Shoot uses",
    phase: Admission,
    level: { documented: Warn, gardener: Off },
    entry_point: Audit,
    scopes: [NamespacedCloudProfile [Update]],
    reads: [Shoot],
    findings: {
        UNUSED = "audit/namespaced-cloud-profile-unused": "no Shoot references the NamespacedCloudProfile",
    },
    check: Judge(check),
}

fn check(
    context: &Context<'_>,
    profile: Write<'_, NamespacedCloudProfile>,
    findings: &mut Findings,
) {
    let path = FieldPath::new("metadata.name");
    let metadata = &profile.new.metadata;
    let key = ProfileKey::namespaced(&metadata.namespace, &metadata.name);
    let Some(shoots) = findings.known(context.shoots(), &path, "who follows it") else {
        return;
    };
    if shoots.of_profile(&key).is_none() {
        let message = format!("no Shoot follows NamespacedCloudProfile `{}`", metadata.name);
        findings.forbid(&UNUSED, path, message).help("delete it, if nobody is going to need it");
    }
}
