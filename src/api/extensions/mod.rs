//! The configurations of extensions of Gardener: their fields, and their places in Gardener's objects.
//!
//! They are declared like Gardener's kinds. `Since(66)` and `Until(66)` are minor versions of the extension.

pub mod alicloud;
pub mod auditing;
pub mod azure;
pub mod cert_service;
pub mod calico;
pub mod aws;
pub mod cilium;
mod declaration;
pub mod dns_service;
pub mod gcp;
pub mod lakom;
pub mod openstack;
pub mod os_gardenlinux;
pub mod os_suse_chost;
pub mod problemdetector;
pub mod rsyslog_relp;
#[cfg(test)]
mod tests;
pub mod networking_filter;
pub mod registry_cache;
pub mod registry_mirror;
mod version;

pub use declaration::{Configuration, ConfigurationPlace, Extension, Header};
pub use version::{ExtensionVersion, ExtensionVersionError};

/// The extensions whose configurations are known, by name.
pub static EXTENSIONS: &[&Extension] = &[
    &alicloud::EXTENSION,
    &auditing::EXTENSION,
    &azure::EXTENSION,
    &cert_service::EXTENSION,
    &cilium::EXTENSION,
    &dns_service::EXTENSION,
    &gcp::EXTENSION,
    &lakom::EXTENSION,
    &openstack::EXTENSION,
    &os_gardenlinux::EXTENSION,
    &os_suse_chost::EXTENSION,
    &problemdetector::EXTENSION,
    &rsyslog_relp::EXTENSION,
];
pub static EXTENSIONS: &[&Extension] = &[&calico::EXTENSION, &cilium::EXTENSION];
    &cilium::EXTENSION,
    &networking_filter::EXTENSION,
    &registry_cache::EXTENSION,
    &registry_mirror::EXTENSION,
];
pub static EXTENSIONS: &[&Extension] = &[&aws::EXTENSION, &cilium::EXTENSION];

impl Extension {
    /// Returns the extension of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        EXTENSIONS.iter().copied().find(|it| it.name == name)
    }
}

impl Configuration {
    /// Returns the configuration at a place that a type chooses, with its extension.
    #[must_use]
    pub fn at(
        place: ConfigurationPlace,
        class: &str,
    ) -> Option<(&'static Extension, &'static Self)> {
        let mut all = EXTENSIONS.iter().flat_map(|it| {
            it.configurations
                .iter()
                .map(|configuration| (*it, configuration))
        });
        all.find(|(_, it)| it.place == place && it.class == class)
    }
}
