//! The seed that hosts a Shoot's control plane.

mod access_restrictions;
pub(in crate::rules::shoot) mod addresses;
mod control_plane_zones_invalid;
mod control_plane_zones_vs_seed;
mod cp_seed_selector;
mod deleting_seed_frozen;
mod networks_vs_seed;
mod no_seed_accepts;
pub(in crate::rules::shoot) mod placement;
mod scheduler_name_invalid;
pub(in crate::rules::shoot) mod scheduling;
mod seed_access_restrictions;
mod seed_capacity;
mod seed_deleting;
mod seed_name_change;
mod seed_name_create_unauthorized;
mod seed_name_invalid;
mod seed_not_found;
mod seed_selector_change;
mod seed_selector_invalid;
mod seed_taints_not_tolerated;
mod seed_zones_for_zone_ha;

use crate::admission::Rule;

pub(in crate::rules) const RULES: &[&Rule] = &[
    &seed_name_invalid::RULE,
    &seed_selector_invalid::RULE,
    &scheduler_name_invalid::RULE,
    &control_plane_zones_invalid::RULE,
    &seed_not_found::RULE,
    &seed_name_create_unauthorized::RULE,
    &seed_name_change::RULE,
    &seed_deleting::RULE,
    &seed_taints_not_tolerated::RULE,
    &seed_access_restrictions::RULE,
    &seed_capacity::RULE,
    &cp_seed_selector::RULE,
    &seed_selector_change::RULE,
    &seed_zones_for_zone_ha::RULE,
    &deleting_seed_frozen::RULE,
    &networks_vs_seed::RULE,
    &access_restrictions::RULE,
    &control_plane_zones_vs_seed::RULE,
    &no_seed_accepts::RULE,
];
