// SPDX-License-Identifier: Apache-2.0
//! The settings of the controllers of a gardenlet.

use crate::api::Constraint::{AtLeast, AtMost, Called, Enum, LastsAtLeast};
use crate::api::object;
use crate::api::shared::selectors::LabelSelector;

object! {
    /// Settings of the controllers of a gardenlet.
    GardenletControllerConfiguration {
        /// Timeout of the initial synchronisation of caches, by default `2m`.
        "cacheSyncTimeout": Duration;
        /// Controller of BackupBuckets.
        "backupBucket": BackupBucketControllerConfiguration;
        /// Controller of BackupEntries.
        "backupEntry": BackupEntryControllerConfiguration;
        /// Controller of Bastions.
        "bastion": BastionControllerConfiguration;
        /// Controller of ControllerInstallations.
        "controllerInstallation": ConcurrentController;
        /// Controller of the health of ControllerInstallations.
        "controllerInstallationCare": PeriodicController;
        /// Controller of required ControllerInstallations.
        "controllerInstallationRequired": ConcurrentController;
        /// Controller of the Gardenlet object.
        "gardenlet": GardenletObjectControllerConfiguration;
        /// Controller of the Seed.
        "seed": SeedControllerConfiguration;
        /// Controller of the health of the Seed.
        "seedCare": SeedCareControllerConfiguration;
        /// Controller of Shoots.
        "shoot": ShootControllerConfiguration;
        /// Controller of the health of Shoots.
        "shootCare": ShootCareControllerConfiguration;
        /// Controller of ShootStates.
        "shootState": PeriodicController;
        /// Controller of the status of Shoots.
        "shootStatus": ConcurrentController;
        /// Controller of NetworkPolicies.
        "networkPolicy": NetworkPolicyControllerConfiguration;
        /// Controller of ManagedSeeds.
        "managedSeed": ManagedSeedControllerConfiguration;
        /// Controller of tokens of ServiceAccounts.
        "tokenRequestor": ConcurrentController;
        /// Controller of tokens of WorkloadIdentities.
        "tokenRequestorWorkloadIdentity": TokenRequestorWorkloadIdentityControllerConfiguration;
        /// Controller of eviction requirements of vertical pod autoscalers.
        "vpaEvictionRequirements": ConcurrentController;
    }
}

object! {
    /// Settings of a controller.
    ConcurrentController {
        /// Number of workers.
        "concurrentSyncs": Integer64;
    }
}

object! {
    /// Settings of a controller that reconciles periodically.
    PeriodicController {
        /// Number of workers.
        "concurrentSyncs": Integer64;
        /// Duration between two reconciliations.
        "syncPeriod": Duration;
    }
}

object! {
    /// Settings of the controller of BackupBuckets.
    BackupBucketControllerConfiguration {
        /// Number of workers.
        "concurrentSyncs": Integer64;
        /// Maximum random delay of a reconciliation, by default `5m`.
        "syncJitterPeriod": Duration;
        /// Whether changes of the `spec` are delayed, too.
        "jitterUpdates": Boolean;
    }
}

object! {
    /// Settings of the controller of BackupEntries.
    BackupEntryControllerConfiguration {
        /// Number of workers.
        "concurrentSyncs": Integer64;
        /// Hours for which backups of a deleted Shoot are kept.
        "deletionGracePeriodHours": Integer64;
        /// Purposes of the Shoots whose backups are kept; needs `deletionGracePeriodHours`.
        "deletionGracePeriodShootPurposes": [String] => [Enum(&["development", "evaluation", "infrastructure", "production", "testing"])];
        /// Maximum random delay of a reconciliation, by default `5m`.
        "syncJitterPeriod": Duration;
        /// Whether changes of the `spec` are delayed, too.
        "jitterUpdates": Boolean;
    }
}

object! {
    /// Settings of the controller of Bastions.
    BastionControllerConfiguration {
        /// Number of workers.
        "concurrentSyncs": Integer64 => [AtLeast(0.0)];
    }
}

object! {
    /// Settings of the controller of the Gardenlet object.
    GardenletObjectControllerConfiguration {
        /// Duration between two reconciliations.
        "syncPeriod": Duration;
    }
}

object! {
    /// Settings of the controller of the Seed.
    SeedControllerConfiguration {
        /// Duration between two reconciliations.
        "syncPeriod": Duration;
        /// Seconds between two renewals of the lease, by default 2.
        "leaseResyncSeconds": Integer32;
        /// Number of missed renewals after which the gardenlet is unhealthy, by default 10.
        "leaseResyncMissThreshold": Integer32;
    }
}

