use serde::Deserialize;

use crate::compat::Quantity;
use crate::model::{
    AccessRestriction, Capabilities, ExpirableVersion, MachineImage, ObjectMeta, SeedSelector,
    bounded, null_is_default,
};

/// The available versions, images and machine types of a landscape on one infrastructure.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
pub struct CloudProfile {
    /// Name and deletion timestamp.
    #[serde(default, deserialize_with = "null_is_default")]
    pub metadata: ObjectMeta,
    /// The content of the profile.
    #[serde(default, deserialize_with = "null_is_default")]
    pub spec: CloudProfileSpec,
}

/// The content of a [`CloudProfile`], or of a NamespacedCloudProfile merged with its parent.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct CloudProfileSpec {
    /// The type of the infrastructure.
    #[serde(default, rename = "type", deserialize_with = "null_is_default")]
    pub kind: String,
    /// Kubernetes.
    #[serde(default, deserialize_with = "null_is_default")]
    pub kubernetes: KubernetesSettings,
    /// Machine images.
    #[serde(default, deserialize_with = "bounded::list")]
    pub machine_images: Vec<MachineImage>,
    /// Machine types.
    #[serde(default, deserialize_with = "bounded::list")]
    pub machine_types: Vec<MachineType>,
    /// Volume types.
    #[serde(default, deserialize_with = "bounded::list")]
    pub volume_types: Vec<VolumeType>,
    /// The capabilities that images and machine types may have, with their values; empty if the profile has none.
    #[serde(default, deserialize_with = "bounded::list")]
    pub machine_capabilities: Vec<CapabilityDefinition>,
    /// The machine and image of bastions.
    pub bastion: Option<Bastion>,
    /// Upper limits for Shoots.
    pub limits: Option<Limits>,
    /// The seeds that may host Shoots with this profile.
    pub seed_selector: Option<SeedSelector>,
    /// The regions.
    #[serde(default, deserialize_with = "bounded::list")]
    pub regions: Vec<Region>,
    /// The settings that Shoots may make for their control planes.
    #[serde(default, deserialize_with = "null_is_default")]
    pub control_plane: ControlPlaneOffer,
}

/// A region of a [`CloudProfile`].
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct Region {
    /// The name.
    #[serde(default, deserialize_with = "null_is_default")]
    pub name: String,
    /// The access restrictions that Shoots may have in this region.
    #[serde(default, deserialize_with = "bounded::list")]
    pub access_restrictions: Vec<AccessRestriction>,
    /// The zones.
    #[serde(default, deserialize_with = "bounded::list")]
    pub zones: Vec<AvailabilityZone>,
}

/// A zone of a [`Region`].
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct AvailabilityZone {
    /// The name.
    #[serde(default, deserialize_with = "null_is_default")]
    pub name: String,
    /// The machine types that this zone lacks.
    #[serde(default, deserialize_with = "null_is_default")]
    pub unavailable_machine_types: Vec<String>,
    /// The volume types that this zone lacks.
    #[serde(default, deserialize_with = "null_is_default")]
    pub unavailable_volume_types: Vec<String>,
}

/// The settings that Shoots may make for their control planes.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct ControlPlaneOffer {
    /// Whether Shoots may choose the zones.
    #[serde(default, deserialize_with = "null_is_default")]
    pub allow_zone_pinning: bool,
}

/// The available Kubernetes versions.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
pub struct KubernetesSettings {
    /// The versions.
    #[serde(default, deserialize_with = "bounded::list")]
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
    /// Whether Shoots can use it; the default is true.
    pub usable: Option<bool>,
    /// The number of CPUs of a machine.
    pub cpu: Option<Box<Quantity>>,
    /// The memory of a machine.
    pub memory: Option<Box<Quantity>>,
    /// The number of GPUs of a machine.
    pub gpu: Option<Box<Quantity>>,
    /// The storage for the root volume of a machine.
    pub storage: Option<Box<MachineStorage>>,
}

/// The storage of a machine type for root volumes.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct MachineStorage {
    /// The volume type.
    #[serde(default, rename = "type", deserialize_with = "null_is_default")]
    pub volume_type: String,
    /// The class of its volumes in a Quota.
    #[serde(default, deserialize_with = "null_is_default")]
    pub class: String,
    /// The size of such a volume, if a pool sets none.
    #[serde(rename = "size")]
    pub storage_size: Option<Quantity>,
    /// The minimum size of a volume of that type.
    pub min_size: Option<Quantity>,
}

/// A volume type.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct VolumeType {
    /// The name.
    #[serde(default, deserialize_with = "null_is_default")]
    pub name: String,
    /// The class of its volumes in a Quota.
    #[serde(default, deserialize_with = "null_is_default")]
    pub class: String,
    /// Whether Shoots can use it; the default is true.
    pub usable: Option<bool>,
    /// The minimum size of a volume.
    pub min_size: Option<Box<Quantity>>,
}

impl MachineType {
    /// Returns the architecture in a profile that defines `defined` as values of a capability (or none).
    ///
    /// It is the only architecture among the type's capabilities, else its field `architecture`. Mirrors GetArchitecture in
    /// `pkg/apis/core/types_cloudprofile.go`.
    #[must_use]
    pub fn architecture_within<'a>(&'a self, defined: &'a [String]) -> Option<&'a str> {
        let own = self.capabilities.get("architecture");
        let values = own.filter(|_| !defined.is_empty());
        match values.map_or(defined, Vec::as_slice) {
            [only] => Some(only),
            _ => self.architecture.as_deref(),
        }
    }
}

/// A capability and the values it may have.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
pub struct CapabilityDefinition {
    /// The name, for example `architecture`.
    #[serde(default, deserialize_with = "null_is_default")]
    pub name: String,
    /// The values.
    #[serde(default, deserialize_with = "bounded::short_list")]
    pub values: Vec<String>,
}

/// Machine type and image of bastion hosts.
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
    /// Maximum number of nodes in all worker pools of a Shoot.
    pub max_nodes_total: Option<i32>,
}

impl CloudProfileSpec {
    /// Returns the architectures that the profile defines as a capability; empty without capabilities.
    #[must_use]
    pub fn defined_architectures(&self) -> &[String] {
        architectures_of(&self.machine_capabilities)
    }

    /// Returns the number of elements in its lists.
    #[must_use]
    pub fn elements(&self) -> usize {
        let regions = self.regions.iter();
        let regions = regions.map(|it| 1 + it.zones.len() + it.access_restrictions.len());
        self.kubernetes.versions.len()
            + images(&self.machine_images)
            + self.machine_types.len()
            + self.volume_types.len()
            + regions.sum::<usize>()
    }
}

/// Returns the number of images, versions and flavors.
pub(super) fn images(images: &[MachineImage]) -> usize {
    let versions = images.iter().flat_map(|it| &it.versions);
    images.len()
        + versions
            .map(|it| 1 + it.capability_flavors.len())
            .sum::<usize>()
}

/// Returns the values of the capability `architecture`; of several definitions the last one is used.
#[must_use]
pub fn architectures_of(definitions: &[CapabilityDefinition]) -> &[String] {
    let mut latest = definitions.iter().rev();
    let definition = latest.find(|definition| definition.name == "architecture");
    definition.map_or(&[], |definition| &definition.values)
}
