// SPDX-License-Identifier: Apache-2.0
//! The configuration of os-suse-chost, in the API group `memoryone-chost.os.extensions.gardener.cloud`.

use super::{
    Configuration, ConfigurationApi, ConfigurationPlace, Extension, ExtensionVersion, Header,
};
use crate::api::Constraint::Since;
use crate::api::object;

const API: ConfigurationApi = ConfigurationApi {
    group: "memoryone-chost.os.extensions.gardener.cloud",
    versions: &["v1alpha1"],
    class: "memoryone-chost",
};

/// os-suse-chost, for machines with SUSE CHOST. Only the variant with vSMP MemoryONE reads a configuration.
pub static EXTENSION: Extension = Extension {
    name: "os-suse-chost",
    component: "github.com/gardener/gardener-extension-os-suse-chost",
    resource: ("OperatingSystemConfig", "suse-chost"),
    admission: None,
    webhooks: "",
    versions: [ExtensionVersion::new(1, 25), ExtensionVersion::new(1, 46)],
    configurations: &[Configuration {
        header: Header::Optional,
        is_strict: false,
        ..API.configuration(&OperatingSystemConfiguration, ConfigurationPlace::MachineImage)
    }],
};

object! {
    /// Settings of vSMP MemoryONE on SUSE CHOST.
    OperatingSystemConfiguration {
        /// API group and version of the configuration.
        "apiVersion": String;
        /// Kind of the configuration.
        "kind": String;
        /// Parameter `mem_topology`. The default is `2`.
        "memoryTopology": String;
        /// Parameter `system_memory`. The default is `6x`.
        "systemMemory": String;
        /// Further parameters of vSMP by name.
        "vsmpConfiguration": {String} => [Since(32)];
    }
}
