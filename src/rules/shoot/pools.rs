//! What the rules about worker pools share: pairs of pools, their paths, and when an update of the spec is judged at all.

use crate::compat::semantically_equal;
use crate::engine::{Change, Context, FieldPath};
use crate::model::{Shoot, Worker};

/// A worker pool as it will be, and as it is; the index is that of the new object.
pub(super) struct Pool<'a> {
    pub path: FieldPath,
    pub new: &'a Worker,
    pub old: Option<&'a Worker>,
}

/// The pools of the new Shoot with those of the same name in the old one.
pub(super) fn pairs<'a>(new: &'a Shoot, old: Option<&'a Shoot>) -> impl Iterator<Item = Pool<'a>> {
    let pools = new.spec.provider.workers.iter().enumerate();
    pools.map(move |(index, pool)| Pool {
        path: path(index),
        new: pool,
        old: old.and_then(|old| old.pool(&pool.name)),
    })
}

/// The path of a pool.
pub(super) fn path(index: usize) -> FieldPath {
    FieldPath::new("spec.provider.workers").index(index)
}

/// New and old Shoot of an update whose worker pools are compared.
///
/// They are not if the Shoot gets its first pool or loses its last, or if a Shoot in deletion is changed: each is
/// refused as a whole. Mirrors the early returns of ValidateShootSpecUpdate in `pkg/api/core/validation/shoot.go`.
pub(super) fn compared<'a>(
    context: &Context<'_>,
    shoot: Change<'a, Shoot>,
) -> Option<(&'a Shoot, &'a Shoot)> {
    let (new, old) = (shoot.new?, shoot.old?);
    let workerless = |shoot: &Shoot| shoot.spec.provider.workers.is_empty();
    if workerless(new) || workerless(old) {
        return None;
    }
    let deleted = new.metadata.deletion_timestamp.is_some();
    if deleted && !semantically_equal(&context.new_json()["spec"], &context.old_json()["spec"]) {
        return None;
    }
    Some((new, old))
}
