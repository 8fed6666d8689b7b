//! Worker pools: update strategies, numbers of machines, and immutable fields.

mod in_place_feature_gate;
mod in_place_immutable;
mod in_place_immutable_while_switching;
mod in_place_node_local_dns_toggle;
mod in_place_operations;
mod in_place_update_pending;
mod in_place_versions;
pub(in crate::rules) mod pool_pairs;
mod reserved_taint_key;
mod update_strategy_transition;
pub(in crate::rules::shoot) mod whole_pool;
mod worker_machine_controller_manager;
mod worker_pools_removed;
mod worker_pools_roll;
mod worker_surge;
mod worker_surge_below_zones;
pub(in crate::rules) mod worker_update_strategy_default;
mod worker_update_strategy_unsupported;
mod worker_zone_maximum_lowered;
mod worker_zones_changed;
mod zone_shares;

use crate::admission::Rule;

pub(in crate::rules) const RULES: &[&Rule] = &[
    &worker_update_strategy_default::RULE,
    &reserved_taint_key::RULE,
    &worker_update_strategy_unsupported::RULE,
    &worker_surge::RULE,
    &worker_surge_below_zones::RULE,
    &worker_machine_controller_manager::RULE,
    &in_place_feature_gate::RULE,
    &update_strategy_transition::RULE,
    &in_place_immutable::RULE,
    &in_place_immutable_while_switching::RULE,
    &in_place_versions::RULE,
    &in_place_node_local_dns_toggle::RULE,
    &in_place_update_pending::RULE,
    &in_place_operations::RULE,
    &worker_pools_roll::RULE,
    &worker_pools_removed::RULE,
    &worker_zone_maximum_lowered::RULE,
    &worker_zones_changed::RULE,
];
