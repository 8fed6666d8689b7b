//! CloudProfile: what an infrastructure has on offer.

pub(super) mod machines;
pub(super) mod versions;

use crate::fields::Constraint::{DistinctBy, Filled, Format};
use crate::fields::Format::Pem;
use crate::fields::cloud_profile::machines::{
    CapabilityDefinition, MachineType, Region, VolumeType,
};
use crate::fields::cloud_profile::versions::{Bastion, KubernetesSettings, MachineImage};
use crate::fields::object;
use crate::fields::shared::metadata::ObjectMeta;
use crate::fields::shared::selectors::SeedSelector;

object! {
    /// What an infrastructure has on offer.
    CloudProfile {
        /// API group and version.
        apiVersion: String;
        /// The kind.
        kind: String;
        /// Name, labels and the like.
        metadata: ObjectMeta;
        /// Versions, images and types on offer.
        spec: CloudProfileSpec;
        /// What the versions on offer are worth today.
        status: CloudProfileStatus;
    }
}

object! {
    /// What an infrastructure has on offer.
    CloudProfileSpec {
        /// The infrastructure, for example `openstack`.
        type: String required => [Filled];
        /// Versions of Kubernetes.
        kubernetes: KubernetesSettings required;
        /// Machine images.
        machineImages: [MachineImage; by name] required;
        /// Machine types.
        machineTypes: [MachineType; by name] required => [Filled, DistinctBy("name")];
        /// Capabilities that tell machine types and images apart.
        machineCapabilities: [CapabilityDefinition];
        /// Volume types.
        volumeTypes: [VolumeType; by name] => [DistinctBy("name")];
        /// Regions and their zones.
        regions: [Region; by name] required => [Filled, DistinctBy("name")];
        /// Machines for access by SSH.
        bastion: Bastion;
        /// What Shoots may have at most.
        limits: Limits;
        /// Seeds that may host control planes.
        seedSelector: SeedSelector;
        /// Certificates that all nodes trust, in PEM.
        caBundle: String => [Format(Pem)];
        /// What Shoots may ask for about their control planes.
        controlPlane: CloudProfileControlPlane;
        /// What the provider extension reads.
        providerConfig: Any;
    }
}

object! {
    /// What Shoots may ask for about their control planes.
    CloudProfileControlPlane {
        /// Whether they may name its zones.
        allowZonePinning: Boolean;
    }
}

object! {
    /// What Shoots may have at most.
    Limits {
        /// Most nodes of a Shoot.
        maxNodesTotal: Integer32;
    }
}

object! {
    /// What the versions on offer are worth today; written by Gardener.
    CloudProfileStatus {
        /// Versions of Kubernetes.
        kubernetes: KubernetesStatus;
        /// Machine images.
        machineImages: [MachineImageStatus];
    }
}

object! {
    /// What versions of Kubernetes are worth today.
    KubernetesStatus {
        /// The versions.
        versions: [ExpirableVersionStatus];
    }
}

object! {
    /// What versions of a machine image are worth today.
    MachineImageStatus {
        /// Name of the image.
        name: String required;
        /// Its versions.
        versions: [ExpirableVersionStatus];
    }
}

object! {
    /// What a version is worth today.
    ExpirableVersionStatus {
        /// The version.
        version: String required;
        /// Its current classification.
        classification: String required;
    }
}
