use serde_json::Value;

use super::removed::{Removed, remove_unknown};
use crate::gardener::version::maintenance::{Outcome, Run};
use crate::go::is_at_least;

/// A Shoot after a maintenance run.
#[derive(Clone, Debug, PartialEq)]
pub struct MaintainedShoot {
    /// The object as maintenance sends it to the API server.
    pub shoot: Value,
    /// Values that the run removes, because the Kubernetes version does not support them.
    pub removed: Vec<Removed>,
    /// Whether the run replaces the Shoot's SecretBinding by a CredentialsBinding.
    ///
    /// This is not shown in `shoot`: the CredentialsBinding depends on the namespace's objects.
    pub migrates_secret_binding: bool,
}

/// Removed fields, with the Kubernetes minor version from which on they are unsupported.
const DROPPED: [(u64, &str); 6] = [
    (
        33,
        "/spec/kubernetes/kubeControllerManager/podEvictionTimeout",
    ),
    (33, "/spec/kubernetes/clusterAutoscaler/maxEmptyBulkDelete"),
    (
        35,
        "/spec/kubernetes/kubeAPIServer/enableAnonymousAuthentication",
    ),
    (35, "/spec/kubernetes/kubeScheduler/kubeMaxPDVols"),
    (35, "/spec/kubernetes/kubeAPIServer/watchCacheSizes/default"),
    (35, "/spec/addons"),
];

/// Returns the state of the stored Shoot `before` after a maintenance run.
///
/// Mirrors maintainKubernetesVersion and the subsequent steps in
/// `pkg/controllermanager/controller/shoot/maintenance/reconciler.go`.
/// Excludes credential rotations and operations.
#[must_use]
pub fn after(before: &Value, run: &Run) -> MaintainedShoot {
    let mut shoot = before.clone();
    set(&mut shoot, "/spec/kubernetes", "version", &run.kubernetes);
    for (index, pool) in run.pools.iter().enumerate() {
        let at = format!("/spec/provider/workers/{index}");
        if let Some(own) = &pool.kubernetes {
            set(&mut shoot, &format!("{at}/kubernetes"), "version", own);
        }
        if let Some(image) = &pool.image {
            set(&mut shoot, &format!("{at}/machine/image"), "version", image);
        }
    }
    let (old, new) = (&run.kubernetes.from, run.kubernetes.after());
    let crosses = |minor| !is_at_least(old, 1, minor) && is_at_least(new, 1, minor);
    let mut dropped = Vec::new();
    for (minor, pointer) in DROPPED {
        if crosses(minor) && drop_field(&mut shoot, pointer) {
            dropped.push(pointer.to_owned());
        }
    }
    let providers = shoot.pointer("/spec/dns/providers");
    let providers = providers.and_then(Value::as_array).map_or(0, Vec::len);
    for index in 0..providers {
        let pointer = format!("/spec/dns/providers/{index}/secretName");
        if crosses(35) && drop_field(&mut shoot, &pointer) {
            dropped.push(pointer);
        }
    }
    let dropped = dropped.into_iter().map(|pointer| Removed {
        pointer,
        names: Vec::new(),
    });
    let mut removed: Vec<Removed> = dropped.collect();
    removed.extend(remove_unknown(&mut shoot));
    let spec = &shoot["spec"];
    let bound = |field: &str| spec[field].as_str().is_some_and(|name| !name.is_empty());
    let migrates = crosses(34) && bound("secretBindingName") && !bound("credentialsBindingName");
    MaintainedShoot {
        shoot,
        removed,
        migrates_secret_binding: migrates,
    }
}

fn set(shoot: &mut Value, parent: &str, field: &str, outcome: &Outcome) {
    if let (true, Some(Value::Object(parent))) = (outcome.is_updated(), shoot.pointer_mut(parent)) {
        parent.insert(field.to_owned(), outcome.after().into());
    }
}

fn drop_field(shoot: &mut Value, pointer: &str) -> bool {
    let Some((parent, field)) = pointer.rsplit_once('/') else {
        return false;
    };
    let parent = shoot.pointer_mut(parent).and_then(Value::as_object_mut);
    let removed = parent.and_then(|parent| parent.remove(field));
    removed.is_some_and(|value| !value.is_null())
}
