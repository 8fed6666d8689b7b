use std::collections::BTreeSet;

use jiff::Timestamp;
use serde::Deserialize;

use crate::model::{bounded, null_is_default, time::time};

/// Address ranges of a Shoot as observed.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct ShootNetworkingStatus {
    /// Of the nodes.
    #[serde(default, deserialize_with = "null_is_default")]
    pub nodes: Vec<String>,
    /// Of the pods.
    #[serde(default, deserialize_with = "null_is_default")]
    pub pods: Vec<String>,
    /// Of the services.
    #[serde(default, deserialize_with = "null_is_default")]
    pub services: Vec<String>,
}

/// What Gardener reports about a [`Shoot`](crate::model::Shoot).
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ShootStatus {
    /// Whether certain operations are possible.
    #[serde(default, deserialize_with = "bounded::list")]
    pub constraints: Vec<Condition>,
    /// Whether the cluster is healthy.
    #[serde(default, deserialize_with = "bounded::list")]
    pub conditions: Vec<Condition>,
    /// Whether the cluster sleeps, or has not woken up completely.
    #[serde(default, deserialize_with = "null_is_default", rename = "hibernated")]
    pub is_hibernated: bool,
    /// What Gardener did last.
    pub last_operation: Option<LastOperation>,
    /// What went wrong then.
    #[serde(default, deserialize_with = "bounded::list")]
    pub last_errors: Vec<LastError>,
    /// The name of everything that belongs to the Shoot on its seed; empty before the first reconciliation.
    #[serde(default, deserialize_with = "null_is_default", rename = "technicalID")]
    pub technical_id: String,
    /// Tells Shoots of one name apart.
    #[serde(default, deserialize_with = "null_is_default")]
    pub uid: String,
    /// Identifies the cluster.
    pub cluster_identity: Option<String>,
    /// What is known about its credentials.
    #[serde(default, deserialize_with = "null_is_default")]
    pub credentials: ShootCredentials,
    /// Updates of workers in place.
    pub in_place_updates: Option<InPlaceUpdatesStatus>,
    /// The seed that hosts the control plane in fact.
    pub seed_name: Option<String>,
    /// Address ranges.
    pub networking: Option<ShootNetworkingStatus>,
}

/// Something that is, is not, or may be the case.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Condition {
    /// What it is about.
    #[serde(default, deserialize_with = "null_is_default", rename = "type")]
    pub kind: String,
    /// `True`, `False`, `Progressing` or `Unknown`.
    #[serde(default, deserialize_with = "null_is_default")]
    pub status: String,
    /// Why, for people.
    #[serde(default, deserialize_with = "null_is_default")]
    pub message: String,
    /// When the status became what it is.
    #[serde(default, deserialize_with = "time")]
    pub last_transition_time: Option<Timestamp>,
}

/// What Gardener does or did with a Shoot.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
pub struct LastOperation {
    /// `Create`, `Reconcile`, `Delete`, `Migrate` or `Restore`.
    #[serde(default, deserialize_with = "null_is_default", rename = "type")]
    pub kind: String,
    /// `Processing`, `Succeeded`, `Error`, `Failed`, `Pending` or `Aborted`.
    #[serde(default, deserialize_with = "null_is_default")]
    pub state: String,
    /// In percent.
    #[serde(default, deserialize_with = "null_is_default")]
    pub progress: i32,
}

/// An error of the last operation.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct LastError {
    /// What sort of error it is.
    #[serde(default, deserialize_with = "null_is_default")]
    pub codes: Vec<String>,
}

/// What is known about the credentials of a Shoot.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ShootCredentials {
    /// Rotations that were started; absent if none ever was.
    pub rotation: Option<Box<ShootRotations>>,
    /// What is really encrypted.
    #[serde(default, deserialize_with = "null_is_default")]
    pub encryption_at_rest: EncryptionAtRest,
}

/// What is really encrypted at rest.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct EncryptionAtRest {
    /// Resources as `resource.group`.
    #[serde(default, deserialize_with = "null_is_default")]
    pub resources: Vec<String>,
    /// How they are encrypted.
    #[serde(default, deserialize_with = "null_is_default")]
    pub provider: EncryptionAtRestProvider,
}

/// How resources are encrypted really.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct EncryptionAtRestProvider {
    /// The type; empty if nothing is reported.
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
    /// Empty or `Completed` when nothing is going on.
    #[serde(default, deserialize_with = "bounded::short_text")]
    pub phase: String,
    /// When the last rotation was started.
    #[serde(default, deserialize_with = "time")]
    pub last_initiation_time: Option<Timestamp>,
    /// When its first part had been done.
    #[serde(default, deserialize_with = "time")]
    pub last_initiation_finished_time: Option<Timestamp>,
    /// When its second part was asked for.
    #[serde(default, deserialize_with = "time")]
    pub last_completion_triggered_time: Option<Timestamp>,
    /// Pools that still have what was before.
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
    /// When the rotation before was started.
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
    /// The first constraint of a type.
    #[must_use]
    pub fn constraint(&self, kind: &str) -> Option<&Condition> {
        self.constraints
            .iter()
            .find(|constraint| constraint.kind == kind)
    }

    /// The phase of the rotation that `select` picks; empty if there is none.
    pub fn phase(&self, select: fn(&ShootRotations) -> Option<&Rotation>) -> &str {
        let rotation = self.credentials.rotation.as_deref().and_then(select);
        rotation.map_or("", |rotation| &rotation.phase)
    }

    /// Every error code, sorted.
    #[must_use]
    pub fn error_codes(&self) -> BTreeSet<&str> {
        let codes = self.last_errors.iter().flat_map(|error| &error.codes);
        codes.map(String::as_str).collect()
    }
}
