//! `spec.maintenance`, `spec.hibernation` and `spec.monitoring`: what happens when.

use crate::api::Constraint::{Distinct, Format, WithWorkers};
use crate::api::Format::Email;
use crate::api::object;

object! {
    /// When Gardener may update the cluster, and what.
    Maintenance {
        /// When it may.
        "timeWindow": MaintenanceTimeWindow -> time_window: Option<MaintenanceTimeWindow>;
        /// Which versions it updates.
        "autoUpdate": MaintenanceAutoUpdate -> auto_update: Option<MaintenanceAutoUpdate>;
        /// Which credentials it rotates.
        "autoRotation": MaintenanceAutoRotation;
        /// Whether changes of the specification wait for the time window.
        "confineSpecUpdateRollout": Boolean -> confine_spec_update_rollout: bool;
    }
}

object! {
    /// Time of day at which Gardener may update the cluster.
    MaintenanceTimeWindow {
        /// When it begins, for example `220000+0100`.
        "begin": String required -> begin: String;
        /// When it ends, for example `230000+0100`.
        "end": String required -> end: String;
    }
}

object! {
    /// Which versions Gardener updates.
    #[derive(Copy)]
    MaintenanceAutoUpdate {
        /// Whether it updates Kubernetes to newer patch versions.
        "kubernetesVersion": Boolean filled -> kubernetes_version: bool;
        /// Whether it updates machine images.
        "machineImageVersion": Boolean -> machine_image_version: Option<bool> => [WithWorkers];
    }
}

object! {
    /// Which credentials Gardener rotates.
    MaintenanceAutoRotation {
        /// How often which of them.
        "credentials": MaintenanceCredentialsAutoRotation;
    }
}

object! {
    /// How often which credentials are rotated.
    MaintenanceCredentialsAutoRotation {
        /// The key that encrypts objects in the database.
        "etcdEncryptionKey": MaintenanceRotationConfig;
        /// Passwords of the monitoring.
        "observability": MaintenanceRotationConfig;
        /// The SSH key of the nodes.
        "sshKeypair": MaintenanceRotationConfig => [WithWorkers];
    }
}

object! {
    /// How often credentials are rotated.
    MaintenanceRotationConfig {
        /// After what time; `0s` for never.
        "rotationPeriod": Duration;
    }
}

object! {
    /// Whether and when the cluster sleeps.
    Hibernation {
        /// Whether it sleeps now.
        "enabled": Boolean -> enabled: Option<bool>;
        /// When it falls asleep and wakes up.
        "schedules": [HibernationSchedule] -> schedules: Vec<HibernationSchedule>;
    }
}

object! {
    /// When the cluster falls asleep and wakes up.
    #[derive(Eq, Hash, PartialEq)]
    HibernationSchedule {
        /// When it falls asleep, as a cron expression.
        "start": String -> start: Option<String>;
        /// When it wakes up, as a cron expression.
        "end": String -> end: Option<String>;
        /// Time zone of both, for example `Europe/Berlin`; UTC if it is left out.
        "location": String -> location: Option<String>;
    }
}

object! {
    /// Receivers of alerts.
    Monitoring {
        /// How alerts are sent.
        "alerting": Alerting;
    }
}

object! {
    /// How alerts are sent.
    Alerting {
        /// E-mail addresses of the receivers.
        "emailReceivers": [String] => [Format(Email), Distinct];
    }
}
