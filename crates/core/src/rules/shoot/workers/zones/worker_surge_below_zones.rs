// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Change, Context, Findings, rule};
use crate::rules::shared::lists::{list, list_as};
use crate::rules::shoot::workers::pool_pairs::{Pool, pairs};
use crate::rules::shoot::workers::zones::zone_shares::{Zone, zones};
use garden_gate_model::api::{IntOrPercent, Shoot, Worker};

rule! {
    page: include_str!("worker_surge_below_zones.md"),
    id: "shoot/worker-surge-below-zones",
    summary: "warns about zones of a worker pool without a share of `maxSurge`",
    phase: Static,
    level: { documented: Warn, gardener: Off },
    scopes: [Shoot [Create, Update]],
    findings: {
        BELOW = "shoot/worker-surge-below-zones": "a zone without `maxSurge` deletes a machine before it creates a new one",
    },
    check: Judge(check),
}

fn check(_: &Context<'_>, shoot: Change<'_, Shoot>, findings: &mut Findings) {
    let new = shoot
        .new
        .filter(|new| new.metadata.deletion_timestamp.is_none() && !new.is_on_unmanaged_machines());
    let Some(new) = new else { return };
    for pool in pairs(new, shoot.old) {
        check_pool(&pool, findings);
    }
}

fn check_pool(pool: &Pool<'_>, findings: &mut Findings) {
    let new = pool.new;
    if new.is_in_place() || pool.old.is_some_and(|old| divides_alike(old, new)) {
        return;
    }
    let Some(IntOrPercent::Int(surge @ 1..)) = new.max_surge else {
        return;
    };
    let none = IntOrPercent::Int(0);
    let unavailable = new.max_unavailable.as_ref().unwrap_or(&none);
    let stuck = |zone: &Zone<'_>| {
        zone.maximum > 0 && zone.share(surge) == 0 && zone.unavailable(unavailable, new) == 0.0
    };
    let stuck: Vec<&str> = zones(new).filter(stuck).map(|zone| zone.name).collect();
    if stuck.is_empty() {
        return;
    }
    let count = new.zones.len();
    let shares = list_as(zones(new), |zone| zone.share(surge).to_string());
    let missing = list_as(zones(new), |zone| zone.unavailable(unavailable, new).to_string());
    let message = format!(
        "maxSurge `{surge}` of pool `{}`, divided over {count} zones, is {shares}, and maxUnavailable `{unavailable}` is {missing}; in {} a rolling update starts to delete a machine before it creates the new one",
        new.name,
        list(&stuck)
    );
    let path = pool.path().child("maxSurge");
    let zones = zones(new).filter(|zone| zone.maximum > 0).count();
    findings
        .invalid(&BELOW, path, message)
        .value(surge)
        .help(format!("set `maxSurge: {zones}`, one machine for each zone"));
}

fn divides_alike(old: &Worker, new: &Worker) -> bool {
    old.zones == new.zones
        && (old.minimum, old.maximum) == (new.minimum, new.maximum)
        && (&old.max_surge, &old.max_unavailable) == (&new.max_surge, &new.max_unavailable)
        && old.is_in_place() == new.is_in_place()
}
