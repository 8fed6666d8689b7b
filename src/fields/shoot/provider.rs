//! `spec.provider`: infrastructure and what all pools share.

use crate::fields::Constraint::{DistinctBy, Filled, Format, WithWorkers};
use crate::fields::Format::DnsLabel;
use crate::fields::object;
use crate::fields::shoot::workers::Worker;

object! {
    /// Infrastructure and pools of machines.
    Provider {
        /// The infrastructure, for example `openstack`; immutable.
        type: String required => [Filled, Format(DnsLabel)];
        /// What the provider extension reads about networks and zones.
        infrastructureConfig: Any => [WithWorkers];
        /// What the provider extension reads about its components in the control plane.
        controlPlaneConfig: Any => [WithWorkers];
        /// Pools of machines; none for a cluster without nodes.
        workers: [Worker; by name] => [DistinctBy("name")];
        /// What all pools share.
        workersSettings: WorkersSettings => [WithWorkers];
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
