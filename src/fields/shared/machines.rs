//! What both machines on offer and pools of a Shoot say of containers.

use crate::fields::Constraint::{Called, DistinctBy, Enum, Filled};
use crate::fields::object;

object! {
    /// The container runtime interface.
    Cri {
        /// Its implementation, `containerd`.
        name: String required => [Enum(&["containerd"])];
        /// Additional container runtimes.
        containerRuntimes: [ContainerRuntime] => [DistinctBy("type"), Called("containerruntimes")];
    }
}

object! {
    /// A container runtime that an extension brings.
    ContainerRuntime {
        /// The extension, for example `gvisor`.
        type: String required => [Filled];
        /// What the extension reads.
        providerConfig: Any;
    }
}
