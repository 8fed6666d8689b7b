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
