//! What both machines on offer and pools of a Shoot say of containers.

use crate::fields::object;

object! {
    /// The container runtime interface.
    Cri {
        /// Its implementation, `containerd`.
        name: String required;
        /// Further runtimes beside it.
        containerRuntimes: [ContainerRuntime];
    }
}

object! {
    /// A container runtime that an extension brings.
    ContainerRuntime {
        /// The extension, for example `gvisor`.
        type: String required;
        /// What the extension reads.
        providerConfig: Any;
    }
}
