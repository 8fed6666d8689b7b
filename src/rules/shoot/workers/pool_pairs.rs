//! What the rules about worker pools share: pairs of pools, their paths, and whether they have machines.

use crate::engine::FieldPath;
use crate::model::{Shoot, Worker};

/// A worker pool as it will be, and as it is; the index is that of the new object.
pub(in crate::rules::shoot) struct Pool<'a> {
    index: usize,
    pub new: &'a Worker,
    pub old: Option<&'a Worker>,
}

impl Pool<'_> {
    /// Most pools have nothing wrong with them, and their paths are never written.
    pub(in crate::rules::shoot) fn path(&self) -> FieldPath {
        path(self.index)
    }
}

/// The pools of the new Shoot with those of the same name in the old one.
pub(in crate::rules::shoot) fn pairs<'a>(
    new: &'a Shoot,
    old: Option<&'a Shoot>,
) -> impl Iterator<Item = Pool<'a>> {
    let old = old.map(Shoot::pools);
    let pools = new.spec.provider.workers.iter().enumerate();
    pools.map(move |(index, pool)| Pool {
        index,
        new: pool,
        old: old.as_ref().and_then(|old| old.get(&pool.name)),
    })
}

/// The path of a pool.
pub(in crate::rules::shoot) fn path(index: usize) -> FieldPath {
    FieldPath::new("spec.provider.workers").index(index)
}

/// Whether a change of a Shoot can reach machines: it has some that Gardener manages, neither sleeps nor falls asleep, and is to stay.
pub(in crate::rules::shoot) fn reaches_machines(new: &Shoot, old: &Shoot) -> bool {
    let asleep = old.wants_hibernation() || new.wants_hibernation();
    !asleep && new.metadata.deletion_timestamp.is_none() && !new.is_on_unmanaged_machines()
}

/// How a message begins about what a change does to machines.
pub(in crate::rules::shoot) fn when(new: &Shoot) -> &'static str {
    match new.spec.maintenance.confine_spec_update_rollout {
        true => "in the maintenance window, ",
        false => "",
    }
}
