//! Rules about CloudProfiles.

use crate::engine::Change;
use crate::model::{CloudProfile, CloudProfileSpec};

mod capabilities;

rules! {
    RULES:
    new_version_expired,
    drop_inactive_versions,
    form,
    kubernetes_versions,
    lifecycle,
    supported_overlap,
    version_turned_unavailable,
    machine_images,
    machine_image_compatibility,
    bastion_image,
    limits,
    version_in_use,
    kubernetes_version_in_use_by_pool,
    capability_in_use,
    limit_below_shoot_minimum,
}

/// The specs of an UPDATE that can take something away from users: those of a profile that is being deleted cannot.
fn update<'a>(profile: Change<'a, CloudProfile>) -> Option<(&'a str, Specs<'a>)> {
    let (new, old) = (profile.new?, profile.old?);
    if new.metadata.deletion_timestamp.is_some() {
        return None;
    }
    let name = old.metadata.name.as_str();
    let (new, old) = (&new.spec, &old.spec);
    Some((name, Specs { new, old }))
}

/// What a CloudProfile offers after and before an UPDATE.
struct Specs<'a> {
    new: &'a CloudProfileSpec,
    old: &'a CloudProfileSpec,
}