object! {
    /// Settings of the controller of the health of the Seed.
    SeedCareControllerConfiguration {
        /// Duration between two reconciliations.
        "syncPeriod": Duration;
        /// Durations for which conditions are `Progressing` before they are `False`.
        "conditionThresholds": [SeedConditionThreshold];
    }
}

object! {
    /// Duration for which a condition of a Seed is `Progressing` before it is `False`.
    SeedConditionThreshold {
        /// Type of the condition.
        "type": String required;
        /// Duration.
        "duration": Duration required;
    }
}

object! {
    /// Settings of the controller of Shoots.
    ShootControllerConfiguration {
        /// Number of workers.
        "concurrentSyncs": Integer64 => [AtLeast(0.0)];
        /// Duration between two reports of progress.
        "progressReportPeriod": Duration => [LastsAtLeast(0.0), Called("progressReporterPeriod")];
        /// Whether Shoots are reconciled only in their maintenance time window.
        "reconcileInMaintenanceOnly": Boolean;
        /// Whether the annotation `shoot.gardener.cloud/sync-period` is used.
        "respectSyncPeriodOverwrite": Boolean;
        /// Duration for which a failed operation is retried.
        "retryDuration": Duration => [LastsAtLeast(0.0)];
        /// Duration between two reconciliations.
        "syncPeriod": Duration => [LastsAtLeast(0.0)];
        /// TTL of DNS records, by default 120.
        "dnsEntryTTLSeconds": Integer64 => [AtLeast(30.0), AtMost(600.0)];
    }
}

object! {
    /// Settings of the controller of the health of Shoots.
    ShootCareControllerConfiguration {
        /// Number of workers.
        "concurrentSyncs": Integer64 => [AtLeast(0.0)];
        /// Duration between two reconciliations.
        "syncPeriod": Duration => [LastsAtLeast(0.0)];
        /// Detection of outdated health checks of extensions.
        "staleExtensionHealthChecks": StaleExtensionHealthChecks;
        /// Duration for which a ManagedResource may progress.
        "managedResourceProgressingThreshold": Duration => [LastsAtLeast(0.0)];
        /// Durations for which conditions are `Progressing` before they are `False`.
        "conditionThresholds": [ConditionThreshold];
        /// Whether the gardenlet changes problematic webhooks.
        "webhookRemediatorEnabled": Boolean;
    }
}

object! {
    /// Detection of outdated health checks of extensions.
    StaleExtensionHealthChecks {
        /// Whether it is enabled.
        "enabled": Boolean required;
        /// Age of an outdated health check, by default `5m`.
        "threshold": Duration => [LastsAtLeast(0.0)];
    }
}

object! {
    /// Duration for which a condition is `Progressing` before it is `False`.
    ConditionThreshold {
        /// Type of the condition.
        "type": String required;
        /// Duration.
        "duration": Duration required => [LastsAtLeast(0.0)];
    }
}

object! {
    /// Settings of the controller of NetworkPolicies.
    NetworkPolicyControllerConfiguration {
        /// Number of workers.
        "concurrentSyncs": Integer64 => [AtLeast(0.0)];
        /// Label selectors of further namespaces with NetworkPolicies.
        "additionalNamespaceSelectors": [LabelSelector];
    }
}

object! {
    /// Settings of the controller of ManagedSeeds.
    ManagedSeedControllerConfiguration {
        /// Number of workers.
        "concurrentSyncs": Integer64 => [AtLeast(0.0)];
        /// Duration between two reconciliations.
        "syncPeriod": Duration => [LastsAtLeast(0.0)];
        /// Duration between two reconciliations while the controller waits.
        "waitSyncPeriod": Duration => [LastsAtLeast(0.0)];
        /// Maximum random delay of a reconciliation, by default `5m`.
        "syncJitterPeriod": Duration => [LastsAtLeast(0.0)];
        /// Whether changes of the `spec` are delayed, too.
        "jitterUpdates": Boolean;
    }
}

object! {
    /// Settings of the controller of tokens of WorkloadIdentities.
    TokenRequestorWorkloadIdentityControllerConfiguration {
        /// Number of workers.
        "concurrentSyncs": Integer64;
        /// Validity of requested tokens, by default `6h`.
        "tokenExpirationDuration": Duration => [LastsAtLeast(0.0)];
    }
}
