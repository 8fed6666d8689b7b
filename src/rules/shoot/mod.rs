//! Rules about Shoots.

pub(super) mod access_restrictions;
mod addresses;
mod cleanup;
pub(super) mod cleanup_annotation;
pub(super) mod cleanup_period_invalid;
pub(super) mod control_plane_zones_invalid;
pub(super) mod control_plane_zones_vs_seed;
pub(super) mod cp_seed_selector;
pub(super) mod delete_during_migration;
pub(super) mod deleting_seed_frozen;
pub(super) mod deletion_confirmed_by;
pub(super) mod deletion_not_confirmed;
pub(super) mod deprecated_fields;
pub(super) mod dropped_fields;
mod encryption;
pub(super) mod exposureclass_missing;
pub(super) mod exposureclass_name_invalid;
pub(super) mod exposureclass_scheduling;
pub(super) mod finalizer_on_create;
pub(super) mod finalizer_removal;
pub(super) mod force_deletion;
pub(super) mod hibernated_change;
pub(super) mod hibernation;
pub(super) mod hibernation_constraint;
pub(super) mod immutable_fields;
pub(super) mod in_place_feature_gate;
pub(super) mod in_place_image;
pub(super) mod in_place_immutable;
pub(super) mod in_place_immutable_while_switching;
pub(super) mod in_place_node_local_dns_toggle;
pub(super) mod in_place_operations;
pub(super) mod in_place_update_pending;
pub(super) mod in_place_versions;
pub(super) mod kubernetes_version_change;
pub(super) mod kubernetes_version_default;
pub(super) mod kubernetes_version_required;
pub(super) mod kubernetes_version_unsupported;
pub(super) mod live_migration;
pub(super) mod machine_image_capabilities;
pub(super) mod machine_image_cri;
pub(super) mod machine_image_default;
pub(super) mod machine_image_kubelet_constraint;
pub(super) mod machine_image_required;
pub(super) mod machine_image_unsupported;
pub(super) mod migration_prerequisites;
pub(super) mod networks_vs_seed;
pub(super) mod no_seed_accepts;
mod node_network;
pub(super) mod offer;
mod offered_images;
mod offered_kubernetes;
pub(super) mod operation;
mod placement;
mod pools;
pub(super) mod profile_change;
pub(super) mod profile_missing;
pub(super) mod purpose_unsupported;
pub(super) mod reserved_taint_key;
pub(super) mod rotation_due;
pub(super) mod scheduler_name_invalid;
mod scheduling;
pub(super) mod seed_access_restrictions;
pub(super) mod seed_capacity;
pub(super) mod seed_deleting;
pub(super) mod seed_name_change;
pub(super) mod seed_name_create_unauthorized;
pub(super) mod seed_name_invalid;
pub(super) mod seed_not_found;
pub(super) mod seed_selector_change;
pub(super) mod seed_selector_invalid;
pub(super) mod seed_taints_not_tolerated;
pub(super) mod seed_zones_for_zone_ha;
pub(super) mod self_hosted_verb;
pub(super) mod spec_change_during_migration;
pub(super) mod spec_frozen_when_deleting;
pub(super) mod status_immutable;
pub(super) mod status_label_stale;
pub(super) mod toleration_not_whitelisted;
pub(super) mod tolerations_default;
pub(super) mod tolerations_invalid;
pub(super) mod update_strategy_transition;
pub(super) mod wake_up_tasks;
mod whole_pool;
pub(super) mod worker_architecture_default;
pub(super) mod worker_kubernetes_version_change;
pub(super) mod worker_kubernetes_version_skew;
pub(super) mod worker_kubernetes_version_unsupported;
pub(super) mod worker_machine_controller_manager;
pub(super) mod worker_pools_roll;
pub(super) mod worker_surge;
pub(super) mod worker_update_strategy_default;
pub(super) mod worker_update_strategy_unsupported;

pub(super) mod prefix;

use std::sync::Arc;

use crate::engine::{Context, ErrorType, FieldPath, Findings, Offence, finding_kinds};
use crate::garden::Lookup;
use crate::model::Project;

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
