// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, Findings, rule};
use garden_gate_model::api::NamespacedCloudProfile;
use garden_gate_model::gardener::defaults;

rule! {
    page: include_str!("drop_inactive_versions.md"),
    id: "namespacedcloudprofile/drop-inactive-versions",
    summary: "removes new versions that are expired or not yet available",
    phase: Mutating,
    level: Deny,
    scopes: [NamespacedCloudProfile [Create, Update]],
    acts_on_unchanged: [
        // An image without versions is dropped, and of duplicate images all versions but those of the last one.
        "type(object.spec.?machineImages.orValue([])) != list || object.spec.?machineImages.orValue([]).size() > 50 \
         || !object.spec.?machineImages.orValue([]).all(image, type(image) == map \
         && type(image.?versions.orValue(null)) == list && image.versions.size() > 0 \
         && object.spec.machineImages.exists_one(other, other.?name == image.?name))",
    ],
    effect: "new expired and unavailable versions are removed; no request is rejected",
    check: Mutate(mutate),
}

fn mutate(
    context: &Context<'_>,
    profile: &mut NamespacedCloudProfile,
    old: Option<&NamespacedCloudProfile>,
    findings: &mut Findings,
) {
    findings.remove(defaults::drop_from_namespaced_cloud_profile(profile, old, context.now));
}
