use crate::engine::{Change, Context, Findings, rule};
use crate::garden::Lookup;
use crate::model::{CloudProfile, NamespacedCloudProfile, NamespacedCloudProfileSpec, ProfileKey};
use crate::rules::shared::profiles::Forced;
use crate::version::merge_profiles;

rule! {
    /// ## What it checks
    /// Whether a write advances the expiration date of a Kubernetes or machine image version for the project while Shoots use it: an
    /// override gets an earlier date, or is removed and the date of the CloudProfile is earlier.
    ///
    /// ## Why
    /// When a version has expired, maintenance updates these Shoots by force; their owners should know.
    ///
    /// ## Applies to
    /// NamespacedCloudProfiles, on UPDATE.
    ///
    /// ## Example
    /// The override that extended 1.30.5 by half a year is removed while three Shoots run that version.
    ///
    /// ## How to fix
    /// The write is valid; inform the owners of the Shoots, or choose a later date.
    ///
    /// ## Gardener
    /// Not checked. Off in profile `gardener`.
    id: "advice/override-forces-shoots",
    summary: "no version expires earlier for a project while its Shoots use it",
    phase: Admission,
    level: { documented: Warn, gardener: Off },
    scopes: [NamespacedCloudProfile [Update]],
    reads: [CloudProfile, Shoot],
    findings: {
        FORCES = "advice/override-forces-shoots": "Shoots will be updated by force, because their version expires earlier",
    },
    check: Judge(check),
}

fn check(
    context: &Context<'_>,
    profile: Change<'_, NamespacedCloudProfile>,
    findings: &mut Findings,
) {
    let (Some(new), Some(old)) = (profile.new, profile.old) else {
        return;
    };
    let key = ProfileKey::namespaced(&context.request.namespace, &new.metadata.name);
    // No advice if Shoots or the parent are unknown: it is not worth an undetermined verdict.
    let Some(users) = context
        .shoots()
        .ok()
        .and_then(|shoots| shoots.of_profile(&key))
    else {
        return;
    };
    let Lookup::Found(parent) = context.get::<CloudProfile>(&new.spec.parent.name) else {
        return;
    };
    let [old, new] = [old, new].map(|profile| merge_profiles(&parent.spec, &profile.spec));
    let mut forced = Forced::between(&old, &new);
    forced.count(users, &NamespacedCloudProfileSpec::default());
    forced.report(&FORCES, findings);
}
