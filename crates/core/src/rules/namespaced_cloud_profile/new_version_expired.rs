use crate::admission::{Context, Findings, Write, rule};
use crate::rules::shared::profiles::{NewVersions, check_not_expired};
use garden_gate_model::api::{KubernetesSettings, NamespacedCloudProfile};

rule! {
    page: include_str!("new_version_expired.md"),
    id: "namespacedcloudprofile/new-version-expired",
    summary: "rejects a new version that has already expired",
    phase: Static,
    level: { documented: Deny, gardener: Off },
    scopes: [NamespacedCloudProfile [Create, Update]],
    acts_on_unchanged: [],
    findings: {
        EXPIRED = "namespacedcloudprofile/new-version-expired": "a new version has already expired",
    },
    check: Received(check),
}

fn check(
    context: &Context<'_>,
    profile: Write<'_, NamespacedCloudProfile>,
    findings: &mut Findings,
) {
    let new = profile.new;
    let old = profile.old.map(|old| &old.spec);
    let old_kubernetes = old.and_then(|old| old.kubernetes.as_ref());
    let versions = |kubernetes: &KubernetesSettings| kubernetes.versions.clone();
    let kubernetes = new.spec.kubernetes.as_ref().map(versions);
    let versions = NewVersions {
        kubernetes: &kubernetes.unwrap_or_default(),
        old_kubernetes: old_kubernetes.map_or(&[], |kubernetes| &kubernetes.versions),
        images: &new.spec.machine_images,
        old_images: old.map_or(&[], |old| &old.machine_images),
    };
    check_not_expired(&versions, context.now, &EXPIRED, findings);
}
