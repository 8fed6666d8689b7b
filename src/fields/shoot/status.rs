//! `status` of a Shoot.

use crate::fields::object;
use crate::fields::shared::status::{Condition, Gardener, LastOperation};
use crate::fields::shoot::credentials::{PendingWorkersRollout, ShootCredentials};

object! {
    /// How a cluster is; written by Gardener.
    ShootStatus {
        /// Where the control plane is reached.
        advertisedAddresses: [ShootAdvertisedAddress; by name];
        /// Identity of the cluster, unique in the world.
        clusterIdentity: String;
        /// How parts of the cluster are.
        conditions: [Condition; by type];
        /// Obstacles to some operations.
        constraints: [Condition; by type];
        /// How far rotations of credentials are.
        credentials: ShootCredentials;
        /// The Gardener that reconciled it.
        gardener: Gardener filled;
        /// Whether it sleeps.
        hibernated: Boolean filled;
        /// Which pools wait for an update in place.
        inPlaceUpdates: InPlaceUpdatesStatus;
        /// The last errors.
        lastErrors: [LastError];
        /// When a schedule last put it to sleep or woke it up.
        lastHibernationTriggerTime: Time;
        /// What maintenance did last.
        lastMaintenance: LastMaintenance;
        /// The last operation.
        lastOperation: LastOperation;
        /// How far a move of the control plane is.
        liveMigration: LiveMigration;
        /// Which pools wait to be rolled by hand.
        manualWorkerPoolRollout: ManualWorkerPoolRollout;
        /// When a move of the control plane began.
        migrationStartTime: Time;
        /// Observed networks.
        networking: NetworkingStatus;
        /// The specification that was reconciled.
        observedGeneration: Integer64;
        /// When Gardener began to try.
        retryCycleStartTime: Time;
        /// The Seed that hosts the control plane.
        seedName: String;
        /// Name of the namespace on the Seed.
        technicalID: String filled;
        /// Identity of the cluster.
        uid: String filled;
    }
}

object! {
    /// Where the control plane is reached.
    ShootAdvertisedAddress {
        /// Name of the address.
        name: String required;
        /// The address.
        url: String required;
        /// The application that is reached there.
        application: String;
    }
}

object! {
    /// Updates in place.
    InPlaceUpdatesStatus {
        /// Pools that wait for one.
        pendingWorkerUpdates: PendingWorkerUpdates;
    }
}

object! {
    /// Pools that wait for an update in place.
    PendingWorkerUpdates {
        /// Those that Gardener updates.
        autoInPlaceUpdate: [String];
        /// Those that are updated by hand.
        manualInPlaceUpdate: [String];
    }
}

object! {
    /// Something that went wrong.
    LastError {
        /// Kinds of errors that it is.
        codes: [String];
        /// Description of the error.
        description: String required;
        /// When that was said.
        lastUpdateTime: Time;
        /// In which task.
        taskID: String;
    }
}

object! {
    /// What maintenance did last.
    LastMaintenance {
        /// Description of the operation.
        description: String required;
        /// The reason of the failure.
        failureReason: String;
        /// How it went.
        state: String required;
        /// When it began.
        triggeredTime: Time required;
    }
}

object! {
    /// How far a move of the control plane is.
    LiveMigration {
        /// How its parts are.
        conditions: [Condition; by type];
    }
}

object! {
    /// Pools that wait to be rolled by hand.
    ManualWorkerPoolRollout {
        /// Which ones.
        pendingWorkersRollouts: [PendingWorkersRollout];
    }
}

object! {
    /// Observed networks.
    NetworkingStatus {
        /// Networks that traffic leaves from.
        egressCIDRs: [String];
        /// Networks of the nodes.
        nodes: [String];
        /// Networks of the pods.
        pods: [String];
        /// Networks of the services.
        services: [String];
    }
}
