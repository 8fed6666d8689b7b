// SPDX-License-Identifier: Apache-2.0
use serde_json::Value;

use super::BindingMigration;
use super::removed::{Removed, remove_unknown};
use super::reservations::move_reservations;
use garden_gate_core::admission::World;
use garden_gate_model::api::Versions;
use garden_gate_model::gardener::version::maintenance::{Outcome, Run};
use garden_gate_text::go::is_at_least;

/// A Shoot after a maintenance run.
#[derive(Clone, Debug)]
pub struct MaintainedShoot {
    /// The object as maintenance sends it to the API server.
    pub shoot: Value,
    /// Values that the run removes, because the Kubernetes version does not support them.
    pub removed: Vec<Removed>,
    /// The replacement of the Shoot's SecretBinding; `None` if the run replaces none.
    pub migration: Option<BindingMigration>,
    /// Whether the run disables the add-on `nginxIngress`.
    pub disables_ingress: bool,
}

/// A field that is removed in the step to a Kubernetes version.
struct Dropped {
    /// The Kubernetes minor version from which on the field is unsupported.
    minor: u64,
    pointer: &'static str,
    /// The versions of Gardener whose maintenance removes it.
    gardener: Versions,
}

const DROPPED: [Dropped; 8] = [
    Dropped {
        gardener: Versions::until(140),
        ..Dropped::new(31, "/spec/kubernetes/kubeAPIServer/oidcConfig/clientAuthentication")
    },
    Dropped {
        gardener: Versions::until(141),
        ..Dropped::new(32, "/spec/kubernetes/kubeAPIServer/oidcConfig")
    },
    Dropped::new(33, "/spec/kubernetes/kubeControllerManager/podEvictionTimeout"),
    Dropped::new(33, "/spec/kubernetes/clusterAutoscaler/maxEmptyBulkDelete"),
    Dropped::new(35, "/spec/kubernetes/kubeAPIServer/enableAnonymousAuthentication"),
    Dropped::new(35, "/spec/kubernetes/kubeScheduler/kubeMaxPDVols"),
    Dropped::new(35, "/spec/kubernetes/kubeAPIServer/watchCacheSizes/default"),
    Dropped::new(35, "/spec/addons"),
];

/// The versions of Gardener that add `systemReserved` to `kubeReserved` in the step to Kubernetes 1.31.
const MOVES_RESERVATIONS: Versions = Versions::until(140);

const INGRESS: &str = "/spec/addons/nginxIngress/enabled";

impl Dropped {
    const fn new(minor: u64, pointer: &'static str) -> Self {
        Self { minor, pointer, gardener: Versions::ALL }
    }
}

/// Returns the state of the stored Shoot `before` after a maintenance run.
///
/// `world` has the configuration and the CredentialsBindings that the run uses.
///
/// Mirrors maintainKubernetesVersion and the subsequent steps in
/// `pkg/controllermanager/controller/shoot/maintenance/reconciler.go`.
/// Excludes credential rotations and operations.
pub fn after(before: &Value, run: &Run, world: &World<'_>) -> MaintainedShoot {
    let mut shoot = before.clone();
    set_versions(&mut shoot, run);
    let (old, new) = (&run.kubernetes.from, run.kubernetes.after());
    let crosses = |minor| !is_at_least(old, 1, minor) && is_at_least(new, 1, minor);
    let mut dropped = drop_fields(&mut shoot, crosses, world);
    if MOVES_RESERVATIONS.contains(world.config.gardener_version) {
        dropped.extend(move_reservations(&mut shoot, crosses(31)));
    }
    let migration = if crosses(34) { migrate(&mut shoot, world) } else { None };
    let mut removed: Vec<Removed> =
        dropped.into_iter().map(|pointer| Removed { pointer, names: Vec::new() }).collect();
    removed.extend(remove_unknown(&mut shoot, world.config.gardener_version));
    let disables_ingress = disables_ingress(&shoot, world);
    if let (true, Some(enabled)) = (disables_ingress, shoot.pointer_mut(INGRESS)) {
        *enabled = Value::Bool(false);
    }
    MaintainedShoot { shoot, removed, migration, disables_ingress }
}

/// Reports whether a run disables the add-on `nginxIngress`, in each window. Mirrors maintainAddons.
pub(super) fn disables_ingress(shoot: &Value, world: &World<'_>) -> bool {
    world.config.feature_gates.disable_nginx_ingress_in_shoot
        && shoot.pointer(INGRESS) == Some(&Value::Bool(true))
}

fn set_versions(shoot: &mut Value, run: &Run) {
    set(shoot, "/spec/kubernetes", "version", &run.kubernetes);
    for (index, pool) in run.pools.iter().enumerate() {
        let at = format!("/spec/provider/workers/{index}");
        if let Some(own) = &pool.kubernetes {
            set(shoot, &format!("{at}/kubernetes"), "version", own);
        }
        if let Some(image) = &pool.image {
            set(shoot, &format!("{at}/machine/image"), "version", image);
        }
    }
}

fn set(shoot: &mut Value, parent: &str, field: &str, outcome: &Outcome) {
    if let (true, Some(Value::Object(parent))) = (outcome.is_updated(), shoot.pointer_mut(parent)) {
        parent.insert(field.to_owned(), outcome.after().into());
    }
}

/// Removes the fields that the new Kubernetes version does not support, and returns their pointers.
fn drop_fields(shoot: &mut Value, crosses: impl Fn(u64) -> bool, world: &World<'_>) -> Vec<String> {
    let gardener = world.config.gardener_version;
    let fields =
        DROPPED.iter().filter(|it| it.gardener.contains(gardener)).filter(|it| crosses(it.minor));
    let mut pointers: Vec<String> = fields.map(|it| it.pointer.to_owned()).collect();
    let providers =
        shoot.pointer("/spec/dns/providers").and_then(Value::as_array).map_or(0, Vec::len);
    if crosses(35) {
        let indexes = 0..providers;
        pointers.extend(indexes.map(|index| format!("/spec/dns/providers/{index}/secretName")));
    }
    pointers.retain(|pointer| drop_field(shoot, pointer));
    pointers
}

fn drop_field(shoot: &mut Value, pointer: &str) -> bool {
    let Some((parent, field)) = pointer.rsplit_once('/') else {
        return false;
    };
    let parent = shoot.pointer_mut(parent).and_then(Value::as_object_mut);
    let removed = parent.and_then(|parent| parent.remove(field));
    removed.is_some_and(|value| !value.is_null())
}

/// Replaces the SecretBinding of a Shoot that references no CredentialsBinding.
fn migrate(shoot: &mut Value, world: &World<'_>) -> Option<BindingMigration> {
    let namespace = shoot["metadata"]["namespace"].as_str().unwrap_or_default();
    let spec = &shoot["spec"];
    let bound = |field: &str| spec[field].as_str().filter(|name| !name.is_empty());
    let secret = bound("secretBindingName")?;
    if bound("credentialsBindingName").is_some() {
        return None;
    }
    let migration = BindingMigration::of(namespace, secret, world.garden);
    if let (Some(name), Some(spec)) = (migration.name(), shoot["spec"].as_object_mut()) {
        spec.remove("secretBindingName");
        spec.insert("credentialsBindingName".to_owned(), name.into());
    }
    Some(migration)
}
