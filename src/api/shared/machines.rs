//! What both machines on offer and pools of a Shoot say of containers.

use serde::Serialize;

use crate::api::Constraint::{Called, DistinctBy, Enum, Filled};
use crate::api::cloud_profile::versions::Opaque;
use crate::api::{null_is_default, object};

object! {
    /// The container runtime interface.
    #[derive(PartialEq, Serialize)]
    Cri {
        /// Its implementation, `containerd`.
        "name": String required -> #[serde(deserialize_with = "null_is_default")] name: String
            => [Enum(&["containerd"])];
        /// Additional container runtimes.
        "containerRuntimes": [ContainerRuntime] -> #[mutated] container_runtimes: Vec<ContainerRuntime>
            => [DistinctBy("type"), Called("containerruntimes")];
    }
}

object! {
    /// A container runtime that an extension brings.
    #[derive(PartialEq, Serialize)]
    ContainerRuntime {
        /// The extension, for example `gvisor`.
        "type": String required -> #[serde(deserialize_with = "null_is_default")] kind: String => [Filled];
        /// What the extension reads.
        "providerConfig": Any -> #[mutated] provider_config: Option<Opaque>;
    }
}
