//! CloudProfile: what an infrastructure has on offer.

pub(super) mod machines;
pub(super) mod versions;

use crate::api::Constraint::{DistinctBy, Filled, Format};
use crate::api::Format::Pem;
use crate::api::cloud_profile::machines::{CapabilityDefinition, MachineType, Region, VolumeType};
use crate::api::cloud_profile::versions::{Bastion, KubernetesSettings, MachineImage};
use crate::api::object;
use crate::api::shared::metadata::ObjectMeta;
use crate::api::shared::selectors::SeedSelector;

object! {
    /// What an infrastructure has on offer.
    #[derive(PartialEq)]
    CloudProfile {
        /// API group and version.
        "apiVersion": String;
        /// The kind.
        "kind": String;
        /// Name, labels and the like.
        "metadata": ObjectMeta -> metadata: ObjectMeta;
        /// Versions, images and types on offer.
        "spec": CloudProfileSpec -> spec: CloudProfileSpec;
        /// What the versions on offer are worth today.
        "status": CloudProfileStatus;
    }
}

object! {
    /// What an infrastructure has on offer.
    #[derive(PartialEq)]
    CloudProfileSpec {
        /// The infrastructure, for example `openstack`.
        "type": String required -> kind: String => [Filled];
        /// Versions of Kubernetes.
        "kubernetes": KubernetesSettings required -> kubernetes: KubernetesSettings;
        /// Machine images.
        "machineImages": [MachineImage; by name] required -> machine_images: Vec<MachineImage>;
        /// Machine types.
        "machineTypes": [MachineType; by name] required -> machine_types: Vec<MachineType>
            => [Filled, DistinctBy("name")];
        /// Capabilities that tell machine types and images apart.
        "machineCapabilities": [CapabilityDefinition] -> machine_capabilities: Vec<CapabilityDefinition>;
        /// Volume types.
        "volumeTypes": [VolumeType; by name] -> volume_types: Vec<VolumeType> => [DistinctBy("name")];
        /// Regions and their zones.
        "regions": [Region; by name] required -> regions: Vec<Region> => [Filled, DistinctBy("name")];
        /// Machines for access by SSH.
        "bastion": Bastion -> bastion: Option<Bastion>;
        /// What Shoots may have at most.
        "limits": Limits -> limits: Option<Limits>;
        /// Seeds that may host control planes.
        "seedSelector": SeedSelector -> seed_selector: Option<SeedSelector>;
        /// Certificates that all nodes trust, in PEM.
        "caBundle": String => [Format(Pem)];
        /// What Shoots may ask for about their control planes.
        "controlPlane": CloudProfileControlPlane -> control_plane: CloudProfileControlPlane;
        /// What the provider extension reads.
        "providerConfig": Any;
    }
}

object! {
    /// What Shoots may ask for about their control planes.
    #[derive(Copy, PartialEq)]
    CloudProfileControlPlane {
        /// Whether they may name its zones.
        "allowZonePinning": Boolean -> allow_zone_pinning: bool;
    }
}

object! {
    /// What Shoots may have at most.
    #[derive(Copy, Eq, PartialEq)]
    Limits {
        /// Most nodes of a Shoot.
        "maxNodesTotal": Integer32 -> max_nodes_total: Option<i32>;
    }
}

object! {
    /// What the versions on offer are worth today; written by Gardener.
    CloudProfileStatus {
        /// Versions of Kubernetes.
        "kubernetes": KubernetesStatus;
        /// Machine images.
        "machineImages": [MachineImageStatus];
    }
}

object! {
    /// What versions of Kubernetes are worth today.
    KubernetesStatus {
        /// The versions.
        "versions": [ExpirableVersionStatus];
    }
}

object! {
    /// What versions of a machine image are worth today.
    MachineImageStatus {
        /// Name of the image.
        "name": String required;
        /// Its versions.
        "versions": [ExpirableVersionStatus];
    }
}

object! {
    /// What a version is worth today.
    ExpirableVersionStatus {
        /// The version.
        "version": String required;
        /// Its current classification.
        "classification": String required;
    }
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
