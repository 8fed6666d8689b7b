// SPDX-License-Identifier: Apache-2.0
//! Pairs of new and old worker pools, and their paths, shared by the rules about worker pools.

use crate::admission::FieldPath;
use garden_gate_model::api::{Shoot, Worker};

/// A new worker pool with the old one of the same name; the index is that of the new object.
pub(crate) struct Pool<'a> {
    index: usize,
    pub new: &'a Worker,
    pub old: Option<&'a Worker>,
}

impl Pool<'_> {
    /// Returns the path; computed on demand, as most pools have no violation.
    pub(crate) fn path(&self) -> FieldPath {
        path(self.index)
    }
}

/// Returns the pools of the new Shoot, each with the pool of the same name in the old one.
pub(crate) fn pairs<'a>(new: &'a Shoot, old: Option<&'a Shoot>) -> impl Iterator<Item = Pool<'a>> {
    let old_pools = old.map(Shoot::pools);
    let pools = new.spec.provider.workers.iter().enumerate();
    pools.map(move |(index, pool)| Pool {
        index,
        new: pool,
        old: old_pools.as_ref().and_then(|old| old.get(&pool.name)),
    })
}

/// Returns the path of the pool at `index`.
pub(crate) fn path(index: usize) -> FieldPath {
    FieldPath::new("spec.provider.workers").index(index)
}

/// Returns the beginning of messages about effects on machines.
pub(crate) fn when(new: &Shoot) -> &'static str {
    if new.spec.maintenance.confine_spec_update_rollout {
        "in the maintenance window, "
    } else {
        ""
    }
}
