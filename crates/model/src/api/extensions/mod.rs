//! The configurations of extensions of Gardener: their fields, and their places in Gardener's objects.
//!
//! They are declared like Gardener's kinds. `Since(66)` and `Until(66)` are minor versions of the extension.

pub mod alicloud;
pub mod auditing;
pub mod aws;
pub mod azure;
pub mod calico;
pub mod cert_service;
pub mod cilium;
mod declaration;
mod definition;
pub mod dns_service;
pub mod falco;
pub mod gcp;
pub mod lakom;
pub mod networking_filter;
pub mod openstack;
pub mod os_gardenlinux;
pub mod os_suse_chost;
pub mod problemdetector;
pub mod registry_cache;
pub mod registry_mirror;
pub mod rsyslog_relp;
#[cfg(test)]
mod tests;
mod version;

use declaration::ConfigurationApi;
pub use declaration::{Configuration, ConfigurationPlace, Extension, Header};
pub use definition::{
    DefinedAdmission, DefinedConfiguration, DefinedEffect, DefinedResource, DefinedValidation,
    DefinedVersions, EXTENSION_DEFINITION_FIELDS, ExtensionDefinition, ExtensionDefinitionSpec,
    SHIPPED, ShippedDefinition,
};
pub use version::{ExtensionVersion, ExtensionVersionError};

/// The extensions whose configurations are known, by name.
pub static EXTENSIONS: &[&Extension] = &[
    &alicloud::EXTENSION,
    &auditing::EXTENSION,
    &aws::EXTENSION,
    &azure::EXTENSION,
    &calico::EXTENSION,
    &cert_service::EXTENSION,
    &cilium::EXTENSION,
    &dns_service::EXTENSION,
    &falco::EXTENSION,
    &gcp::EXTENSION,
    &lakom::EXTENSION,
    &networking_filter::EXTENSION,
    &openstack::EXTENSION,
    &os_gardenlinux::EXTENSION,
    &os_suse_chost::EXTENSION,
    &problemdetector::EXTENSION,
    &registry_cache::EXTENSION,
    &registry_mirror::EXTENSION,
    &rsyslog_relp::EXTENSION,
];

impl Extension {
    /// Returns the extension of this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        EXTENSIONS.iter().copied().find(|it| it.name == name)
    }
}

impl Configuration {
    /// Returns the configuration at a place that a type chooses, with its extension.
    pub fn at(
        place: ConfigurationPlace,
        class: &str,
    ) -> Option<(&'static Extension, &'static Self)> {
        let mut all = EXTENSIONS
            .iter()
            .flat_map(|it| it.configurations.iter().map(|configuration| (*it, configuration)));
        all.find(|(_, it)| it.place == place && it.class == class)
    }
}
