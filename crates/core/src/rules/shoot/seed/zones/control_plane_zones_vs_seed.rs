// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, FieldPath, Findings, Write, rule};
use crate::rules::shared::effective_profile::offer;
use crate::rules::shared::lists::list;
use crate::rules::shoot::seed::placement::seed_of;
use garden_gate_model::api::Shoot;

rule! {
    page: include_str!("control_plane_zones_vs_seed.md"),
    id: "shoot/control-plane-zones-vs-seed",
    summary: "rejects control-plane zones that are not allowed or not zones of the seed",
    phase: Admission,
    level: Deny,
    scopes: [Shoot [Create, Update] [Itself, Binding]],
    reads: [CloudProfile, NamespacedCloudProfile, Seed],
    only_if: Changed,
    findings: {
        NOT_ALLOWED = "shoot/control-plane-zones-not-allowed": "the profile does not allow zone pinning of control planes",
        NOT_ON_SEED = "shoot/control-plane-zones-vs-seed": "a zone of the control plane is not a zone of the seed",
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, shoot: Write<'_, Shoot>, findings: &mut Findings) {
    let new = shoot.new;
    let zones = new.control_plane_zones();
    if zones.is_empty() {
        return;
    }
    let path = FieldPath::new("spec.controlPlane.zones");
    let stored = shoot.old.map_or(&[][..], |old| old.control_plane_zones());
    if stored.is_empty() {
        let offer = offer(context, new, findings);
        if offer.is_some_and(|offer| !offer.spec().control_plane.allow_zone_pinning) {
            let message =
                "the profile does not let Shoots choose the zones of their control planes";
            let help = "remove the zones, or have spec.controlPlane.allowZonePinning set in the CloudProfile";
            findings.forbid(&NOT_ALLOWED, path, message).help(help);
            return;
        }
    }
    let stays = shoot.old.is_some_and(|old| old.spec.region == new.spec.region) && stored == zones;
    let Some(seed) = (!stays).then(|| seed_of(context, new, findings)).flatten() else {
        return;
    };
    let of_seed = &seed.spec.provider.zones;
    let known = list(of_seed);
    for (index, zone) in zones.iter().enumerate().filter(|(_, zone)| !of_seed.contains(zone)) {
        let message =
            format!("seed `{}` has no zone `{zone}`; its zones: {known}", seed.metadata.name);
        findings
            .invalid(&NOT_ON_SEED, path.index(index), message)
            .value(zone.clone())
            .help("name zones of the seed");
    }
}
