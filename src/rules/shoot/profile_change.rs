use crate::engine::{Change, Context, ErrorType, FieldPath, Findings, Offence, rule};
use crate::model::{CloudProfileSpec, ProfileKind, Shoot};
use crate::rules::offer::{Missing, find, offer};
use crate::rules::shoot::pools::pairs::pairs;

rule! {
    /// ## What it checks
    /// A Shoot changes only between a CloudProfile and the NamespacedCloudProfiles that are made from it, and uses no machine image
    /// version that the old profile lists and the new one does not.
    ///
    /// ## Why
    /// Another CloudProfile may be about another infrastructure. The infrastructure provider may not know the image any more, and the
    /// pool could not be scaled.
    ///
    /// ## Applies to
    /// Shoots, on UPDATE, `binding` included, if they follow another profile than before. Kubernetes versions are not asked for: a
    /// NamespacedCloudProfile may only have prolonged one, and the next maintenance takes care of it.
    ///
    /// ## Example
    /// A Shoot with an image that only its NamespacedCloudProfile has goes back to the CloudProfile.
    ///
    /// ## How to fix
    /// Update the machine images of the pools first. A Shoot that must follow another CloudProfile has to be made anew.
    ///
    /// ## Gardener
    /// ValidateCloudProfileChanges in `plugin/pkg/utils` (403). Machine and volume types, which Gardener compares too, are not looked at here.
    id: "shoot/profile-change",
    summary: "a Shoot that changes to another profile stays with its CloudProfile and finds its machine images",
    phase: Admission,
    level: Deny,
    scopes: [Shoot [Update] [Itself, Binding]],
    reads: [CloudProfile, NamespacedCloudProfile],
    findings: {
        OTHER_CLOUD_PROFILE = "shoot/profile-change-other-cloudprofile": "the new profile is not made from the CloudProfile that the Shoot follows",
        IMAGE_DROPPED = "shoot/profile-change-image-dropped": "the new profile lacks a machine image version that a pool uses",
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, shoot: Change<'_, Shoot>, findings: &mut Findings) {
    let (Some(new), Some(old)) = (shoot.new, shoot.old) else {
        return;
    };
    if new.profile_name() == old.profile_name() {
        return;
    }
    let Some(offer) = offer(context, new, findings) else {
        return;
    };
    let before = find(context, old);
    let known = match &before {
        Ok(before) => before.cloud_profile(),
        Err(Missing::Absent { name, .. }) => name,
        Err(Missing::Parent { parent, .. }) => parent,
        Err(_) => return,
    };
    let is_lost = matches!(
        before,
        Err(Missing::Absent {
            kind: ProfileKind::Namespaced,
            ..
        })
    );
    if is_lost || offer.cloud_profile() != known {
        let from = if is_lost {
            format!("NamespacedCloudProfile `{known}`, which does not exist any more,")
        } else {
            format!("CloudProfile `{known}`")
        };
        let message = format!(
            "a Shoot that follows {from} cannot change to `{}`",
            offer.cloud_profile()
        );
        let (kind, path) = (&OTHER_CLOUD_PROFILE, FieldPath::new("spec.cloudProfile"));
        let offence = Offence::new(kind, ErrorType::Forbidden, path, message);
        let offence = offence.value(offer.cloud_profile());
        return findings.add(offence.help("put the old profile back, or make a new Shoot"));
    }
    let Ok(before) = before else { return };
    let (spec, before) = (offer.spec(), before.spec());
    for pool in pairs(new, Some(old)) {
        let Some(image) = &pool.new.machine.image else {
            continue;
        };
        let (name, version) = (&image.name, &image.version);
        if lists(&before, name, version) && !lists(&spec, name, version) {
            let message = format!(
                "the new profile does not list version `{version}` of machine image `{name}`, which pool `{}` uses",
                pool.new.name
            );
            let path = FieldPath::new("spec.cloudProfile");
            let offence = Offence::new(&IMAGE_DROPPED, ErrorType::Forbidden, path, message);
            let offence = offence.value(format!("{name}:{version}"));
            findings.add(offence.help("update the pool to an image of both profiles first"));
        }
    }
}

fn lists(spec: &CloudProfileSpec, name: &str, version: &str) -> bool {
    let mut images = spec.machine_images.iter().filter(|it| it.name == name);
    images.any(|it| it.versions.iter().any(|it| it.version == version))
}
