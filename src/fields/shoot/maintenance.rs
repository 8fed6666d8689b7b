//! `spec.maintenance`, `spec.hibernation` and `spec.monitoring`: what happens when.

use crate::fields::Constraint::{Distinct, Format, WithWorkers};
use crate::fields::Format::Email;
use crate::fields::object;

object! {
    /// When Gardener may update the cluster, and what.
    Maintenance {
        /// When it may.
        timeWindow: MaintenanceTimeWindow;
        /// Which versions it updates.
        autoUpdate: MaintenanceAutoUpdate;
        /// Which credentials it rotates.
        autoRotation: MaintenanceAutoRotation;
        /// Whether changes of the specification wait for the time window.
        confineSpecUpdateRollout: Boolean;
    }
}

object! {
    /// Time of day at which Gardener may update the cluster.
    MaintenanceTimeWindow {
        /// When it begins, for example `220000+0100`.
        begin: String required;
        /// When it ends, for example `230000+0100`.
        end: String required;
    }
}

object! {
    /// Which versions Gardener updates.
    MaintenanceAutoUpdate {
        /// Whether it updates Kubernetes to newer patch versions.
        kubernetesVersion: Boolean filled;
        /// Whether it updates machine images.
        machineImageVersion: Boolean => [WithWorkers];
    }
}

object! {
    /// Which credentials Gardener rotates.
    MaintenanceAutoRotation {
        /// How often which of them.
        credentials: MaintenanceCredentialsAutoRotation;
    }
}

object! {
    /// How often which credentials are rotated.
    MaintenanceCredentialsAutoRotation {
        /// The key that encrypts objects in the database.
        etcdEncryptionKey: MaintenanceRotationConfig;
        /// Passwords of the monitoring.
        observability: MaintenanceRotationConfig;
        /// The SSH key of the nodes.
        sshKeypair: MaintenanceRotationConfig => [WithWorkers];
    }
}

object! {
    /// How often credentials are rotated.
    MaintenanceRotationConfig {
        /// After what time; `0s` for never.
        rotationPeriod: Duration;
    }
}

object! {
    /// Whether and when the cluster sleeps.
    Hibernation {
        /// Whether it sleeps now.
        enabled: Boolean;
        /// When it falls asleep and wakes up.
        schedules: [HibernationSchedule];
    }
}

object! {
    /// When the cluster falls asleep and wakes up.
    HibernationSchedule {
        /// When it falls asleep, as a cron expression.
        start: String;
        /// When it wakes up, as a cron expression.
        end: String;
        /// Time zone of both, for example `Europe/Berlin`; UTC if it is left out.
        location: String;
    }
}

object! {
    /// Receivers of alerts.
    Monitoring {
        /// How alerts are sent.
        alerting: Alerting;
    }
}

object! {
    /// How alerts are sent.
    Alerting {
        /// E-mail addresses of the receivers.
        emailReceivers: [String] => [Format(Email), Distinct];
    }
}
