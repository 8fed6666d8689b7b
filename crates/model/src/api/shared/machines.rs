// SPDX-License-Identifier: Apache-2.0
//! Container runtimes of machine images and worker pools.

use serde::Serialize;

use crate::api::Constraint::{Called, DistinctBy, Enum, Filled};
use crate::api::object;
use crate::api::scalar::Opaque;

object! {
    /// Container runtime interface (CRI) of nodes.
    #[derive(PartialEq, Serialize)]
    Cri {
        /// Name of the CRI implementation: `containerd`.
        "name": String required -> #[serialized] name: String
            => [Enum(&["containerd"])];
        /// Additional container runtimes.
        "containerRuntimes": [ContainerRuntime] -> #[mutated] container_runtimes: Vec<ContainerRuntime>
            => [DistinctBy("type"), Called("containerruntimes")];
    }
}

object! {
    /// Container runtime that is provided by an extension.
    #[derive(PartialEq, Serialize)]
    ContainerRuntime {
        /// Type of the extension, for example `gvisor`.
        "type": String required -> #[serialized] kind: String => [Filled];
        /// Extension-specific configuration.
        "providerConfig": Any -> #[mutated] provider_config: Option<Opaque>;
    }
}
