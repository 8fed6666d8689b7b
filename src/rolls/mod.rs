//! What a change of a Shoot does to the nodes of its worker pools: nothing, an update in place, or new machines.
//!
//! Pure functions of the Shoot before and after. Gardener names the machines of a rolling pool after a hash of a list of
//! values, and keeps a hash of another list for pools that are updated in place; [`pool_changes`] builds the same lists. It knows pools by
//! their names; which of those that go and come may be the same to people, [`removals`] says.

mod key;
mod operation;
mod removal;

pub use key::{Reservation, Side};
pub use operation::{NodeOperation, Scope, node_operations};
pub use removal::{Removal, removals};

use std::borrow::Cow;

use crate::model::Worker;
use key::{Key, Keys};

/// What happens to the nodes of a pool.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Effect {
    /// Every machine is replaced.
    Roll,
    /// Nodes are updated; their machines stay.
    InPlace,
    /// Every machine is replaced if the infrastructure provider thinks that it must be.
    MayRoll,
    /// The pool is new.
    Created,
    /// The pool goes.
    Removed,
    /// Nothing.
    None,
}

/// What happens to the nodes of one pool, and why.
#[derive(Clone, Debug)]
pub struct PoolChange<'a> {
    /// The name of the pool.
    pub pool: &'a str,
    /// What happens.
    pub effect: Effect,
    /// The changed fields, in a fixed order; empty where nothing, or everything, changed.
    pub causes: Vec<Cow<'static, str>>,
}

/// What happens to every pool of `new`, in its order, and then to those that are only in `old`.
///
/// Mirrors Key in `pkg/component/extensions/operatingsystemconfig` and CalculateWorkerPoolHashForInPlaceUpdate in
/// `pkg/utils/gardener/shoot.go`; what the provider adds to the former is not known, hence [`Effect::MayRoll`].
#[must_use]
pub fn pool_changes<'a>(old: Side<'a>, new: Side<'a>) -> Vec<PoolChange<'a>> {
    let (before, after) = (old.shoot.pools(), new.shoot.pools());
    let (old_keys, new_keys) = (Keys::of(old), Keys::of(new));
    let kept = new.pools().iter().map(|pool| match before.get(&pool.name) {
        Some(before) => change(&old_keys, before, &new_keys, pool),
        None => PoolChange::whole(pool, Effect::Created),
    });
    let removed = old.pools().iter();
    let removed = removed.filter(|pool| after.get(&pool.name).is_none());
    kept.chain(removed.map(|pool| PoolChange::whole(pool, Effect::Removed)))
        .collect()
}

impl<'a> Side<'a> {
    fn pools(self) -> &'a [Worker] {
        &self.shoot.spec.provider.workers
    }
}

impl<'a> PoolChange<'a> {
    fn whole(pool: &'a Worker, effect: Effect) -> Self {
        Self {
            pool: &pool.name,
            effect,
            causes: Vec::new(),
        }
    }
}

fn change<'a>(
    old: &Keys<'_>,
    before: &Worker,
    new: &Keys<'_>,
    after: &'a Worker,
) -> PoolChange<'a> {
    let nothing = PoolChange::whole(after, Effect::None);
    // Forbidden; whatever it would do, it will not happen.
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
        return PoolChange {
            effect,
            causes,
            ..nothing
        };
    }
    let causes = provider_causes(before, after);
    if causes.is_empty() || after.is_in_place() {
        return nothing;
    }
    PoolChange {
        effect: Effect::MayRoll,
        causes,
        ..nothing
    }
}

/// The changed fields that the infrastructure provider may add to the list.
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
    changed
        .into_iter()
        .filter_map(|(field, changed)| changed.then_some(Cow::from(field)))
        .collect()
}
