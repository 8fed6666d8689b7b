// SPDX-License-Identifier: Apache-2.0
//! `spec.maintenance`, `spec.hibernation` and `spec.monitoring`.

use crate::api::Constraint::{Distinct, Format, WithWorkers};
use crate::api::Format::Email;
use crate::api::object;

object! {
    /// Time window and scope of automatic updates by Gardener.
    Maintenance {
        /// Time window for updates.
        "timeWindow": MaintenanceTimeWindow -> time_window: Option<MaintenanceTimeWindow>;
        /// Versions that are updated automatically.
        "autoUpdate": MaintenanceAutoUpdate -> auto_update: Option<MaintenanceAutoUpdate>;
        /// Credentials that are rotated automatically.
        "autoRotation": MaintenanceAutoRotation;
        /// Confines the rollout of specification changes to the time window.
        "confineSpecUpdateRollout": Boolean -> confine_spec_update_rollout: bool;
    }
}

object! {
    /// Time of day at which Gardener can update the cluster.
    MaintenanceTimeWindow {
        /// Start of the window, for example `220000+0100`.
        "begin": String required -> begin: String;
        /// End of the window, for example `230000+0100`.
        "end": String required -> end: String;
    }
}

object! {
    /// Versions that Gardener updates automatically.
    #[derive(Copy)]
    MaintenanceAutoUpdate {
        /// Enables updates of Kubernetes to newer patch versions.
        "kubernetesVersion": Boolean filled -> kubernetes_version: bool;
        /// Enables updates of machine images.
        "machineImageVersion": Boolean -> machine_image_version: Option<bool> => [WithWorkers];
    }
}

object! {
    /// Credentials that Gardener rotates automatically.
    MaintenanceAutoRotation {
        /// Rotation periods of the credentials.
        "credentials": MaintenanceCredentialsAutoRotation;
    }
}

object! {
    /// Rotation periods of credentials.
    MaintenanceCredentialsAutoRotation {
        /// Rotation of the etcd encryption key.
        "etcdEncryptionKey": MaintenanceRotationConfig;
        /// Rotation of the observability passwords.
        "observability": MaintenanceRotationConfig;
        /// Rotation of the nodes' SSH key pair.
        "sshKeypair": MaintenanceRotationConfig => [WithWorkers];
    }
}

object! {
    /// Rotation period of credentials.
    MaintenanceRotationConfig {
        /// Period between rotations; `0s` disables them.
        "rotationPeriod": Duration;
    }
}

object! {
    /// Hibernation of the cluster and its schedules.
    Hibernation {
        /// Hibernates the cluster.
        "enabled": Boolean -> enabled: Option<bool>;
        /// Schedules for hibernation and wake-up.
        "schedules": [HibernationSchedule] -> schedules: Vec<HibernationSchedule>;
    }
}

object! {
    /// Schedule for hibernation and wake-up.
    #[derive(Eq, Hash, PartialEq)]
    HibernationSchedule {
        /// Start of the hibernation, as a cron expression.
        "start": String -> start: Option<String>;
        /// End of the hibernation, as a cron expression.
        "end": String -> end: Option<String>;
        /// Time zone of `start` and `end`, for example `Europe/Berlin`; UTC if omitted.
        "location": String -> location: Option<String>;
    }
}

object! {
    /// Monitoring configuration: receivers of alerts.
    Monitoring {
        /// Configuration of alerts.
        "alerting": Alerting;
    }
}

object! {
    /// Configuration of alerts.
    Alerting {
        /// E-mail addresses of the receivers.
        "emailReceivers": [String] => [Format(Email), Distinct];
    }
}
