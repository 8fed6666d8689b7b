//! What a request changes of a Shoot, and whether its parts are compared.

use crate::engine::{Change, Context};
use crate::model::Shoot;

/// New and old Shoot of an update whose worker pools are compared.
///
/// They are not if the Shoot gets its first pool or loses its last, or if a Shoot in deletion is changed: each is
/// refused as a whole. Mirrors the early returns of ValidateShootSpecUpdate in `pkg/api/core/validation/shoot.go`.
pub(in crate::rules::shoot) fn compared<'a>(
    context: &Context<'_>,
    shoot: Change<'a, Shoot>,
) -> Option<(&'a Shoot, &'a Shoot)> {
    let (new, old) = (shoot.new?, shoot.old?);
    let workerless = |shoot: &Shoot| shoot.spec.provider.workers.is_empty();
    if workerless(new) || workerless(old) {
        return None;
    }
    (!is_frozen(context, new)).then_some((new, old))
}

/// Whether a Shoot in deletion is changed, so that nothing else is said about it.
pub(in crate::rules::shoot) fn is_frozen(context: &Context<'_>, new: &Shoot) -> bool {
    let deleted = new.metadata.deletion_timestamp.is_some();
    deleted && !context.changed_fields(new).is_empty()
}

/// Whether the stored spec and the new one differ, as it would be stored.
pub(in crate::rules::shoot) fn spec_differs(context: &Context<'_>, new: &Shoot) -> bool {
    !context.stored_changes(new).is_empty()
}
