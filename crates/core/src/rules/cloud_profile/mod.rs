// SPDX-License-Identifier: Apache-2.0
//! Rules about CloudProfiles.

pub(crate) mod bastion_image;
mod capabilities;
mod capability_in_use;
pub(crate) mod drop_inactive_versions;
pub(crate) mod form;
mod kubernetes_version_in_use_by_pool;
mod kubernetes_versions;
mod lifecycle;
mod limit_below_shoot_minimum;
mod limits;
mod machine_image_compatibility;
mod machine_images;
pub(crate) mod new_version_expired;
mod supported_overlap;
pub(crate) mod version_in_use;
mod version_turned_unavailable;

use crate::admission::{Rule, Update};
use garden_gate_model::api::{CloudProfile, CloudProfileSpec};

pub(crate) const RULES: &[&Rule] = &[
    &new_version_expired::RULE,
    &drop_inactive_versions::RULE,
    &form::RULE,
    &kubernetes_versions::RULE,
    &lifecycle::RULE,
    &supported_overlap::RULE,
    &version_turned_unavailable::RULE,
    &machine_images::RULE,
    &machine_image_compatibility::RULE,
    &bastion_image::RULE,
    &limits::RULE,
    &version_in_use::RULE,
    &kubernetes_version_in_use_by_pool::RULE,
    &capability_in_use::RULE,
    &limit_below_shoot_minimum::RULE,
];

/// Returns the name and the specs, unless the profile is being deleted and cannot affect users.
fn update(
    Update { new, old }: Update<'_, CloudProfile>,
) -> Option<(&str, Update<'_, CloudProfileSpec>)> {
    let is_deleted = new.metadata.deletion_timestamp.is_some();
    let (name, new, old) = (old.metadata.name.as_str(), &new.spec, &old.spec);
    (!is_deleted).then_some((name, Update { new, old }))
}
