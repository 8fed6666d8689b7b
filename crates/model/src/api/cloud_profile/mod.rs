// SPDX-License-Identifier: Apache-2.0
//! CloudProfile: versions, images and types that an infrastructure offers.

pub(super) mod machines;
pub(super) mod versions;

use crate::api::Constraint::{DistinctBy, Filled, Format, Since};
use crate::api::Format::Pem;
use crate::api::cloud_profile::machines::{CapabilityDefinition, MachineType, Region, VolumeType};
use crate::api::cloud_profile::versions::{Bastion, KubernetesSettings, MachineImage};
use crate::api::object;
use crate::api::scalar::KeptConfiguration;
use crate::api::shared::metadata::ObjectMeta;
use crate::api::shared::selectors::SeedSelector;

object! {
    /// Kubernetes versions, machine images, machine types and regions that an infrastructure offers.
    #[derive(PartialEq)]
    CloudProfile {
        /// API group and version of the object.
        "apiVersion": String;
        /// Kind of the object.
        "kind": String;
        /// Standard object metadata.
        "metadata": ObjectMeta -> metadata: ObjectMeta;
        /// Available versions, images and types.
        "spec": CloudProfileSpec -> spec: CloudProfileSpec;
        /// Current classification of the available versions.
        "status": CloudProfileStatus;
    }
}

object! {
    /// Specification of a CloudProfile: available versions, images and types.
    #[derive(PartialEq)]
    CloudProfileSpec {
        /// Type of the infrastructure provider, for example `openstack`.
        "type": String required -> kind: String => [Filled];
        /// Available Kubernetes versions.
        "kubernetes": KubernetesSettings required -> kubernetes: KubernetesSettings;
        /// Available machine images.
        "machineImages": [MachineImage; by name] required -> machine_images: Vec<MachineImage>;
        /// Available machine types.
        "machineTypes": [MachineType; by name] required -> machine_types: Vec<MachineType>
            => [Filled, DistinctBy("name")];
        /// Capabilities that distinguish machine types and images.
        "machineCapabilities": [CapabilityDefinition] -> machine_capabilities: Vec<CapabilityDefinition>;
        /// Available volume types.
        "volumeTypes": [VolumeType; by name] -> volume_types: Vec<VolumeType> => [DistinctBy("name")];
        /// Available regions and their zones.
        "regions": [Region; by name] required -> regions: Vec<Region> => [Filled, DistinctBy("name")];
        /// Machine image and type of bastion hosts for SSH access.
        "bastion": Bastion -> bastion: Option<Bastion>;
        /// Upper limits for Shoots.
        "limits": Limits -> limits: Option<Limits>;
        /// Selector of the Seeds that can host control planes.
        "seedSelector": SeedSelector -> seed_selector: Option<SeedSelector>;
        /// CA certificates that all nodes trust, in PEM.
        "caBundle": String => [Format(Pem)];
        /// Control plane settings that Shoots can use.
        "controlPlane": CloudProfileControlPlane -> control_plane: CloudProfileControlPlane => [Since(150)];
        /// Provider-specific configuration, read by the provider extension.
        "providerConfig": Any -> #[serde(skip)] provider_config: KeptConfiguration;
    }
}

object! {
    /// Control plane settings that Shoots can use.
    #[derive(Copy, PartialEq)]
    CloudProfileControlPlane {
        /// Allows Shoots to select the zones of their control plane.
        "allowZonePinning": Boolean -> allow_zone_pinning: bool => [Since(150)];
    }
}

object! {
    /// Upper limits for Shoots.
    #[derive(Copy, Eq, PartialEq)]
    Limits {
        /// Maximum number of nodes in a Shoot.
        "maxNodesTotal": Integer32 -> max_nodes_total: Option<i32>;
    }
}

object! {
    /// Current classification of the available versions; written by Gardener.
    CloudProfileStatus {
        /// Status of the Kubernetes versions.
        "kubernetes": KubernetesStatus;
        /// Status of the machine images.
        "machineImages": [MachineImageStatus];
    }
}

object! {
    /// Current classification of the Kubernetes versions.
    KubernetesStatus {
        /// Kubernetes versions and their classification.
        "versions": [ExpirableVersionStatus];
    }
}

object! {
    /// Current classification of the versions of a machine image.
    MachineImageStatus {
        /// Name of the machine image.
        "name": String required;
        /// Versions of the image and their classification.
        "versions": [ExpirableVersionStatus];
    }
}

object! {
    /// Current classification of a version.
    ExpirableVersionStatus {
        /// Version identifier.
        "version": String required;
        /// Current classification of the version.
        "classification": String required;
    }
}

impl MachineType {
    /// Returns the architecture in a profile that defines `defined` as values of a capability (or none).
    ///
    /// It is the only architecture among the type's capabilities, else its field `architecture`. Mirrors GetArchitecture in
    /// `pkg/apis/core/types_cloudprofile.go`.
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
    pub fn defined_architectures(&self) -> &[String] {
        architectures_of(&self.machine_capabilities)
    }

    /// Returns the number of elements in its lists.
    pub fn elements(&self) -> usize {
        let regions =
            self.regions.iter().map(|it| 1 + it.zones.len() + it.access_restrictions.len());
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
    images.len() + versions.map(|it| 1 + it.capability_flavors.len()).sum::<usize>()
}

/// Returns the values of the capability `architecture`; of several definitions the last one is used.
pub fn architectures_of(definitions: &[CapabilityDefinition]) -> &[String] {
    let mut latest = definitions.iter().rev();
    let definition = latest.find(|definition| definition.name == "architecture");
    definition.map_or(&[], |definition| &definition.values)
}
