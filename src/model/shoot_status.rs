use jiff::Timestamp;
use serde::Deserialize;

use super::null_is_default;

/// The observed state of a Shoot.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ShootStatus {
    /// Updates of nodes that keep their machine.
    pub in_place_updates: Option<InPlaceUpdatesStatus>,
    /// The credentials of the cluster.
    #[serde(default, deserialize_with = "null_is_default")]
    pub credentials: ShootCredentials,
}

/// Updates of nodes that keep their machine.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct InPlaceUpdatesStatus {
    /// The pools with nodes still to be updated.
    pub pending_worker_updates: Option<PendingWorkerUpdates>,
}

/// The names of pools with nodes still to be updated in place.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PendingWorkerUpdates {
    /// Pools that are updated on their own.
    #[serde(default, deserialize_with = "null_is_default")]
    pub auto_in_place_update: Vec<String>,
    /// Pools whose nodes must be selected.
    #[serde(default, deserialize_with = "null_is_default")]
    pub manual_in_place_update: Vec<String>,
}

/// The credentials of the cluster.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct ShootCredentials {
    /// Where their rotations stand.
    #[serde(default, deserialize_with = "null_is_default")]
    pub rotation: ShootRotations,
}

/// Where rotations stand that reach the nodes.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ShootRotations {
    /// Of the certificate authorities.
    pub certificate_authorities: Option<NodeRotation>,
    /// Of the key that signs service account tokens.
    pub service_account_key: Option<NodeRotation>,
}

/// Where a rotation stands that reaches the nodes.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NodeRotation {
    /// `Preparing`, `WaitingForWorkersRollout`, …; empty if none was ever started.
    #[serde(default, deserialize_with = "null_is_default")]
    pub phase: String,
    /// When it was last started.
    pub last_initiation_time: Option<Timestamp>,
    /// Pools that still have what was before, with the time that holds for them.
    #[serde(default, deserialize_with = "null_is_default")]
    pub pending_workers_rollouts: Vec<PendingWorkersRollout>,
}

/// A pool whose nodes still have the credentials from before a rotation.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PendingWorkersRollout {
    /// The pool.
    #[serde(default, deserialize_with = "null_is_default")]
    pub name: String,
    /// When the rotation before was started.
    pub last_initiation_time: Option<Timestamp>,
}
