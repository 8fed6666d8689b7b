//! NamespacedCloudProfile: a Project's overlay of a CloudProfile.

use crate::fields::cloud_profile::machines::{MachineType, VolumeType};
use crate::fields::cloud_profile::versions::{KubernetesSettings, MachineImage};
use crate::fields::cloud_profile::{CloudProfileSpec, Limits};
use crate::fields::object;
use crate::fields::shared::metadata::ObjectMeta;
use crate::fields::shared::references::CloudProfileReference;

object! {
    NamespacedCloudProfile {
        apiVersion: String;
        kind: String;
        metadata: ObjectMeta;
        spec: NamespacedCloudProfileSpec;
        status: NamespacedCloudProfileStatus;
    }
}

object! {
    NamespacedCloudProfileSpec {
        caBundle: String;
        kubernetes: KubernetesSettings;
        limits: Limits;
        machineImages: [MachineImage; by name];
        machineTypes: [MachineType; by name];
        parent: CloudProfileReference required;
        providerConfig: Any;
        volumeTypes: [VolumeType; by name];
    }
}

object! {
    NamespacedCloudProfileStatus {
        cloudProfileSpec: CloudProfileSpec;
        observedGeneration: Integer64;
    }
}
