//! Pools of workers: how they are updated, how many machines they have, and what may not change.

pub(in crate::rules::shoot) mod pairs;
mod shares;
pub(in crate::rules::shoot) mod whole_pool;

rules! {
    RULES:
    worker_update_strategy_default,
    reserved_taint_key,
    worker_update_strategy_unsupported,
    worker_surge,
    worker_surge_below_zones,
    worker_machine_controller_manager,
    in_place_feature_gate,
    update_strategy_transition,
    in_place_immutable,
    in_place_immutable_while_switching,
    in_place_versions,
    in_place_node_local_dns_toggle,
    in_place_update_pending,
    in_place_operations,
    worker_pools_roll,
    worker_pools_removed,
    worker_zone_maximum_lowered,
}
