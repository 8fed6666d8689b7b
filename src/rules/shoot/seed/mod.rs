//! Where the control plane lives.

pub(in crate::rules) mod access_restrictions;
pub(in crate::rules::shoot) mod addresses;
pub(in crate::rules) mod control_plane_zones_invalid;
pub(in crate::rules) mod control_plane_zones_vs_seed;
pub(in crate::rules) mod cp_seed_selector;
pub(in crate::rules) mod deleting_seed_frozen;
pub(in crate::rules) mod networks_vs_seed;
pub(in crate::rules) mod no_seed_accepts;
pub(in crate::rules::shoot) mod placement;
pub(in crate::rules) mod scheduler_name_invalid;
pub(in crate::rules::shoot) mod scheduling;
pub(in crate::rules) mod seed_access_restrictions;
pub(in crate::rules) mod seed_capacity;
pub(in crate::rules) mod seed_deleting;
pub(in crate::rules) mod seed_name_change;
pub(in crate::rules) mod seed_name_create_unauthorized;
pub(in crate::rules) mod seed_name_invalid;
pub(in crate::rules) mod seed_not_found;
pub(in crate::rules) mod seed_selector_change;
pub(in crate::rules) mod seed_selector_invalid;
pub(in crate::rules) mod seed_taints_not_tolerated;
pub(in crate::rules) mod seed_zones_for_zone_ha;

use crate::engine::Rule;

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
