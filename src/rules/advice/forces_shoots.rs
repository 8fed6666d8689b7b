use crate::engine::{Change, Context, Findings, rule};
use crate::model::{CloudProfile, NamespacedCloudProfileSpec, ProfileKey};
use crate::rules::shared::profiles::Forced;

rule! {
    /// ## What it checks
    /// Whether a write sets or advances the expiration date of a Kubernetes or machine image version while Shoots use it.
    ///
    /// ## Why
    /// When a version has expired, maintenance updates these Shoots by force; their owners should know.
    ///
    /// ## Applies to
    /// CloudProfiles, on UPDATE. Shoots that reference a NamespacedCloudProfile count unless it sets its own date.
    ///
    /// ## Example
    /// Version 1.30.5 gets `expirationDate: "2099-01-01T00:00:00Z"` while 12 Shoots run it.
    ///
    /// ## How to fix
    /// The write is valid; inform the owners of the Shoots, or choose a later date. `cloudprofile/version-in-use` refuses the removal of a version
    /// that is in use.
    ///
    /// ## Gardener
    /// Not checked. Off in profile `gardener`.
    id: "advice/forces-shoots",
    summary: "no version expires, or earlier than it did, while Shoots use it",
    phase: Admission,
    level: { documented: Warn, gardener: Off },
    scopes: [CloudProfile [Update]],
    reads: [NamespacedCloudProfile, Shoot],
    findings: {
        FORCES = "advice/forces-shoots": "Shoots will be updated by force, because their version expires",
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, profile: Change<'_, CloudProfile>, findings: &mut Findings) {
    let (Some(new), Some(old)) = (profile.new, profile.old) else {
        return;
    };
    let name = new.metadata.name.as_str();
    // No advice if Shoots are unknown: it is not worth an undetermined verdict.
    let (Ok(shoots), Ok(children)) = (context.shoots(), context.namespaced_cloud_profiles_of(name))
    else {
        return;
    };
    let mut forced = Forced::between(&old.spec, &new.spec);
    if let Some(users) = shoots.of_profile(&ProfileKey::cluster(name)) {
        forced.count(users, &NamespacedCloudProfileSpec::default());
    }
    for child in children.iter() {
        let key = ProfileKey::namespaced(&child.metadata.namespace, &child.metadata.name);
        if let Some(users) = shoots.of_profile(&key) {
            forced.count(users, &child.spec);
        }
    }
    forced.report(&FORCES, findings);
}
