//! `spec.provider`: infrastructure and what all pools share.

use crate::fields::object;
use crate::fields::shoot::workers::Worker;

object! {
    /// Infrastructure and pools of machines.
    Provider {
        /// The infrastructure, for example `openstack`; immutable.
        type: String required;
        /// What the provider extension reads about networks and zones.
        infrastructureConfig: Any;
        /// What the provider extension reads about its components in the control plane.
        controlPlaneConfig: Any;
        /// Pools of machines; none for a cluster without nodes.
        workers: [Worker; by name];
        /// What all pools share.
        workersSettings: WorkersSettings;
    }
}

object! {
    /// What all pools share.
    WorkersSettings {
        /// Access to nodes by SSH.
        sshAccess: SSHAccess;
    }
}

object! {
    /// Access to nodes by SSH.
    SSHAccess {
        /// Whether there is any.
        enabled: Boolean filled;
    }
}
