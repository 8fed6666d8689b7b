// SPDX-License-Identifier: Apache-2.0
use std::borrow::Cow;

use super::{Effect, NodeOperation, PoolChange, Reservation, Side, node_operations, pool_changes};
use crate::api::{ByName, Shoot, Worker};

const NOW: &str = "gardener.cloud/operation";
const MAINTENANCE: &str = "maintenance.gardener.cloud/operation";

/// Reports whether a change of a Shoot can affect machines.
///
/// It can if Gardener manages machines of the Shoot, and the Shoot is neither hibernated, to be hibernated, nor being deleted.
pub fn reaches_machines(new: &Shoot, old: &Shoot) -> bool {
    let is_hibernated = old.wants_hibernation() || new.wants_hibernation();
    !is_hibernated && new.metadata.deletion_timestamp.is_none() && !new.is_on_unmanaged_machines()
}

/// Returns the effects of an update on the pools that may have machines, with the operations that it requests by annotations.
///
/// See [`pool_changes`] for the order.
pub fn requested_pool_changes<'a>(old: &'a Shoot, new: &'a Shoot) -> Vec<PoolChange<'a>> {
    let side = |shoot| Side {
        shoot,
        // The API server ignores the status of a request.
        status: &old.status,
        reservation: Reservation::Static,
    };
    let mut changes = pool_changes(side(old), side(new));
    let (before, after) = (old.pools(), new.pools());
    changes.retain(|change| has_machines(&before, &after, change.pool));
    let asked = |key| new_operations(new, old, key);
    let (now, later) = (asked(NOW), asked(MAINTENANCE));
    for change in &mut changes {
        add_operations(change, &after, &now, &later);
    }
    changes
}

type Pools<'a> = ByName<'a, Worker>;

fn has_machines(old: &Pools<'_>, new: &Pools<'_>, pool: &str) -> bool {
    let sides = [old.get(pool), new.get(pool)];
    sides.into_iter().flatten().any(|pool| pool.maximum != 0)
}

/// Returns the operations of an annotation that was added or changed.
fn new_operations<'a>(new: &'a Shoot, old: &'a Shoot, key: &str) -> Vec<NodeOperation<'a>> {
    let [value, before] = [new, old].map(|shoot| shoot.metadata.annotations.get(key));
    match value {
        Some(value) if Some(value) != before => node_operations(value, new, &old.status),
        _ => Vec::new(),
    }
}

/// Adds the effects of operations on a pool; a new pool has no nodes to affect.
fn add_operations(
    change: &mut PoolChange<'_>,
    new: &Pools<'_>,
    now: &[NodeOperation<'_>],
    later: &[NodeOperation<'_>],
) {
    let there = new.get(change.pool);
    let Some(pool) = there.filter(|_| change.effect != Effect::Created) else {
        return;
    };
    let reached = |operation: &&NodeOperation<'_>| operation.scope.contains(&pool.name);
    let now = now.iter().filter(reached).map(|it| Cow::from(it.name));
    let later = later
        .iter()
        .filter(reached)
        .map(|it| Cow::from(format!("{} in the maintenance window", it.name)));
    let causes: Vec<Cow<'static, str>> = now.chain(later).collect();
    if causes.is_empty() {
        return;
    }
    let effect = if pool.is_in_place() { Effect::InPlace } else { Effect::Roll };
    if change.effect != effect {
        (change.effect, change.causes) = (effect, Vec::new());
    }
    change.causes.extend(causes);
}
