// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, Write};
use crate::rules::shared::validation::is_unchanged;
use garden_gate_model::api::Shoot;

/// Reports whether the objects that a part of a Shoot references have to exist.
///
/// They do if the part is new or differs from the stored one, and the Shoot is not being deleted.
pub(super) fn is_looked_for(
    context: &Context<'_>,
    Write { new, old }: Write<'_, Shoot>,
    part: &'static [&'static str],
) -> bool {
    if old.is_none() {
        return true;
    }
    let changed = context.changed_fields(new);
    let is_in = |field: &String| part.get(1).is_some_and(|it| it == field);
    let is_same = || is_unchanged(context, "Shoot", part);
    let is_wanted = new.metadata.deletion_timestamp.is_none();
    // A part that is a field of the specification may differ by defaulted values.
    is_wanted && changed.iter().any(is_in) && (part.len() == 2 || !is_same())
}
