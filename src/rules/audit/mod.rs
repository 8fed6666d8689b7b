//! How things stand: what nobody writes, and what only shows when all of a garden is looked at. `garden-gate audit` tells it; an API
//! server is never refused anything for it. Off in profile `gardener`.

mod exposure_class_unused;
mod hibernation_impossible;
mod image_version_unusable;
mod in_place_update_pending;
mod maintenance_fails;
mod minor_gap;
mod namespaced_cloud_profile_unused;
mod taint_untolerated;
mod toleration_unused;

use crate::engine::Rule;

pub(crate) use maintenance_fails::{BLOCKED, IMPOSSIBLE, RULE as MAINTENANCE_FAILS};

pub(in crate::rules) const RULES: &[&Rule] = &[
    &maintenance_fails::RULE,
    &in_place_update_pending::RULE,
    &hibernation_impossible::RULE,
    &toleration_unused::RULE,
    &exposure_class_unused::RULE,
    &namespaced_cloud_profile_unused::RULE,
    &taint_untolerated::RULE,
    &image_version_unusable::RULE,
    &minor_gap::RULE,
];
