//! `spec.maintenance`, `spec.hibernation` and `spec.monitoring`: what happens when.

use crate::fields::object;

object! {
    Maintenance {
        autoRotation: MaintenanceAutoRotation;
        autoUpdate: MaintenanceAutoUpdate;
        confineSpecUpdateRollout: Boolean;
        timeWindow: MaintenanceTimeWindow;
    }
}

object! {
    MaintenanceTimeWindow {
        begin: String required;
        end: String required;
    }
}

object! {
    MaintenanceAutoUpdate {
        kubernetesVersion: Boolean filled;
        machineImageVersion: Boolean;
    }
}

object! {
    MaintenanceAutoRotation {
        credentials: MaintenanceCredentialsAutoRotation;
    }
}

object! {
    MaintenanceCredentialsAutoRotation {
        etcdEncryptionKey: MaintenanceRotationConfig;
        observability: MaintenanceRotationConfig;
        sshKeypair: MaintenanceRotationConfig;
    }
}

object! {
    MaintenanceRotationConfig {
        rotationPeriod: Duration;
    }
}

object! {
    Hibernation {
        enabled: Boolean;
        schedules: [HibernationSchedule];
    }
}

object! {
    HibernationSchedule {
        end: String;
        location: String;
        start: String;
    }
}

object! {
    Monitoring {
        alerting: Alerting;
    }
}

object! {
    Alerting {
        emailReceivers: [String];
    }
}
