// SPDX-License-Identifier: Apache-2.0
//! The effect of a Shoot change on the nodes of its pools: none, in-place update, or new machines.
//!
//! Pure functions of the Shoot before and after.
//! Gardener names the machines of a rolling pool after a hash of certain values. For pools that are updated in place,
//! it stores a hash of other values.
//! [`pool_changes`] computes the same values, and identifies pools by name. [`removals`] detects pools that were
//! probably renamed.

mod key;
mod operation;
mod removal;
mod requested;
mod zones;

pub use key::{Reservation, Side};
pub use operation::{NodeOperation, Scope, node_operations};
pub use removal::{Removal, removals};
pub use requested::{reaches_machines, requested_pool_changes};
pub use zones::zone_share;

use std::borrow::Cow;

use crate::api::Worker;
use key::{Key, Keys};

/// The effect on the nodes of a pool.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Effect {
    /// Every machine is replaced.
    Roll,
    /// Nodes are updated; their machines stay.
    InPlace,
    /// Every machine is replaced if the infrastructure provider requires it.
    MayRoll,
    /// The pool is new.
    Created,
    /// The pool is removed.
    Removed,
    /// No effect.
    None,
}

/// The effect on the nodes of one pool, with its causes.
#[derive(Clone, Debug)]
pub struct PoolChange<'a> {
    /// The name of the pool.
    pub pool: &'a str,
    /// The effect.
    pub effect: Effect,
    /// The changed fields in a fixed order; empty if there are none, or if the whole pool is new or removed.
    pub causes: Vec<Cow<'static, str>>,
}

/// Returns the effects on all pools of `new` in their order, followed by those only in `old`.
///
/// Mirrors Key in `pkg/component/extensions/operatingsystemconfig` and CalculateWorkerPoolHashForInPlaceUpdate in
/// `pkg/utils/gardener/shoot.go`.
/// The provider's additions to the former are unknown, hence [`Effect::MayRoll`].
pub fn pool_changes<'a>(old: Side<'a>, new: Side<'a>) -> Vec<PoolChange<'a>> {
    let (before, after) = (old.shoot.pools(), new.shoot.pools());
    let (old_keys, new_keys) = (Keys::of(old), Keys::of(new));
    let kept = new.pools().iter().map(|pool| match before.get(&pool.name) {
        Some(before) => change(&old_keys, before, &new_keys, pool),
        None => PoolChange::whole(pool, Effect::Created),
    });
    let removed = old.pools().iter().filter(|pool| after.get(&pool.name).is_none());
    kept.chain(removed.map(|pool| PoolChange::whole(pool, Effect::Removed))).collect()
}

impl<'a> Side<'a> {
    fn pools(self) -> &'a [Worker] {
        &self.shoot.spec.provider.workers
    }
}

impl<'a> PoolChange<'a> {
    fn whole(pool: &'a Worker, effect: Effect) -> Self {
        Self { pool: &pool.name, effect, causes: Vec::new() }
    }
}

fn change<'a>(
    old: &Keys<'_>,
    before: &Worker,
    new: &Keys<'_>,
    after: &'a Worker,
) -> PoolChange<'a> {
    let nothing = PoolChange::whole(after, Effect::None);
    // Forbidden, so that it has no effect.
    if before.is_in_place() != after.is_in_place() {
        return nothing;
    }
    let (effect, before_key, after_key) = if after.is_in_place() {
        (Effect::InPlace, old.in_place(before), new.in_place(after))
    } else {
        (Effect::Roll, old.rolling(before), new.rolling(after))
    };
    let causes = Key::causes(&before_key, &after_key);
    if !causes.is_empty() {
        return PoolChange { effect, causes, ..nothing };
    }
    let causes = provider_causes(before, after);
    if causes.is_empty() || after.is_in_place() {
        return nothing;
    }
    PoolChange { effect: Effect::MayRoll, causes, ..nothing }
}

/// Returns the changed fields that the infrastructure provider may add to the key.
fn provider_causes(old: &Worker, new: &Worker) -> Vec<Cow<'static, str>> {
    let config = |pool: &Worker| pool.provider_config.as_ref().map(ToString::to_string);
    let volume = |pool: &Worker| {
        let volume = pool.volume.as_ref();
        volume.map(|volume| (volume.name.clone(), volume.encrypted))
    };
    let changed = [
        ("providerConfig", config(old) != config(new)),
        ("volume", volume(old) != volume(new)),
        ("dataVolumes", old.data_volumes != new.data_volumes),
    ];
    changed.into_iter().filter_map(|(field, changed)| changed.then_some(Cow::from(field))).collect()
}
