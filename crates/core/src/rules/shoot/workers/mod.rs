// SPDX-License-Identifier: Apache-2.0
//! Worker pools: update strategies, numbers of machines, and immutable fields.

mod in_place;
pub(crate) mod pool_pairs;
mod reserved_taint_key;
pub(crate) mod update_strategy;
pub(crate) mod whole_pool;
mod worker_machine_controller_manager;
mod worker_pools_removed;
mod worker_pools_roll;
mod worker_surge;
mod zones;

use crate::admission::Rule;

pub(crate) const RULES: &[&Rule] = &[
    &update_strategy::worker_update_strategy_default::RULE,
    &reserved_taint_key::RULE,
    &update_strategy::worker_update_strategy_unsupported::RULE,
    &worker_surge::RULE,
    &zones::worker_surge_below_zones::RULE,
    &worker_machine_controller_manager::RULE,
    &in_place::in_place_feature_gate::RULE,
    &update_strategy::update_strategy_transition::RULE,
    &in_place::in_place_immutable::RULE,
    &in_place::in_place_immutable_while_switching::RULE,
    &in_place::in_place_versions::RULE,
    &in_place::in_place_node_local_dns_toggle::RULE,
    &in_place::in_place_update_pending::RULE,
    &in_place::in_place_operations::RULE,
    &worker_pools_roll::RULE,
    &worker_pools_removed::RULE,
    &zones::worker_zone_maximum_lowered::RULE,
    &zones::worker_zones_changed::RULE,
];
