//! `spec.provider`: infrastructure and what all pools share.

use crate::fields::object;
use crate::fields::shoot::workers::Worker;

object! {
    Provider {
        controlPlaneConfig: Any;
        infrastructureConfig: Any;
        type: String required;
        workers: [Worker; by name];
        workersSettings: WorkersSettings;
    }
}

object! {
    WorkersSettings {
        sshAccess: SSHAccess;
    }
}

object! {
    SSHAccess {
        enabled: Boolean filled;
    }
}
