//! `spec.provider`: infrastructure and what all pools share.

use serde::Serialize;

use crate::api::Constraint::{DistinctBy, Filled, Format, WithWorkers};
use crate::api::Format::DnsLabel;
use crate::api::shoot::workers::Worker;
use crate::api::{bounded, object};

object! {
    /// Infrastructure and pools of machines.
    #[derive(Serialize)]
    Provider {
        /// The infrastructure, for example `openstack`; immutable.
        "type": String required -> kind: String => [Filled, Format(DnsLabel)];
        /// What the provider extension reads about networks and zones.
        "infrastructureConfig": Any => [WithWorkers];
        /// What the provider extension reads about its components in the control plane.
        "controlPlaneConfig": Any => [WithWorkers];
        /// Pools of machines; none for a cluster without nodes.
        "workers": [Worker; by name] -> #[serde(deserialize_with = "bounded::list", skip_serializing_if = "Vec::is_empty")] workers: Vec<Worker>
            => [DistinctBy("name")];
        /// What all pools share.
        "workersSettings": WorkersSettings -> workers_settings: WorkersSettings => [WithWorkers];
    }
}

object! {
    /// What all pools share.
    WorkersSettings {
        /// Access to nodes by SSH.
        "sshAccess": SSHAccess -> ssh_access: SSHAccess;
    }
}

object! {
    /// Access to nodes by SSH.
    SSHAccess {
        /// Whether there is any.
        "enabled": Boolean filled -> enabled: Option<bool>;
    }
}
