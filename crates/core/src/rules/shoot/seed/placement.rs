// SPDX-License-Identifier: Apache-2.0
//! Shared by the rules about seeds: the seed of a Shoot, and whether a request assigns or changes it.

use std::sync::Arc;

use crate::admission::{Change, Context, FieldPath, Findings, Update};
use garden_gate_model::api::{Seed, Shoot};

/// Returns the path of the field that most of these rules check.
pub(crate) fn seed_name_path() -> FieldPath {
    FieldPath::new("spec.seedName")
}

/// Returns the Seed called `name`.
///
/// Returns `None` if it does not exist, which another rule refuses, or is unknown, for which a finding is added.
pub(crate) fn seed(
    context: &Context<'_>,
    name: &str,
    findings: &mut Findings,
) -> Option<Arc<Seed>> {
    findings.known(
        context.get::<Seed>(name),
        &seed_name_path(),
        format_args!("what Seed `{name}` is like"),
    )?
}

/// Returns the current or new seed of a Shoot; `None` as in [`seed`], and if it has none.
pub(crate) fn seed_of(
    context: &Context<'_>,
    shoot: &Shoot,
    findings: &mut Findings,
) -> Option<Arc<Seed>> {
    seed(context, shoot.seed_name()?, findings)
}

/// Returns the Shoot and its new seed, if the request assigns or changes it.
///
/// The seed is `None` as in [`seed`].
///
/// A seed that is changed without the subresource `binding` is refused by another rule, so it is skipped here.
pub(crate) fn new_seed<'a>(
    context: &Context<'_>,
    shoot: Change<'a, Shoot>,
    findings: &mut Findings,
) -> Option<(&'a Shoot, Arc<Seed>)> {
    let new = shoot.new?;
    let name = new.seed_name()?;
    if shoot.old.and_then(Shoot::seed_name) == Some(name) {
        return None;
    }
    let seed = seed(context, name, findings)?;
    Some((new, seed))
}

/// Returns the seeds that the request moves a Shoot from and to.
pub(crate) fn move_of(shoot: Update<'_, Shoot>) -> Option<(&str, &str)> {
    let (old, new) = (shoot.old.seed_name()?, shoot.new.seed_name()?);
    (old != new).then_some((old, new))
}
