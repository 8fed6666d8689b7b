//! `status` of a Shoot.

use crate::fields::object;
use crate::fields::shared::status::{Condition, Gardener, LastOperation};
use crate::fields::shoot::credentials::{PendingWorkersRollout, ShootCredentials};

object! {
    ShootStatus {
        advertisedAddresses: [ShootAdvertisedAddress; by name];
        clusterIdentity: String;
        conditions: [Condition; by type];
        constraints: [Condition; by type];
        credentials: ShootCredentials;
        gardener: Gardener required;
        hibernated: Boolean filled;
        inPlaceUpdates: InPlaceUpdatesStatus;
        lastErrors: [LastError];
        lastHibernationTriggerTime: Time;
        lastMaintenance: LastMaintenance;
        lastOperation: LastOperation;
        liveMigration: LiveMigration;
        manualWorkerPoolRollout: ManualWorkerPoolRollout;
        migrationStartTime: Time;
        networking: NetworkingStatus;
        observedGeneration: Integer64;
        retryCycleStartTime: Time;
        seedName: String;
        technicalID: String required;
        uid: String required;
    }
}

object! {
    ShootAdvertisedAddress {
        application: String;
        name: String required;
        url: String required;
    }
}

object! {
    InPlaceUpdatesStatus {
        pendingWorkerUpdates: PendingWorkerUpdates;
    }
}

object! {
    PendingWorkerUpdates {
        autoInPlaceUpdate: [String];
        manualInPlaceUpdate: [String];
    }
}

object! {
    LastError {
        codes: [String];
        description: String required;
        lastUpdateTime: Time;
        taskID: String;
    }
}

object! {
    LastMaintenance {
        description: String required;
        failureReason: String;
        state: String required;
        triggeredTime: Time required;
    }
}

object! {
    LiveMigration {
        conditions: [Condition; by type];
    }
}

object! {
    ManualWorkerPoolRollout {
        pendingWorkersRollouts: [PendingWorkersRollout];
    }
}

object! {
    NetworkingStatus {
        egressCIDRs: [String];
        nodes: [String];
        pods: [String];
        services: [String];
    }
}
