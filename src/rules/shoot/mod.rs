//! Rules about Shoots.

mod change;
pub(in crate::rules) mod deletion;
pub(in crate::rules) mod deprecated_fields;
pub(in crate::rules) mod dropped_fields;
pub(in crate::rules) mod exposure;
pub(in crate::rules) mod images;
pub(in crate::rules) mod immutable_fields;
pub(in crate::rules) mod migration;
mod node_network;
pub(in crate::rules) mod operation;
pub(in crate::rules) mod pools;
pub(in crate::rules) mod profile_change;
pub(in crate::rules) mod profile_missing;
pub(in crate::rules) mod purpose_unsupported;
pub(in crate::rules) mod rotation_due;
pub(in crate::rules) mod seed;
pub(in crate::rules) mod self_hosted_verb;
pub(in crate::rules) mod sleep;
pub(in crate::rules) mod status_immutable;
pub(in crate::rules) mod status_label_stale;
pub(in crate::rules) mod tolerations;
pub(in crate::rules) mod versions;

use crate::engine::Rule;

/// The rules of all rooms, in the order in which they run.
pub(in crate::rules) const RULES: &[&Rule] = &[
    &tolerations::tolerations_default::RULE,
    &exposure::exposureclass_scheduling::RULE,
    &sleep::wake_up_tasks::RULE,
    &deletion::deletion_confirmed_by::RULE,
    &dropped_fields::RULE,
    &pools::worker_update_strategy_default::RULE,
    &versions::kubernetes_version_default::RULE,
    &images::worker_architecture_default::RULE,
    &images::machine_image_default::RULE,
    &profile_missing::RULE,
    &tolerations::tolerations_invalid::RULE,
    &tolerations::toleration_not_whitelisted::RULE,
    &self_hosted_verb::RULE,
    &deletion::spec_frozen_when_deleting::RULE,
    &versions::kubernetes_version_required::RULE,
    &versions::kubernetes_version_change::RULE,
    &versions::worker_kubernetes_version_change::RULE,
    &versions::worker_kubernetes_version_skew::RULE,
    &images::machine_image_required::RULE,
    &profile_change::RULE,
    &versions::kubernetes_version_unsupported::RULE,
    &versions::worker_kubernetes_version_unsupported::RULE,
    &images::machine_image_unsupported::RULE,
    &images::machine_image_capabilities::RULE,
    &images::machine_image_kubelet_constraint::RULE,
    &images::machine_image_cri::RULE,
    &sleep::hibernation::RULE,
    &sleep::hibernated_change::RULE,
    &operation::RULE,
    &deletion::force_deletion::RULE,
    &deletion::finalizer_on_create::RULE,
    &immutable_fields::RULE,
    &status_immutable::RULE,
    &purpose_unsupported::RULE,
    &exposure::exposureclass_name_invalid::RULE,
    &exposure::exposureclass_missing::RULE,
    &pools::reserved_taint_key::RULE,
    &deletion::cleanup_period_invalid::RULE,
    &deletion::cleanup_annotation::RULE,
    &rotation_due::RULE,
    &deprecated_fields::RULE,
    &status_label_stale::RULE,
    &sleep::hibernation_constraint::RULE,
    &deletion::finalizer_removal::RULE,
    &deletion::deletion_not_confirmed::RULE,
    &pools::worker_update_strategy_unsupported::RULE,
    &pools::worker_surge::RULE,
    &pools::worker_machine_controller_manager::RULE,
    &pools::in_place_feature_gate::RULE,
    &pools::update_strategy_transition::RULE,
    &pools::in_place_immutable::RULE,
    &pools::in_place_immutable_while_switching::RULE,
    &pools::in_place_versions::RULE,
    &pools::in_place_node_local_dns_toggle::RULE,
    &pools::in_place_update_pending::RULE,
    &pools::in_place_operations::RULE,
    &images::in_place_image::RULE,
    &pools::worker_pools_roll::RULE,
    &seed::seed_name_invalid::RULE,
    &seed::seed_selector_invalid::RULE,
    &seed::scheduler_name_invalid::RULE,
    &seed::control_plane_zones_invalid::RULE,
    &seed::seed_not_found::RULE,
    &seed::seed_name_create_unauthorized::RULE,
    &seed::seed_name_change::RULE,
    &seed::seed_deleting::RULE,
    &seed::seed_taints_not_tolerated::RULE,
    &seed::seed_access_restrictions::RULE,
    &seed::seed_capacity::RULE,
    &seed::cp_seed_selector::RULE,
    &migration::migration_prerequisites::RULE,
    &seed::seed_selector_change::RULE,
    &migration::spec_change_during_migration::RULE,
    &migration::delete_during_migration::RULE,
    &seed::seed_zones_for_zone_ha::RULE,
    &seed::deleting_seed_frozen::RULE,
    &seed::networks_vs_seed::RULE,
    &seed::access_restrictions::RULE,
    &seed::control_plane_zones_vs_seed::RULE,
    &migration::live_migration::RULE,
    &seed::no_seed_accepts::RULE,
];
