//! Where the control plane lives.

pub(in crate::rules::shoot) mod addresses;
pub(in crate::rules::shoot) mod placement;
pub(in crate::rules::shoot) mod scheduling;

rules! {
    RULES:
    seed_name_invalid,
    seed_selector_invalid,
    scheduler_name_invalid,
    control_plane_zones_invalid,
    seed_not_found,
    seed_name_create_unauthorized,
    seed_name_change,
    seed_deleting,
    seed_taints_not_tolerated,
    seed_access_restrictions,
    seed_capacity,
    cp_seed_selector,
    seed_selector_change,
    seed_zones_for_zone_ha,
    deleting_seed_frozen,
    networks_vs_seed,
    access_restrictions,
    control_plane_zones_vs_seed,
    no_seed_accepts,
}
