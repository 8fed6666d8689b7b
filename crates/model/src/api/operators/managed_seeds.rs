// SPDX-License-Identifier: Apache-2.0
//! ManagedSeed and ManagedSeedSet: Shoots that are registered as Seeds.

use crate::api::Constraint::{AtLeast, Enum, Immutable};
use crate::api::object;
use crate::api::operators::gardenlet::GardenletDeployment;
use crate::api::operators::gardenlet_configuration::GardenletConfiguration;
use crate::api::shared::metadata::ObjectMeta;
use crate::api::shared::selectors::LabelSelector;
use crate::api::shared::status::Condition;
use crate::api::shoot::ShootSpec;

object! {
    /// Shoot that is registered as a Seed.
    ManagedSeed {
        /// API group and version of the object.
        "apiVersion": String;
        /// Kind of the object.
        "kind": String;
        /// Standard object metadata.
        "metadata": ObjectMeta;
        /// Desired state of the ManagedSeed.
        "spec": ManagedSeedSpec filled;
        /// Observed state of the ManagedSeed; set by the gardenlet.
        "status": ManagedSeedStatus;
    }
}

object! {
    /// Desired state of a ManagedSeed.
    ManagedSeedSpec {
        /// Shoot of the same namespace that is registered as a Seed; immutable.
        "shoot": ManagedSeedShoot => [Immutable];
        /// Gardenlet that is deployed to the Shoot.
        "gardenlet": GardenletConfig required;
    }
}

object! {
    /// Shoot that is registered as a Seed.
    ManagedSeedShoot {
        /// Name of the Shoot.
        "name": String required;
    }
}

object! {
    /// Deployment and configuration of the gardenlet of a ManagedSeed.
    GardenletConfig {
        /// Parameters of the deployment.
        "deployment": GardenletDeployment;
        /// Configuration of the gardenlet; unknown fields in it are dropped.
        "config": GardenletConfiguration;
        /// How the gardenlet gets its first credentials: `BootstrapToken`, the default, `ServiceAccount` or `None`; immutable.
        "bootstrap": String => [Enum(&["BootstrapToken", "None", "ServiceAccount"]), Immutable];
        /// Whether the configuration is merged with that of the parent gardenlet, by default `true`; immutable.
        "mergeWithParent": Boolean => [Immutable];
    }
}

object! {
    /// Observed state of a ManagedSeed.
    ManagedSeedStatus {
        /// Conditions of the ManagedSeed.
        "conditions": [Condition; by type];
        /// Generation of the object that was processed last.
        "observedGeneration": Integer64 => [AtLeast(0.0)];
    }
}

object! {
    /// Set of equal ManagedSeeds with their Shoots.
    ManagedSeedSet {
        /// API group and version of the object.
        "apiVersion": String;
        /// Kind of the object.
        "kind": String;
        /// Standard object metadata.
        "metadata": ObjectMeta;
        /// Desired state of the set.
        "spec": ManagedSeedSetSpec filled;
        /// Observed state of the set; set by gardener-controller-manager.
        "status": ManagedSeedSetStatus;
    }
}

object! {
    /// Desired state of a ManagedSeedSet.
    ManagedSeedSetSpec {
        /// Number of replicas, by default 1.
        "replicas": Integer32 => [AtLeast(0.0)];
        /// Label selector of ManagedSeeds and Shoots, which the labels of the templates match; immutable.
        "selector": LabelSelector required => [Immutable];
        /// Template of the ManagedSeeds.
        "template": ManagedSeedTemplate required;
        /// Template of their Shoots.
        "shootTemplate": ShootTemplate required;
        /// How changes of the templates are rolled out.
        "updateStrategy": ManagedSeedSetUpdateStrategy;
        /// Maximum number of kept revisions, by default 10; immutable.
        "revisionHistoryLimit": Integer32 => [AtLeast(0.0), Immutable];
    }
}

object! {
    /// Template of a ManagedSeed.
    ManagedSeedTemplate {
        /// Standard object metadata.
        "metadata": ObjectMeta;
        /// Desired state of the ManagedSeed, without a Shoot.
        "spec": ManagedSeedSpec filled;
    }
}

object! {
    /// Template of a Shoot.
    ShootTemplate {
        /// Standard object metadata.
        "metadata": ObjectMeta;
        /// Desired state of the Shoot.
        "spec": ShootSpec filled;
    }
}

object! {
    /// How changes of the templates of a ManagedSeedSet are rolled out.
    ManagedSeedSetUpdateStrategy {
        /// Type of the strategy: `RollingUpdate`, the default.
        "type": String;
        /// Parameters of a rolling update.
        "rollingUpdate": RollingUpdateStrategy;
    }
}

object! {
    /// Parameters of a rolling update.
    RollingUpdateStrategy {
        /// Ordinal of the first replica that is updated, by default 0.
        "partition": Integer32 => [AtLeast(0.0)];
    }
}

object! {
    /// Observed state of a ManagedSeedSet.
    ManagedSeedSetStatus {
        /// Generation of the object that was processed last.
        "observedGeneration": Integer64 => [AtLeast(0.0)];
        /// Number of replicas.
        "replicas": Integer32 required => [AtLeast(0.0)];
        /// Number of replicas that are ready.
        "readyReplicas": Integer32 => [AtLeast(0.0)];
        /// Ordinal of the next replica; never decreases.
        "nextReplicaNumber": Integer32 => [AtLeast(0.0)];
        /// Number of replicas of the current revision.
        "currentReplicas": Integer32 => [AtLeast(0.0)];
        /// Number of replicas of the new revision.
        "updatedReplicas": Integer32 => [AtLeast(0.0)];
        /// Name of the current revision.
        "currentRevision": String;
        /// Name of the new revision.
        "updateRevision": String;
        /// Number of collisions of names of revisions; never decreases.
        "collisionCount": Integer32 => [AtLeast(0.0)];
        /// Conditions of the set.
        "conditions": [Condition; by type];
        /// Replica that is being created, updated or deleted.
        "pendingReplica": PendingReplica;
    }
}

object! {
    /// Replica that is being created, updated or deleted.
    PendingReplica {
        /// Name of the replica: that of the set, `-` and an ordinal.
        "name": String required;
        /// Reason why the replica is pending.
        "reason": String required => [Enum(&[
            "ManagedSeedDeleting", "ManagedSeedPreparing", "SeedNotReady", "ShootDeleteFailed", "ShootDeleting",
            "ShootNotHealthy", "ShootReconcileFailed", "ShootReconciling",
        ])];
        /// Time since which the replica is pending.
        "since": Time required;
        /// Number of retries of the operation on the Shoot.
        "retries": Integer32 => [AtLeast(0.0)];
    }
}
