// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, Findings, Update, rule};
use crate::rules::shared::profiles::Forced;
use garden_gate_model::api::{CloudProfile, NamespacedCloudProfileSpec, ProfileKey};

rule! {
    page: include_str!("forces_shoots.md"),
    id: "advice/forces-shoots",
    summary: "warns about an expiration date that forces updates of Shoots",
    phase: Admission,
    level: { documented: Warn, gardener: Off },
    scopes: [CloudProfile [Update]],
    reads: [NamespacedCloudProfile, Shoot],
    findings: {
        FORCES = "advice/forces-shoots": "Shoots will be force-updated because their version expires",
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, profile: Update<'_, CloudProfile>, findings: &mut Findings) {
    let Update { new, old } = profile;
    let name = new.metadata.name.as_str();
    let Some(mut forced) = Forced::between(&old.spec, &new.spec) else {
        return;
    };
    // No advice if Shoots are unknown: it is not worth an undetermined verdict.
    let (Ok(shoots), Ok(children)) = (context.shoots(), context.namespaced_cloud_profiles_of(name))
    else {
        return;
    };
    if let Some(users) = shoots.of_profile(&ProfileKey::cluster(name)) {
        forced.count(users, &NamespacedCloudProfileSpec::default());
    }
    for child in children.iter() {
        let key = ProfileKey::namespaced(&child.metadata.namespace, &child.metadata.name);
        if let Some(users) = shoots.of_profile(&key) {
            forced.count(users, &child.spec);
        }
    }
    forced.report(&FORCES, findings);
}
