//! `status` of a Shoot.

use std::collections::BTreeSet;

use crate::api::object;
use crate::api::shared::status::{Condition, Gardener, LastOperation};
use crate::api::shoot::credentials::{
    PendingWorkersRollout, Rotation, ShootCredentials, ShootCredentialsRotation,
};

object! {
    /// How a cluster is; written by Gardener.
    ShootStatus {
        /// Where the control plane is reached.
        "advertisedAddresses": [ShootAdvertisedAddress; by name];
        /// Identity of the cluster, unique in the world.
        "clusterIdentity": String -> cluster_identity: Option<String>;
        /// How parts of the cluster are.
        "conditions": [Condition; by type] -> conditions: Vec<Condition>;
        /// Obstacles to some operations.
        "constraints": [Condition; by type] -> constraints: Vec<Condition>;
        /// How far rotations of credentials are.
        "credentials": ShootCredentials -> credentials: ShootCredentials;
        /// The Gardener that reconciled it.
        "gardener": Gardener filled;
        /// Whether it sleeps.
        "hibernated": Boolean filled -> is_hibernated: bool;
        /// Which pools wait for an update in place.
        "inPlaceUpdates": InPlaceUpdatesStatus -> in_place_updates: Option<InPlaceUpdatesStatus>;
        /// The last errors.
        "lastErrors": [LastError] -> last_errors: Vec<LastError>;
        /// When a schedule last put it to sleep or woke it up.
        "lastHibernationTriggerTime": Time;
        /// What maintenance did last.
        "lastMaintenance": LastMaintenance;
        /// The last operation.
        "lastOperation": LastOperation -> last_operation: Option<LastOperation>;
        /// How far a move of the control plane is.
        "liveMigration": LiveMigration;
        /// Which pools wait to be rolled by hand.
        "manualWorkerPoolRollout": ManualWorkerPoolRollout;
        /// When a move of the control plane began.
        "migrationStartTime": Time;
        /// Observed networks.
        "networking": NetworkingStatus -> networking: Option<NetworkingStatus>;
        /// The specification that was reconciled.
        "observedGeneration": Integer64;
        /// When Gardener began to try.
        "retryCycleStartTime": Time;
        /// The Seed that hosts the control plane.
        "seedName": String -> seed_name: Option<String>;
        /// Name of the namespace on the Seed.
        "technicalID": String filled -> technical_id: String;
        /// Identity of the cluster.
        "uid": String filled -> uid: String;
    }
}

object! {
    /// Where the control plane is reached.
    ShootAdvertisedAddress {
        /// Name of the address.
        "name": String required;
        /// The address.
        "url": String required;
        /// The application that is reached there.
        "application": String;
    }
}

object! {
    /// Updates in place.
    InPlaceUpdatesStatus {
        /// Pools that wait for one.
        "pendingWorkerUpdates": PendingWorkerUpdates -> pending_worker_updates: Option<PendingWorkerUpdates>;
    }
}

object! {
    /// Pools that wait for an update in place.
    PendingWorkerUpdates {
        /// Those that Gardener updates.
        "autoInPlaceUpdate": [String] -> auto_in_place_update: Vec<String>;
        /// Those that are updated by hand.
        "manualInPlaceUpdate": [String] -> manual_in_place_update: Vec<String>;
    }
}

object! {
    /// Something that went wrong.
    LastError {
        /// Kinds of errors that it is.
        "codes": [String] -> codes: Vec<String>;
        /// Description of the error.
        "description": String required;
        /// When that was said.
        "lastUpdateTime": Time;
        /// In which task.
        "taskID": String;
    }
}

object! {
    /// What maintenance did last.
    LastMaintenance {
        /// Description of the operation.
        "description": String required;
        /// The reason of the failure.
        "failureReason": String;
        /// How it went.
        "state": String required;
        /// When it began.
        "triggeredTime": Time required;
    }
}

object! {
    /// How far a move of the control plane is.
    LiveMigration {
        /// How its parts are.
        "conditions": [Condition; by type];
    }
}

object! {
    /// Pools that wait to be rolled by hand.
    ManualWorkerPoolRollout {
        /// Which ones.
        "pendingWorkersRollouts": [PendingWorkersRollout];
    }
}

object! {
    /// Observed networks.
    NetworkingStatus {
        /// Networks that traffic leaves from.
        "egressCIDRs": [String];
        /// Networks of the nodes.
        "nodes": [String] -> nodes: Vec<String>;
        /// Networks of the pods.
        "pods": [String] -> pods: Vec<String>;
        /// Networks of the services.
        "services": [String] -> services: Vec<String>;
    }
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
    pub fn phase(&self, select: fn(&ShootCredentialsRotation) -> Option<&Rotation>) -> &str {
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
