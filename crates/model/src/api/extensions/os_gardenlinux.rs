// SPDX-License-Identifier: Apache-2.0
//! The configuration of os-gardenlinux, in the API group `memoryone-gardenlinux.os.extensions.gardener.cloud`.

use super::{
    Configuration, ConfigurationApi, ConfigurationPlace, Extension, ExtensionVersion, Header,
};
use crate::api::object;

const API: ConfigurationApi = ConfigurationApi {
    group: "memoryone-gardenlinux.os.extensions.gardener.cloud",
    versions: &["v1alpha1"],
    class: "memoryone-gardenlinux",
};

/// os-gardenlinux, for machines with Garden Linux. Only the variant with vSMP MemoryONE reads a configuration.
pub static EXTENSION: Extension = Extension {
    name: "os-gardenlinux",
    component: "github.com/gardener/gardener-extension-os-gardenlinux",
    resource: ("OperatingSystemConfig", "gardenlinux"),
    admission: None,
    webhooks: "",
    versions: [ExtensionVersion::new(0, 24), ExtensionVersion::new(0, 48)],
    configurations: &[Configuration {
        header: Header::Optional,
        is_strict: false,
        ..API.configuration(&OperatingSystemConfiguration, ConfigurationPlace::MachineImage)
    }],
};

object! {
    /// Settings of vSMP MemoryONE on Garden Linux.
    OperatingSystemConfiguration {
        /// API group and version of the configuration.
        "apiVersion": String;
        /// Kind of the configuration.
        "kind": String;
        /// Parameter `mem_topology`. The default is `2`.
        "memoryTopology": String;
        /// Parameter `system_memory`. The default is `6x`.
        "systemMemory": String;
    }
}
