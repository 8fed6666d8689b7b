//! Rules about Shoots.

mod addresses;
mod cleanup;
mod encryption;
mod node_network;
pub(super) mod offer;
mod offered_images;
mod offered_kubernetes;
mod placement;
mod pools;
pub(super) mod prefix;
mod scheduling;
mod whole_pool;

use std::sync::Arc;

use crate::engine::{Context, ErrorType, FieldPath, Findings, Offence, finding_kinds};
use crate::garden::Lookup;
use crate::model::Project;

rules! {
    RULES:
    tolerations_default,
    exposureclass_scheduling,
    wake_up_tasks,
    deletion_confirmed_by,
    dropped_fields,
    worker_update_strategy_default,
    kubernetes_version_default,
    worker_architecture_default,
    machine_image_default,
    profile_missing,
    tolerations_invalid,
    toleration_not_whitelisted,
    self_hosted_verb,
    spec_frozen_when_deleting,
    kubernetes_version_required,
    kubernetes_version_change,
    worker_kubernetes_version_change,
    worker_kubernetes_version_skew,
    machine_image_required,
    profile_change,
    kubernetes_version_unsupported,
    worker_kubernetes_version_unsupported,
    machine_image_unsupported,
    machine_image_capabilities,
    machine_image_kubelet_constraint,
    machine_image_cri,
    hibernation,
    hibernated_change,
    operation,
    force_deletion,
    finalizer_on_create,
    immutable_fields,
    status_immutable,
    purpose_unsupported,
    exposureclass_name_invalid,
    exposureclass_missing,
    reserved_taint_key,
    cleanup_period_invalid,
    cleanup_annotation,
    rotation_due,
    deprecated_fields,
    status_label_stale,
    hibernation_constraint,
    finalizer_removal,
    deletion_not_confirmed,
    worker_update_strategy_unsupported,
    worker_surge,
    worker_machine_controller_manager,
    in_place_feature_gate,
    update_strategy_transition,
    in_place_immutable,
    in_place_immutable_while_switching,
    in_place_versions,
    in_place_node_local_dns_toggle,
    in_place_update_pending,
    in_place_operations,
    in_place_image,
    worker_pools_roll,
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
    migration_prerequisites,
    seed_selector_change,
    spec_change_during_migration,
    delete_during_migration,
    seed_zones_for_zone_ha,
    deleting_seed_frozen,
    networks_vs_seed,
    access_restrictions,
    control_plane_zones_vs_seed,
    live_migration,
    no_seed_accepts,
}

finding_kinds! {
    pub(super) PROJECT_MISSING = "shoot/project-missing": "no Project owns the Shoot's namespace",
}

/// The Project that owns the Shoot's namespace; if there is none, or none is known, the findings say so.
///
/// Mirrors ProjectForNamespaceFromLister in `plugin/pkg/utils/project.go`.
pub(super) fn project_of(context: &Context<'_>, findings: &mut Findings) -> Option<Arc<Project>> {
    let namespace = &context.request.namespace;
    let path = FieldPath::new("metadata.namespace");
    match context.project_of_namespace(namespace) {
        Lookup::Found(project) => Some(project),
        Lookup::Absent | Lookup::Unconfirmed => {
            let message = format!("no Project owns namespace `{namespace}`");
            let offence = Offence::new(&PROJECT_MISSING, ErrorType::Forbidden, path, message)
                .value(namespace.clone());
            findings.add(
                offence.help("create the Project first, or use the namespace of an existing one"),
            );
            None
        }
        Lookup::Unknown(why) => {
            let message = format!("cannot tell which Project owns namespace `{namespace}`: {why}");
            findings.undetermined(&path, message);
            None
        }
    }
}
