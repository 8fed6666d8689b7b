// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeMap;

use crate::admission::{Context, Findings, Update, rule};
use crate::rules::shared::lists::list_as;
use crate::rules::shoot::workers::pool_pairs::{Pool, pairs, when};
use crate::rules::shoot::workers::zones::zone_shares::{Zone, zones};
use garden_gate_model::api::Shoot;
use garden_gate_model::gardener::rolling_update::reaches_machines;

rule! {
    page: include_str!("worker_zone_maximum_lowered.md"),
    id: "shoot/worker-zone-maximum-lowered",
    summary: "warns about zones that lose machines to added zones",
    phase: Static,
    level: { documented: Warn, gardener: Off },
    scopes: [Shoot [Update]],
    findings: {
        LOWERED = "shoot/worker-zone-maximum-lowered": "a change of zones lowers the maximum of a remaining zone",
    },
    check: Judge(check),
}

fn check(_: &Context<'_>, shoot: Update<'_, Shoot>, findings: &mut Findings) {
    let Update { new, old } = shoot;
    if !reaches_machines(new, old) {
        return;
    }
    for pool in pairs(new, Some(old)) {
        if let Some((message, maximum)) = lowered(&pool, when(new)) {
            findings.invalid(&LOWERED, pool.path().child("zones"), message).help(format!(
                "set `maximum: {maximum}` in the same change, so that no zone gets less"
            ));
        }
    }
}

/// Returns the message about zones with a lower maximum, and the maximum that would keep theirs.
fn lowered(pool: &Pool<'_>, when: &str) -> Option<(String, i32)> {
    let (old, new) = (pool.old?, pool.new);
    if old.zones == new.zones {
        return None;
    }
    let before: BTreeMap<&str, Zone<'_>> = zones(old).map(|zone| (zone.name, zone)).collect();
    let pairs = zones(new).filter_map(|zone| Some((before.get(zone.name)?, zone)));
    let mut lowered = pairs.filter(|(before, after)| after.maximum < before.maximum).peekable();
    lowered.peek()?;
    let named = list_as(lowered, |(before, after)| shrinks(before, &after));
    let (before, after) = (old.zones.len(), new.zones.len());
    let message = format!(
        "{when}maximum `{}` of pool `{}` is divided over {after} zones instead of {before}: {named}; machines above that are drained and deleted",
        new.maximum, new.name
    );
    let least = zones(old).map(|zone| zone.maximum).max()?;
    let maximum = least.saturating_mul(i32::try_from(after).unwrap_or(i32::MAX));
    Some((message, maximum))
}

fn shrinks(before: &Zone<'_>, after: &Zone<'_>) -> String {
    let maximum = format!("`{}` from {} to {}", after.name, before.maximum, after.maximum);
    if before.minimum == after.minimum {
        maximum
    } else {
        format!("{maximum} (minimum {} to {})", before.minimum, after.minimum)
    }
}
