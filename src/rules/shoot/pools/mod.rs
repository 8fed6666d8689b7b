//! Pools of workers: how they are updated, how many machines they have, and what may not change.

pub(in crate::rules) mod in_place_feature_gate;
pub(in crate::rules) mod in_place_immutable;
pub(in crate::rules) mod in_place_immutable_while_switching;
pub(in crate::rules) mod in_place_node_local_dns_toggle;
pub(in crate::rules) mod in_place_operations;
pub(in crate::rules) mod in_place_update_pending;
pub(in crate::rules) mod in_place_versions;
pub(in crate::rules::shoot) mod pairs;
pub(in crate::rules) mod reserved_taint_key;
mod shares;
pub(in crate::rules) mod update_strategy_transition;
pub(in crate::rules::shoot) mod whole_pool;
pub(in crate::rules) mod worker_machine_controller_manager;
pub(in crate::rules) mod worker_pools_removed;
pub(in crate::rules) mod worker_pools_roll;
pub(in crate::rules) mod worker_surge;
pub(in crate::rules) mod worker_surge_below_zones;
pub(in crate::rules) mod worker_update_strategy_default;
pub(in crate::rules) mod worker_update_strategy_unsupported;
pub(in crate::rules) mod worker_zone_maximum_lowered;

use crate::engine::Rule;

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
];
