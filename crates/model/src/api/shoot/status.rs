// SPDX-License-Identifier: Apache-2.0
//! `status` of a Shoot.

use std::collections::BTreeSet;

use crate::api::Constraint::Since;
use crate::api::object;
use crate::api::shared::status::{Condition, Gardener, LastOperation};
use crate::api::shoot::credentials::{
    PendingWorkersRollout, Rotation, ShootCredentials, ShootCredentialsRotation,
};

object! {
    /// Observed state of a cluster; written by Gardener.
    ShootStatus {
        /// Addresses of the control plane.
        "advertisedAddresses": [ShootAdvertisedAddress; by name];
        /// Globally unique identity of the cluster.
        "clusterIdentity": String -> cluster_identity: Option<String>;
        /// Conditions of the cluster.
        "conditions": [Condition; by type] -> conditions: Vec<Condition>;
        /// Constraints that prevent some operations.
        "constraints": [Condition; by type] -> constraints: Vec<Condition>;
        /// Progress of credential rotations.
        "credentials": ShootCredentials -> credentials: ShootCredentials;
        /// Gardener instance that last reconciled the cluster.
        "gardener": Gardener filled;
        /// Indicates that the cluster is hibernated.
        "hibernated": Boolean filled -> is_hibernated: bool;
        /// Pools with pending in-place updates.
        "inPlaceUpdates": InPlaceUpdatesStatus -> in_place_updates: Option<InPlaceUpdatesStatus>;
        /// Most recent errors.
        "lastErrors": [LastError] -> last_errors: Vec<LastError>;
        /// Time when a schedule last hibernated the cluster or woke it up.
        "lastHibernationTriggerTime": Time;
        /// Result of the last maintenance.
        "lastMaintenance": LastMaintenance;
        /// Last operation on the cluster.
        "lastOperation": LastOperation -> last_operation: Option<LastOperation>;
        /// Progress of the live migration of the control plane.
        "liveMigration": LiveMigration => [Since(142)];
        /// Pools with pending manual rollouts.
        "manualWorkerPoolRollout": ManualWorkerPoolRollout;
        /// Time when the migration of the control plane began.
        "migrationStartTime": Time;
        /// Observed networks.
        "networking": NetworkingStatus -> networking: Option<NetworkingStatus>;
        /// Most recent generation that was reconciled.
        "observedGeneration": Integer64;
        /// Start time of the current series of attempts.
        "retryCycleStartTime": Time;
        /// Name of the Seed that hosts the control plane.
        "seedName": String -> seed_name: Option<String>;
        /// Name of the cluster's namespace on the Seed.
        "technicalID": String filled -> technical_id: String;
        /// Unique identifier of the cluster.
        "uid": String filled -> uid: String;
    }
}

object! {
    /// Advertised address of the control plane.
    ShootAdvertisedAddress {
        /// Name of the address.
        "name": String required;
        /// URL of the address.
        "url": String required;
        /// Application that the address belongs to.
        "application": String;
    }
}

object! {
    /// Status of in-place updates.
    InPlaceUpdatesStatus {
        /// Pools with pending in-place updates.
        "pendingWorkerUpdates": PendingWorkerUpdates -> pending_worker_updates: Option<PendingWorkerUpdates>;
    }
}

object! {
    /// Pools with pending in-place updates.
    PendingWorkerUpdates {
        /// Pools that Gardener updates.
        "autoInPlaceUpdate": [String] -> auto_in_place_update: Vec<String>;
        /// Pools that are updated manually.
        "manualInPlaceUpdate": [String] -> manual_in_place_update: Vec<String>;
    }
}

object! {
    /// Error of an operation.
    LastError {
        /// Error codes.
        "codes": [String] -> codes: Vec<String>;
        /// Description of the error.
        "description": String required;
        /// Time when the error was reported.
        "lastUpdateTime": Time;
        /// ID of the failed task.
        "taskID": String;
    }
}

object! {
    /// Result of the last maintenance.
    LastMaintenance {
        /// Description of the operation.
        "description": String required;
        /// The reason of the failure.
        "failureReason": String;
        /// State of the maintenance.
        "state": String required;
        /// Start time of the maintenance.
        "triggeredTime": Time required;
    }
}

object! {
    /// Progress of a live migration of the control plane.
    LiveMigration {
        /// Conditions of the migration.
        "conditions": [Condition; by type];
    }
}

object! {
    /// Pools with pending manual rollouts.
    ManualWorkerPoolRollout {
        /// Pools that still must be rolled.
        "pendingWorkersRollouts": [PendingWorkersRollout];
    }
}

object! {
    /// Observed networks.
    NetworkingStatus {
        /// CIDRs from which egress traffic originates.
        "egressCIDRs": [String];
        /// Node networks.
        "nodes": [String] -> nodes: Vec<String>;
        /// Pod networks.
        "pods": [String] -> pods: Vec<String>;
        /// Service networks.
        "services": [String] -> services: Vec<String>;
    }
}

impl ShootStatus {
    /// Returns the first constraint of a type.
    pub fn constraint(&self, kind: &str) -> Option<&Condition> {
        self.constraints.iter().find(|constraint| constraint.kind == kind)
    }

    /// Returns the phase of the rotation that `select` picks; empty if there is none.
    pub fn phase(&self, select: fn(&ShootCredentialsRotation) -> Option<&Rotation>) -> &str {
        let rotation = self.credentials.rotation.as_deref().and_then(select);
        rotation.map_or("", |rotation| &rotation.phase)
    }

    /// Returns every error code, sorted.
    pub fn error_codes(&self) -> BTreeSet<&str> {
        let codes = self.last_errors.iter().flat_map(|error| &error.codes);
        codes.map(String::as_str).collect()
    }
}
