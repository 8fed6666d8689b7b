//! What rules about seeds share: which seed a Shoot is on, and whether it gets one or another one.

use std::sync::Arc;

use crate::engine::{Change, Context, FieldPath, Findings};
use crate::model::{Seed, Shoot, ShootStatus};

/// The field that most of these rules are about.
pub(in crate::rules::shoot) fn seed_name_path() -> FieldPath {
    FieldPath::new("spec.seedName")
}

/// The Seed called `name`; `None` if there is none, which another rule refuses, or none is known, which the findings say.
pub(in crate::rules::shoot) fn seed(
    context: &Context<'_>,
    name: &str,
    findings: &mut Findings,
) -> Option<Arc<Seed>> {
    findings.known(
        context.get::<Seed>(name).answer(),
        &seed_name_path(),
        format_args!("what Seed `{name}` is like"),
    )?
}

/// The seed that a Shoot is on, or will be; `None` as in [`seed`], and if it is on none.
pub(in crate::rules::shoot) fn seed_of(
    context: &Context<'_>,
    shoot: &Shoot,
    findings: &mut Findings,
) -> Option<Arc<Seed>> {
    seed(context, shoot.seed_name()?, findings)
}

/// The Shoot and its new seed, if the request puts it on a seed, or on another one; `None` for the seed as in [`seed`].
///
/// A seed that is changed without the subresource `binding` is refused as such, so it does not count here.
pub(in crate::rules::shoot) fn new_seed<'a>(
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

/// The seeds that the request moves a Shoot from and to.
pub(in crate::rules::shoot) fn move_of(shoot: Change<'_, Shoot>) -> Option<(&str, &str)> {
    let (old, new) = (shoot.old?.seed_name()?, shoot.new?.seed_name()?);
    (old != new).then_some((old, new))
}

/// The status that counts: the stored one, because the API server takes none from requests.
pub(in crate::rules::shoot) fn status(shoot: Change<'_, Shoot>) -> Option<&ShootStatus> {
    Some(&shoot.old?.status)
}
