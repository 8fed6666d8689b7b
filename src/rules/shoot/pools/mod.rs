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
pub(in crate::rules) mod update_strategy_transition;
pub(in crate::rules::shoot) mod whole_pool;
pub(in crate::rules) mod worker_machine_controller_manager;
pub(in crate::rules) mod worker_pools_roll;
pub(in crate::rules) mod worker_surge;
pub(in crate::rules) mod worker_update_strategy_default;
pub(in crate::rules) mod worker_update_strategy_unsupported;
