// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Change, Context, Findings, rule};
use crate::rules::shoot::seed::placement::{seed_name_path, seed_of};
use garden_gate_model::api::Shoot;

rule! {
    page: include_str!("seed_zones_for_zone_ha.md"),
    id: "shoot/seed-zones-for-zone-ha",
    summary: "rejects zone-failure tolerance on a seed with fewer than three zones",
    phase: Admission,
    level: Deny,
    scopes: [Shoot [Create, Update] [Itself, Binding]],
    reads: [Seed],
    only_if: Changed,
    findings: { TOO_FEW = "shoot/seed-zones-for-zone-ha": "the seed has fewer than three zones" },
    check: Judge(check),
}

/// The number of zones that etcd needs to survive the loss of one.
pub(crate) const ZONES: usize = 3;

fn check(context: &Context<'_>, shoot: Change<'_, Shoot>, findings: &mut Findings) {
    let Some(new) = shoot.new.filter(|new| new.survives_zones()) else {
        return;
    };
    let Some(seed) = seed_of(context, new, findings) else {
        return;
    };
    let count = seed.spec.provider.zones.len();
    if count >= ZONES {
        return;
    }
    let (name, seed) = (&new.metadata.name, &seed.metadata.name);
    let message = format!(
        "Shoot `{name}` has the failure tolerance `zone`, but seed `{seed}` has {count} zones, not at least {ZONES}"
    );
    findings
        .forbid(&TOO_FEW, seed_name_path(), message)
        .value(seed.clone())
        .help("use a seed with three zones, or the failure tolerance `node`");
}
