// SPDX-License-Identifier: Apache-2.0
//! `spec.provider`: infrastructure and settings of all worker pools.

use serde::Serialize;

use crate::api::Constraint::{DistinctBy, Filled, Format, WithWorkers};
use crate::api::Format::DnsLabel;
use crate::api::shoot::workers::Worker;
use crate::api::{bounded, object};

object! {
    /// Infrastructure provider and worker pools.
    #[derive(Serialize)]
    Provider {
        /// Type of the infrastructure provider, for example `openstack`; immutable.
        "type": String required -> kind: String => [Filled, Format(DnsLabel)];
        /// Provider-specific configuration of networks and zones.
        "infrastructureConfig": Any => [WithWorkers];
        /// Provider-specific configuration of the provider's control plane components.
        "controlPlaneConfig": Any => [WithWorkers];
        /// Worker pools; empty for a cluster without nodes.
        "workers": [Worker; by name] -> #[serde(deserialize_with = "bounded::list", skip_serializing_if = "Vec::is_empty")] workers: Vec<Worker>
            => [DistinctBy("name")];
        /// Settings of all worker pools.
        "workersSettings": WorkersSettings -> workers_settings: WorkersSettings => [WithWorkers];
    }
}

object! {
    /// Settings of all worker pools.
    WorkersSettings {
        /// SSH access to the nodes.
        "sshAccess": SSHAccess -> ssh_access: SSHAccess;
    }
}

object! {
    /// SSH access to the nodes.
    SSHAccess {
        /// Enables SSH access.
        "enabled": Boolean filled -> enabled: Option<bool>;
    }
}
