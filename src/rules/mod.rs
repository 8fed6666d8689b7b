//! Every rule, in the order in which they run: first those that change objects, then those that judge them.

mod advice;
pub mod catalogue;
mod cloud_profile;
mod confirmation;
mod namespaced_cloud_profile;
mod profiles;
mod project;
mod seed;
mod shoot;
mod shoot_state;
mod tolerations;
mod verbs;
mod webhook_config;
mod workload;

use crate::engine::Rule;

/// All rules. Mutating rules come first, in the order of Gardener's plugins; they build on each other.
pub static ALL: &[&Rule] = &[
    &shoot::tolerations_default::RULE,
    &shoot::exposureclass_scheduling::RULE,
    &shoot::wake_up_tasks::RULE,
    &shoot::deletion_confirmed_by::RULE,
    &shoot::dropped_fields::RULE,
    &shoot::worker_update_strategy_default::RULE,
    &advice::prefix_resolves_on_every_write::RULE,
    &shoot::kubernetes_version_default::RULE,
    &shoot::worker_architecture_default::RULE,
    &shoot::machine_image_default::RULE,
    &project::owner_defaulting::RULE,
    &cloud_profile::new_version_expired::RULE,
    &cloud_profile::drop_inactive_versions::RULE,
    &namespaced_cloud_profile::new_version_expired::RULE,
    &namespaced_cloud_profile::drop_inactive_versions::RULE,
    &shoot::profile_missing::RULE,
    &shoot::tolerations_invalid::RULE,
    &shoot::toleration_not_whitelisted::RULE,
    &shoot::self_hosted_verb::RULE,
    &shoot::spec_frozen_when_deleting::RULE,
    &shoot::kubernetes_version_required::RULE,
    &shoot::kubernetes_version_change::RULE,
    &shoot::worker_kubernetes_version_change::RULE,
    &shoot::worker_kubernetes_version_skew::RULE,
    &shoot::machine_image_required::RULE,
    &shoot::profile_change::RULE,
    &shoot::kubernetes_version_unsupported::RULE,
    &shoot::worker_kubernetes_version_unsupported::RULE,
    &shoot::machine_image_unsupported::RULE,
    &shoot::machine_image_capabilities::RULE,
    &shoot::machine_image_kubelet_constraint::RULE,
    &shoot::machine_image_cri::RULE,
    &shoot::hibernation::RULE,
    &shoot::hibernated_change::RULE,
    &shoot::operation::RULE,
    &shoot::force_deletion::RULE,
    &shoot::finalizer_on_create::RULE,
    &shoot::immutable_fields::RULE,
    &shoot::status_immutable::RULE,
    &shoot::purpose_unsupported::RULE,
    &shoot::reserved_taint_key::RULE,
    &shoot::cleanup_period_invalid::RULE,
    &shoot::cleanup_annotation::RULE,
    &shoot::rotation_due::RULE,
    &shoot::deprecated_fields::RULE,
    &shoot::status_label_stale::RULE,
    &shoot::hibernation_constraint::RULE,
    &shoot::finalizer_removal::RULE,
    &shoot::deletion_not_confirmed::RULE,
    &shoot::hibernation_schedule_blocked::RULE,
    &shoot::worker_update_strategy_unsupported::RULE,
    &shoot::worker_surge::RULE,
    &shoot::worker_machine_controller_manager::RULE,
    &shoot::in_place_feature_gate::RULE,
    &shoot::update_strategy_transition::RULE,
    &shoot::in_place_immutable::RULE,
    &shoot::in_place_immutable_while_switching::RULE,
    &shoot::in_place_versions::RULE,
    &shoot::in_place_node_local_dns_toggle::RULE,
    &shoot::in_place_update_pending::RULE,
    &shoot::in_place_operations::RULE,
    &shoot::in_place_image::RULE,
    &shoot::worker_pools_roll::RULE,
    &advice::version_expiring::RULE,
    &advice::version_expired_in_use::RULE,
    &advice::version_deprecated::RULE,
    &advice::version_preview::RULE,
    &project::tolerations_invalid::RULE,
    &project::immutable_fields::RULE,
    &project::deletion_not_confirmed::RULE,
    &project::whitelist_verb::RULE,
    &project::members_verb::RULE,
    &project::owner_verb::RULE,
    &cloud_profile::kubernetes_versions::RULE,
    &cloud_profile::lifecycle::RULE,
    &cloud_profile::supported_overlap::RULE,
    &cloud_profile::version_turned_unavailable::RULE,
    &cloud_profile::machine_images::RULE,
    &cloud_profile::machine_image_compatibility::RULE,
    &cloud_profile::bastion_image::RULE,
    &cloud_profile::limits::RULE,
    &cloud_profile::version_in_use::RULE,
    &cloud_profile::kubernetes_version_in_use_by_pool::RULE,
    &cloud_profile::capability_in_use::RULE,
    &cloud_profile::limit_below_shoot_minimum::RULE,
    &advice::supported_ambiguous::RULE,
    &advice::minor_gap::RULE,
    &advice::forces_shoots::RULE,
    &advice::bastion_expiry::RULE,
    &advice::override_forces_shoots::RULE,
    &namespaced_cloud_profile::parent::RULE,
    &namespaced_cloud_profile::kubernetes_versions::RULE,
    &namespaced_cloud_profile::machine_images::RULE,
    &namespaced_cloud_profile::parent_missing::RULE,
    &namespaced_cloud_profile::kubernetes_overrides::RULE,
    &namespaced_cloud_profile::machine_image_overrides::RULE,
    &namespaced_cloud_profile::merged_invalid::RULE,
    &namespaced_cloud_profile::version_in_use::RULE,
    &namespaced_cloud_profile::limit_below_shoot_minimum::RULE,
    &namespaced_cloud_profile::kubernetes_verb::RULE,
    &namespaced_cloud_profile::machineimages_verb::RULE,
    &namespaced_cloud_profile::providerconfig_verb::RULE,
    &seed::operation::RULE,
    &shoot_state::deletion_not_confirmed::RULE,
    &webhook_config::problematic::RULE,
    &webhook_config::remediation_preview::RULE,
    &workload::critical_component::RULE,
];

/// The rule with this id.
#[must_use]
pub fn find(id: &str) -> Option<&'static Rule> {
    ALL.iter().copied().find(|rule| rule.id == id)
}
