use std::collections::BTreeSet;

use jiff::Timestamp;
use serde::Deserialize;

use crate::model::{bounded, null_is_default, time::time};

/// Observed address ranges of a Shoot.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct ShootNetworkingStatus {
    /// The ranges of the nodes.
    #[serde(default, deserialize_with = "null_is_default")]
    pub nodes: Vec<String>,
    /// The ranges of the pods.
    #[serde(default, deserialize_with = "null_is_default")]
    pub pods: Vec<String>,
    /// The ranges of the services.
    #[serde(default, deserialize_with = "null_is_default")]
    pub services: Vec<String>,
}

/// The status that Gardener reports for a [`Shoot`](crate::model::Shoot).
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ShootStatus {
    /// Conditions for certain operations, such as hibernation.
    #[serde(default, deserialize_with = "bounded::list")]
    pub constraints: Vec<Condition>,
    /// The health of the cluster.
    #[serde(default, deserialize_with = "bounded::list")]
    pub conditions: Vec<Condition>,
    /// Whether the cluster is hibernated, or has not woken up completely.
    #[serde(default, deserialize_with = "null_is_default", rename = "hibernated")]
    pub is_hibernated: bool,
    /// The last operation of Gardener.
    pub last_operation: Option<LastOperation>,
    /// The errors of that operation.
    #[serde(default, deserialize_with = "bounded::list")]
    pub last_errors: Vec<LastError>,
    /// The name of everything that belongs to the Shoot on its seed; empty before the first reconciliation.
    #[serde(default, deserialize_with = "null_is_default", rename = "technicalID")]
    pub technical_id: String,
    /// The unique id, which distinguishes Shoots of the same name.
    #[serde(default, deserialize_with = "null_is_default")]
    pub uid: String,
    /// Identifies the cluster.
    pub cluster_identity: Option<String>,
    /// The state of its credentials.
    #[serde(default, deserialize_with = "null_is_default")]
    pub credentials: ShootCredentials,
    /// Updates of workers in place.
    pub in_place_updates: Option<InPlaceUpdatesStatus>,
    /// The seed that currently hosts the control plane.
    pub seed_name: Option<String>,
    /// Address ranges.
    pub networking: Option<ShootNetworkingStatus>,
}

/// A condition that is true, false or unknown.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Condition {
    /// The subject of the condition.
    #[serde(default, deserialize_with = "null_is_default", rename = "type")]
    pub kind: String,
    /// `True`, `False`, `Progressing` or `Unknown`.
    #[serde(default, deserialize_with = "null_is_default")]
    pub status: String,
    /// The reason, for users.
    #[serde(default, deserialize_with = "null_is_default")]
    pub message: String,
    /// The time of the last change of the status.
    #[serde(default, deserialize_with = "time")]
    pub last_transition_time: Option<Timestamp>,
}

/// An operation of Gardener on a Shoot.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
pub struct LastOperation {
    /// `Create`, `Reconcile`, `Delete`, `Migrate` or `Restore`.
    #[serde(default, deserialize_with = "null_is_default", rename = "type")]
    pub kind: String,
    /// `Processing`, `Succeeded`, `Error`, `Failed`, `Pending` or `Aborted`.
    #[serde(default, deserialize_with = "null_is_default")]
    pub state: String,
    /// The progress in percent.
    #[serde(default, deserialize_with = "null_is_default")]
    pub progress: i32,
}

/// An error of the last operation.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct LastError {
    /// The error codes.
    #[serde(default, deserialize_with = "null_is_default")]
    pub codes: Vec<String>,
}

/// The state of the credentials of a Shoot.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ShootCredentials {
    /// Rotations that were started; absent before the first one.
    pub rotation: Option<Box<ShootRotations>>,
    /// The resources that are currently encrypted.
    #[serde(default, deserialize_with = "null_is_default")]
    pub encryption_at_rest: EncryptionAtRest,
}

/// The resources that are currently encrypted at rest.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct EncryptionAtRest {
    /// Resources as `resource.group`.
    #[serde(default, deserialize_with = "null_is_default")]
    pub resources: Vec<String>,
    /// The encryption provider.
    #[serde(default, deserialize_with = "null_is_default")]
    pub provider: EncryptionAtRestProvider,
}

/// The provider with which resources are currently encrypted.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct EncryptionAtRestProvider {
    /// The type; empty if it is not reported.
    #[serde(default, deserialize_with = "null_is_default", rename = "type")]
    pub kind: String,
}

/// The rotations of all kinds of credentials.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ShootRotations {
    /// Certificate authorities.
    pub certificate_authorities: Option<Rotation>,
    /// The key with which data is encrypted at rest.
    pub etcd_encryption_key: Option<Rotation>,
    /// The key that signs tokens of service accounts.
    pub service_account_key: Option<Rotation>,
    /// The key pair for access to nodes.
    pub ssh_keypair: Option<Rotation>,
    /// Passwords of the observability tools.
    pub observability: Option<Rotation>,
}

/// The rotation of one kind of credentials.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Rotation {
    /// Empty or `Completed` if no rotation is in progress.
    #[serde(default, deserialize_with = "bounded::short_text")]
    pub phase: String,
    /// The start of the last rotation.
    #[serde(default, deserialize_with = "time")]
    pub last_initiation_time: Option<Timestamp>,
    /// The end of its first part.
    #[serde(default, deserialize_with = "time")]
    pub last_initiation_finished_time: Option<Timestamp>,
    /// The request for its second part.
    #[serde(default, deserialize_with = "time")]
    pub last_completion_triggered_time: Option<Timestamp>,
    /// Pools that still have the old credentials.
    #[serde(default, deserialize_with = "bounded::list")]
    pub pending_workers_rollouts: Vec<PendingWorkersRollout>,
}

/// A pool whose nodes still have the credentials from before a rotation.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PendingWorkersRollout {
    /// The pool.
    #[serde(default, deserialize_with = "null_is_default")]
    pub name: String,
    /// The start of the preceding rotation.
    #[serde(default, deserialize_with = "time")]
    pub last_initiation_time: Option<Timestamp>,
}

/// Updates of workers in place.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct InPlaceUpdatesStatus {
    /// Pools that have not been updated yet.
    pub pending_worker_updates: Option<PendingWorkerUpdates>,
}

/// Pools that have not been updated yet.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PendingWorkerUpdates {
    /// Pools with the strategy `AutoInPlaceUpdate`.
    #[serde(default, deserialize_with = "null_is_default")]
    pub auto_in_place_update: Vec<String>,
    /// Pools with the strategy `ManualInPlaceUpdate`.
    #[serde(default, deserialize_with = "null_is_default")]
    pub manual_in_place_update: Vec<String>,
}

impl ShootStatus {
    /// Returns the first constraint of a type.
    #[must_use]
    pub fn constraint(&self, kind: &str) -> Option<&Condition> {
        self.constraints
            .iter()
            .find(|constraint| constraint.kind == kind)
    }

    /// Returns the phase of the rotation that `select` picks; empty if there is none.
    pub fn phase(&self, select: fn(&ShootRotations) -> Option<&Rotation>) -> &str {
        let rotation = self.credentials.rotation.as_deref().and_then(select);
        rotation.map_or("", |rotation| &rotation.phase)
    }

    /// Returns every error code, sorted.
    #[must_use]
    pub fn error_codes(&self) -> BTreeSet<&str> {
        let codes = self.last_errors.iter().flat_map(|error| &error.codes);
        codes.map(String::as_str).collect()
    }
}
