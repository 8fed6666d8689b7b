//! CloudProfile: what an infrastructure has on offer.

pub(super) mod machines;
pub(super) mod versions;

use crate::fields::cloud_profile::machines::{
    CapabilityDefinition, MachineType, Region, VolumeType,
};
use crate::fields::cloud_profile::versions::{Bastion, KubernetesSettings, MachineImage};
use crate::fields::object;
use crate::fields::shared::metadata::ObjectMeta;
use crate::fields::shared::selectors::SeedSelector;

object! {
    CloudProfile {
        apiVersion: String;
        kind: String;
        metadata: ObjectMeta;
        spec: CloudProfileSpec;
        status: CloudProfileStatus;
    }
}

object! {
    CloudProfileSpec {
        bastion: Bastion;
        caBundle: String;
        controlPlane: CloudProfileControlPlane;
        kubernetes: KubernetesSettings required;
        limits: Limits;
        machineCapabilities: [CapabilityDefinition];
        machineImages: [MachineImage; by name] required;
        machineTypes: [MachineType; by name] required;
        providerConfig: Any;
        regions: [Region; by name] required;
        seedSelector: SeedSelector;
        type: String required;
        volumeTypes: [VolumeType; by name];
    }
}

object! {
    CloudProfileControlPlane {
        allowZonePinning: Boolean;
    }
}

object! {
    Limits {
        maxNodesTotal: Integer32;
    }
}

object! {
    CloudProfileStatus {
        kubernetes: KubernetesStatus;
        machineImages: [MachineImageStatus];
    }
}

object! {
    KubernetesStatus {
        versions: [ExpirableVersionStatus];
    }
}

object! {
    MachineImageStatus {
        name: String required;
        versions: [ExpirableVersionStatus];
    }
}

object! {
    ExpirableVersionStatus {
        classification: String required;
        version: String required;
    }
}
