//! What both machines on offer and pools of a Shoot say of containers.

use crate::fields::object;

object! {
    Cri {
        containerRuntimes: [ContainerRuntime];
        name: String required;
    }
}

object! {
    ContainerRuntime {
        providerConfig: Any;
        type: String required;
    }
}
