use std::collections::BTreeMap;

use super::pool_pairs::{Pool, pairs, reaches_machines, when};
use super::zone_shares::{Zone, zones};
use crate::engine::{Change, Context, ErrorType, Findings, Offence, rule};
use crate::model::Shoot;
use crate::rules::shared::lists::list_as;

rule! {
    /// ## What it checks
    /// Zones of a worker pool that get a lower maximum because the pool gets other zones: Gardener divides `minimum` and `maximum` over
    /// the zones, and a new zone takes a share from the existing ones.
    ///
    /// ## Why
    /// A zone with more machines than its new maximum loses the rest: they are drained and deleted, although `maximum` of the
    /// pool is unchanged. Machines do not move from zone to zone; the new zone starts with its minimum.
    ///
    /// ## Applies to
    /// Shoots, on UPDATE: pools whose `zones` change. Hibernated Shoots, Shoots in deletion and pools whose machines
    /// Gardener does not manage are skipped. The rule only warns.
    ///
    /// ## Example
    /// ```yaml
    /// maximum: 30
    /// zones: [eu-west-1a, eu-west-1b, eu-west-1c]   # was [eu-west-1a]: its maximum goes from 30 to 10
    /// ```
    ///
    /// ## How to fix
    /// Raise `maximum` (and `minimum`) in the same change, so that no zone gets less than it has.
    ///
    /// ## Gardener
    /// Gardener does not warn. DistributeOverZones in `extensions/pkg/controller/worker/machines.go` divides; deployMachineDeployment in
    /// `extensions/pkg/controller/worker/genericactuator/actuator_reconcile.go` cuts the replicas of a zone to its maximum, and sets them to its
    /// minimum if no pool scales.
    id: "shoot/worker-zone-maximum-lowered",
    summary: "says which zones lose machines to zones that are added",
    phase: Static,
    level: { documented: Warn, gardener: Off },
    scopes: [Shoot [Update]],
    findings: {
        LOWERED = "shoot/worker-zone-maximum-lowered": "a change of zones lowers the maximum of a zone that stays",
    },
    check: Judge(check),
}

fn check(_: &Context<'_>, shoot: Change<'_, Shoot>, findings: &mut Findings) {
    let (Some(new), Some(old)) = (shoot.new, shoot.old) else {
        return;
    };
    if !reaches_machines(new, old) {
        return;
    }
    for pool in pairs(new, Some(old)) {
        if let Some(offence) = lowered(&pool, when(new)) {
            findings.add(offence);
        }
    }
}

fn lowered(pool: &Pool<'_>, when: &str) -> Option<Offence> {
    let (old, new) = (pool.old?, pool.new);
    if old.zones == new.zones {
        return None;
    }
    let before: BTreeMap<&str, Zone<'_>> = zones(old).map(|zone| (zone.name, zone)).collect();
    let pairs = zones(new).filter_map(|zone| Some((before.get(zone.name)?, zone)));
    let lowered = pairs.filter(|(before, after)| after.maximum < before.maximum);
    let mut lowered = lowered.peekable();
    lowered.peek()?;
    let named = list_as(lowered, |(before, after)| shrinks(before, &after));
    let (before, after) = (old.zones.len(), new.zones.len());
    let message = format!(
        "{when}maximum `{}` of pool `{}` is divided over {after} zones instead of {before}: {named}; machines above that are drained and deleted",
        new.maximum, new.name
    );
    let path = pool.path().child("zones");
    let least = zones(old).map(|zone| zone.maximum).max()?;
    let maximum = least.saturating_mul(i32::try_from(after).unwrap_or(i32::MAX));
    let offence = Offence::new(&LOWERED, ErrorType::Invalid, path, message);
    Some(offence.help(format!(
        "set `maximum: {maximum}` in the same change, so that no zone gets less"
    )))
}

fn shrinks(before: &Zone<'_>, after: &Zone<'_>) -> String {
    let maximum = format!(
        "`{}` from {} to {}",
        after.name, before.maximum, after.maximum
    );
    match before.minimum == after.minimum {
        true => maximum,
        false => format!(
            "{maximum} (minimum {} to {})",
            before.minimum, after.minimum
        ),
    }
}
