// SPDX-License-Identifier: Apache-2.0
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
mod shipped;
#[cfg(test)]
mod tests;
mod version;
mod versioned_schema;

use declaration::ConfigurationApi;
pub use declaration::{Configuration, ConfigurationPlace, Extension, Header};
pub use definition::{
    DefinedAdmission, DefinedConfiguration, DefinedEffect, DefinedResource, DefinedValidation,
    DefinedVersions, EXTENSION_DEFINITION_FIELDS, ExtensionDefinition, ExtensionDefinitionSpec,
};
use shipped::defined_configurations;
pub use shipped::{SHIPPED, ShippedDefinition};
pub use version::{ExtensionVersion, ExtensionVersionError};
pub use versioned_schema::VersionedSchema;

/// The extensions whose configurations are declared here, by name. [`SHIPPED`] has further ones.
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

/// Returns the configurations of all known extensions, with fields for readers. The first use reads [`SHIPPED`].
pub fn described_configurations()
-> impl Iterator<Item = (&'static Extension, &'static Configuration)> {
    let declared = EXTENSIONS.iter().map(|it| (*it, it.configurations));
    let declared = declared.flat_map(|(extension, all)| all.iter().map(move |it| (extension, it)));
    declared.chain(defined_configurations())
}

impl Extension {
    /// Returns all known extensions.
    pub fn all() -> impl Iterator<Item = &'static Self> {
        EXTENSIONS.iter().copied().chain(SHIPPED.iter().map(|it| &it.extension))
    }

    /// Returns the extension of this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        Self::all().find(|it| it.name == name)
    }

    /// Describes that versions older than the known ones are not judged.
    pub fn why_older_are_not_judged(&self) -> String {
        let [oldest, _] = self.versions;
        format!("versions of `{}` before {oldest} are not judged", self.name)
    }

    /// Returns the definition of an extension that is known from data.
    pub fn definition(&self) -> Option<&'static ShippedDefinition> {
        SHIPPED.iter().find(|it| it.extension.name == self.name)
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
