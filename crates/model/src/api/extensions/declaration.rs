// SPDX-License-Identifier: Apache-2.0
use serde::Deserialize;

use super::version::ExtensionVersion;
use crate::api::Object;

/// An extension whose configurations are known.
#[derive(Debug)]
pub struct Extension {
    /// The name in configuration and rules, such as `aws`.
    pub name: &'static str,
    /// The name of its component in the Open Component Model, which is its repository.
    pub component: &'static str,
    /// The kind and type of objects that it reconciles, as in a ControllerRegistration, such as `Infrastructure` and `aws`.
    pub resource: (&'static str, &'static str),
    /// The component that judges requests, such as `admission-aws`; `None` if it has none.
    pub admission: Option<&'static str>,
    /// The name of the component's webhook configuration; empty if it has none.
    pub webhooks: &'static str,
    /// The oldest and the newest version whose fields and checks are known.
    pub versions: [ExtensionVersion; 2],
    /// The configurations that it reads.
    pub configurations: &'static [Configuration],
}

/// A configuration that an extension reads: a document inside an object of Gardener.
#[derive(Debug)]
pub struct Configuration {
    /// The kind in the header of the document.
    pub kind: &'static str,
    /// The API group in the header of the document.
    pub group: &'static str,
    /// The versions of the API group that the extension knows.
    pub versions: &'static [&'static str],
    /// The fields.
    pub object: &'static Object,
    /// The field that contains it.
    pub place: ConfigurationPlace,
    /// The type next to it that chooses it, such as `aws` in `spec.provider.type`.
    pub class: &'static str,
    /// The necessary parts of the header.
    pub header: Header,
    /// Whether the extension refuses unknown and repeated fields; otherwise it ignores them.
    pub is_strict: bool,
}

/// A field of an object of Gardener that contains a configuration.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq)]
pub enum ConfigurationPlace {
    /// `spec.provider.infrastructureConfig` of a Shoot, chosen by `spec.provider.type`.
    #[serde(rename = "infrastructureConfig")]
    Infrastructure,
    /// `spec.provider.controlPlaneConfig` of a Shoot, chosen by `spec.provider.type`.
    #[serde(rename = "controlPlaneConfig")]
    ControlPlane,
    /// `spec.provider.workers[].providerConfig` of a Shoot, chosen by `spec.provider.type`.
    #[serde(rename = "workerConfig")]
    Worker,
    /// `spec.provider.workers[].machine.image.providerConfig` of a Shoot, chosen by the name of the image.
    #[serde(rename = "imageConfig")]
    MachineImage,
    /// `spec.provider.workers[].cri.containerRuntimes[].providerConfig` of a Shoot, chosen by `type`.
    #[serde(rename = "containerRuntimeConfig")]
    ContainerRuntime,
    /// `spec.networking.providerConfig` of a Shoot, chosen by `spec.networking.type`.
    #[serde(rename = "networkConfig")]
    Network,
    /// `spec.extensions[].providerConfig` of a Shoot or Seed, chosen by `type`.
    #[serde(rename = "extensions")]
    Extension,
    /// `spec.providerConfig` of a CloudProfile, chosen by `spec.type`, or of a NamespacedCloudProfile, chosen by its parent's.
    #[serde(rename = "cloudProfileConfig")]
    CloudProfile,
    /// `spec.provider.providerConfig` of a Seed, chosen by `spec.provider.type`.
    #[serde(rename = "seedProviderConfig")]
    SeedProvider,
    /// `spec.backup.providerConfig` of a Seed, chosen by `spec.backup.provider`.
    #[serde(rename = "backupConfig")]
    Backup,
}

/// The parts of the header, `apiVersion` and `kind`, without which a configuration cannot be decoded.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq)]
pub enum Header {
    /// Both.
    #[default]
    Required,
    /// `apiVersion`; without it, only an object without fields can be decoded.
    #[serde(rename = "APIVersion")]
    ApiVersion,
    /// None: absent parts are filled in.
    Optional,
    /// None; present parts are not checked.
    Ignored,
}

impl Extension {
    /// Returns the label of Gardener's objects that use it, by which API servers choose the objects that its webhooks receive.
    pub fn label(&self) -> String {
        let (kind, class) = self.resource;
        let group = match kind {
            "Infrastructure" => "provider",
            "Network" => "networking",
            "OperatingSystemConfig" => "operatingsystemconfig",
            "ContainerRuntime" => "containerruntime",
            _ => "extensions",
        };
        format!("{group}.extensions.gardener.cloud/{class}")
    }

    /// Returns the newest known version.
    pub fn newest(&self) -> ExtensionVersion {
        self.versions[1]
    }
}

/// The API of the configurations of an extension, and the type that chooses them.
#[derive(Clone, Copy, Debug)]
pub(super) struct ConfigurationApi {
    /// The API group in the header of documents.
    pub group: &'static str,
    /// The versions of the API group that the extension knows.
    pub versions: &'static [&'static str],
    /// The type next to a configuration that chooses it.
    pub class: &'static str,
}

impl ConfigurationApi {
    /// Declares a configuration that is decoded strictly, with a complete header, and whose kind is the name of its object.
    pub(super) const fn configuration(
        self,
        object: &'static Object,
        place: ConfigurationPlace,
    ) -> Configuration {
        Configuration {
            kind: object.name,
            group: self.group,
            versions: self.versions,
            object,
            place,
            class: self.class,
            header: Header::Required,
            is_strict: true,
        }
    }
}

impl Configuration {
    /// Returns the `apiVersion` of the newest version.
    pub fn api_version(&self) -> String {
        let newest = self.versions.last().copied().unwrap_or_default();
        format!("{}/{newest}", self.group)
    }
}
