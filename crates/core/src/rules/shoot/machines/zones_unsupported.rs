// SPDX-License-Identifier: Apache-2.0
use std::collections::HashSet;

use crate::admission::{Change, Context, Findings, Help, rule};
use garden_gate_model::api::Shoot;

use super::{CheckedPool, each_pool, instead};

rule! {
    page: include_str!("zones_unsupported.md"),
    id: "shoot/zones-unsupported",
    summary: "rejects unknown or duplicate zones of a worker pool",
    phase: Admission,
    level: Deny,
    entry_point: Plugin,
    scopes: [Shoot [Create, Update] [Itself, Binding]],
    reads: [CloudProfile, NamespacedCloudProfile],
    findings: {
        UNKNOWN = "shoot/zone-unknown": "the region does not have the zone",
        NO_ZONES = "shoot/region-without-zones": "the region has no zones",
        TWICE = "shoot/zone-twice": "the pool lists a zone twice",
    },
    fixes: Safe,
    check: Judge(check),
}

fn check(context: &Context<'_>, shoot: Change<'_, Shoot>, findings: &mut Findings) {
    let old_region = shoot.old.map(|old| old.spec.region.as_str());
    each_pool(context, shoot, findings, |checked, findings| {
        let zones = &checked.pool.new.zones;
        let old = checked.pool.old.map_or(&[][..], |old| &old.zones);
        // Another rule refuses a new region that is missing in the profile.
        let is_known = || checked.spec.regions.iter().any(|it| it.name == checked.region);
        let is_judged = if old_region == Some(checked.region) { old != zones } else { is_known() };
        if is_judged {
            check_zones(checked, findings);
        }
    });
}

fn check_zones(checked: &CheckedPool<'_>, findings: &mut Findings) {
    let mut regions = checked.spec.regions.iter();
    let region = regions.find(|region| region.name == checked.region);
    let no_zones = match region {
        Some(_) => "leave the zones out",
        None => "ask the operators of the landscape to add the region to the profile",
    };
    let known: Vec<&str> = region
        .into_iter()
        .flat_map(|region| &region.zones)
        .map(|zone| zone.name.as_str())
        .collect();
    let (region, pool) = (checked.region, &checked.pool.new.name);
    let is_other = |it: &&str| !checked.pool.new.zones.iter().any(|zone| zone == it);
    let others: Vec<&str> = known.iter().copied().filter(is_other).collect();
    let mut named = HashSet::new();
    for (index, zone) in checked.pool.new.zones.iter().enumerate() {
        let path = || checked.pool.path().child("zones").index(index);
        if known.is_empty() {
            let message = format!(
                "region `{region}` has no zones in the profile, but pool `{pool}` names `{zone}`"
            );
            findings.invalid(&NO_ZONES, path(), message).value(region).help(no_zones);
        } else if !known.contains(&zone.as_str()) {
            findings.report_lazily(&UNKNOWN, |findings| {
                let message =
                    format!("region `{region}` has no zone `{zone}`, which pool `{pool}` names");
                findings
                    .unsupported(&UNKNOWN, path(), message)
                    .value(zone.as_str())
                    .help(instead(zone, &others, "zone"));
            });
        }
        if !named.insert(zone) {
            let message = format!("pool `{pool}` names zone `{zone}` twice");
            findings
                .duplicate(&TWICE, path(), message)
                .value(zone.as_str())
                .help(Help::remove("name it once"));
        }
    }
}
