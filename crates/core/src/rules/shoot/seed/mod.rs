// SPDX-License-Identifier: Apache-2.0
//! The seed that hosts a Shoot's control plane.

pub(crate) mod addresses;
mod assignment;
mod compatibility;
pub(crate) mod placement;
pub(crate) mod scheduling;
mod selector;
mod zones;

use crate::admission::Rule;

pub(crate) const RULES: &[&Rule] = &[
    &assignment::seed_name_invalid::RULE,
    &selector::seed_selector_invalid::RULE,
    &scheduling::scheduler_name_invalid::RULE,
    &zones::control_plane_zones_invalid::RULE,
    &assignment::seed_not_found::RULE,
    &assignment::seed_name_create_unauthorized::RULE,
    &assignment::seed_name_change::RULE,
    &assignment::seed_deleting::RULE,
    &compatibility::seed_taints_not_tolerated::RULE,
    &compatibility::seed_access_restrictions::RULE,
    &compatibility::seed_capacity::RULE,
    &selector::cp_seed_selector::RULE,
    &selector::seed_selector_change::RULE,
    &zones::seed_zones_for_zone_ha::RULE,
    &assignment::deleting_seed_frozen::RULE,
    &compatibility::networks_vs_seed::RULE,
    &compatibility::access_restrictions::RULE,
    &zones::control_plane_zones_vs_seed::RULE,
    &scheduling::no_seed_accepts::RULE,
];
