//! Rules about CloudProfiles.

pub(super) mod bastion_image;
pub(super) mod capability_in_use;
pub(super) mod drop_inactive_versions;
pub(super) mod kubernetes_version_in_use_by_pool;
pub(super) mod kubernetes_versions;
pub(super) mod lifecycle;
pub(super) mod limit_below_shoot_minimum;
pub(super) mod limits;
pub(super) mod machine_image_compatibility;
pub(super) mod machine_images;
pub(super) mod new_version_expired;
pub(super) mod supported_overlap;
pub(super) mod version_in_use;
pub(super) mod version_turned_unavailable;

use crate::engine::Change;
use crate::model::{CloudProfile, CloudProfileSpec};

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
