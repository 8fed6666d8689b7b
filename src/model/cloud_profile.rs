use serde::Deserialize;

use super::{Capabilities, ExpirableVersion, MachineImage, ObjectMeta, null_is_default};

/// What a landscape offers on one infrastructure: versions, images, machine types.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
pub struct CloudProfile {
    /// Name and deletion timestamp.
    #[serde(default, deserialize_with = "null_is_default")]
    pub metadata: ObjectMeta,
    /// The offer.
    #[serde(default, deserialize_with = "null_is_default")]
    pub spec: CloudProfileSpec,
}

/// The offer of a [`CloudProfile`], or of a NamespacedCloudProfile merged with its parent.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct CloudProfileSpec {
    /// Kubernetes.
    #[serde(default, deserialize_with = "null_is_default")]
    pub kubernetes: KubernetesSettings,
    /// Machine images.
    #[serde(default, deserialize_with = "null_is_default")]
    pub machine_images: Vec<MachineImage>,
    /// Machine types.
    #[serde(default, deserialize_with = "null_is_default")]
    pub machine_types: Vec<MachineType>,
    /// The capabilities that images and machine types may have, with their values; empty if the profile has none.
    #[serde(default, deserialize_with = "null_is_default")]
    pub machine_capabilities: Vec<CapabilityDefinition>,
    /// The machine and image of bastions.
    pub bastion: Option<Bastion>,
    /// Upper limits for Shoots.
    pub limits: Option<Limits>,
}

/// The Kubernetes versions on offer.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
pub struct KubernetesSettings {
    /// The versions.
    #[serde(default, deserialize_with = "null_is_default")]
    pub versions: Vec<ExpirableVersion>,
}

/// A machine type.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
pub struct MachineType {
    /// The name.
    #[serde(default, deserialize_with = "null_is_default")]
    pub name: String,
    /// The CPU architecture.
    pub architecture: Option<String>,
    /// Capabilities; an absent one has every value that the profile defines.
    #[serde(default, deserialize_with = "null_is_default")]
    pub capabilities: Capabilities,
}

/// A capability and the values it may have.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
pub struct CapabilityDefinition {
    /// The name, for example `architecture`.
    #[serde(default, deserialize_with = "null_is_default")]
    pub name: String,
    /// The values.
    #[serde(default, deserialize_with = "null_is_default")]
    pub values: Vec<String>,
}

/// What bastion hosts run on.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct Bastion {
    /// The machine type; chosen by the infrastructure if absent.
    pub machine_type: Option<BastionMachineType>,
    /// The image; chosen by the infrastructure if absent.
    pub machine_image: Option<BastionMachineImage>,
}

/// The machine type of bastion hosts.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
pub struct BastionMachineType {
    /// The name of one of the profile's machine types.
    #[serde(default, deserialize_with = "null_is_default")]
    pub name: String,
}

/// The image of bastion hosts.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
pub struct BastionMachineImage {
    /// The name of one of the profile's images.
    #[serde(default, deserialize_with = "null_is_default")]
    pub name: String,
    /// One of its versions; the best one if absent.
    pub version: Option<String>,
}

/// Upper limits for Shoots.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct Limits {
    /// The most nodes that the worker pools of a Shoot may have together.
    pub max_nodes_total: Option<i64>,
}

impl CloudProfileSpec {
    /// The architectures that the profile defines as a capability; empty if it does not define capabilities.
    #[must_use]
    pub fn defined_architectures(&self) -> &[String] {
        let definitions = &self.machine_capabilities;
        let definition = definitions.iter().find(|d| d.name == "architecture");
        definition.map_or(&[], |definition| &definition.values)
    }
}
