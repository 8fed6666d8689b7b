// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, Findings, Update, rule};
use crate::rules::shared::profiles::Forced;
use garden_gate_model::api::{
    CloudProfile, NamespacedCloudProfile, NamespacedCloudProfileSpec, ProfileKey,
};
use garden_gate_model::gardener::version::merge_profiles;

rule! {
    page: include_str!("override_forces_shoots.md"),
    id: "advice/override-forces-shoots",
    summary: "warns about an earlier expiration date that forces updates of the project's Shoots",
    phase: Admission,
    level: { documented: Warn, gardener: Off },
    scopes: [NamespacedCloudProfile [Update]],
    reads: [CloudProfile, Shoot],
    findings: {
        FORCES = "advice/override-forces-shoots": "Shoots will be force-updated because their version expires earlier",
    },
    check: Judge(check),
}

fn check(
    context: &Context<'_>,
    profile: Update<'_, NamespacedCloudProfile>,
    findings: &mut Findings,
) {
    let Update { new, old } = profile;
    let key = ProfileKey::namespaced(&context.request.namespace, &new.metadata.name);
    // No advice if Shoots or the parent are unknown: it is not worth an undetermined verdict.
    let Some(users) = context.shoots().ok().and_then(|shoots| shoots.of_profile(&key)) else {
        return;
    };
    let Ok(Some(parent)) = context.get::<CloudProfile>(&new.spec.parent.name) else {
        return;
    };
    let [old, new] = [old, new].map(|profile| merge_profiles(&parent.spec, &profile.spec));
    let Some(mut forced) = Forced::between(&old, &new) else {
        return;
    };
    forced.count(users, &NamespacedCloudProfileSpec::default());
    forced.report(&FORCES, findings);
}
