// SPDX-License-Identifier: Apache-2.0
//! The part of a Shoot that a request changes, and whether its parts are compared.

use crate::admission::{Context, Write};
use garden_gate_model::api::Shoot;

/// Returns the new and old Shoot of an update whose worker pools are compared.
///
/// Returns `None` if the Shoot gets its first pool or loses its last, or if a Shoot in deletion is changed: each is refused as a whole.
/// Mirrors the early returns of ValidateShootSpecUpdate in `pkg/api/core/validation/shoot.go`.
pub(crate) fn compared<'a>(
    context: &Context<'_>,
    Write { new, old }: Write<'a, Shoot>,
) -> Option<(&'a Shoot, &'a Shoot)> {
    let old = old?;
    let workerless = |shoot: &Shoot| shoot.spec.provider.workers.is_empty();
    if workerless(new) || workerless(old) {
        return None;
    }
    (!is_frozen(context, new)).then_some((new, old))
}

/// Reports whether a Shoot in deletion is changed, so that no other violation is reported.
pub(crate) fn is_frozen(context: &Context<'_>, new: &Shoot) -> bool {
    let deleted = new.metadata.deletion_timestamp.is_some();
    deleted && !context.changed_fields(new).is_empty()
}

/// Reports whether the stored spec differs from the new one, as it would be stored.
pub(crate) fn spec_differs(context: &Context<'_>, new: &Shoot) -> bool {
    !context.stored_changes(new).is_empty()
}
