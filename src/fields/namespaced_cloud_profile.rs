//! NamespacedCloudProfile: a Project's overlay of a CloudProfile.

use crate::fields::Constraint::{DistinctBy, Format};
use crate::fields::Format::Pem;
use crate::fields::cloud_profile::machines::{MachineType, VolumeType};
use crate::fields::cloud_profile::versions::{KubernetesSettings, MachineImage};
use crate::fields::cloud_profile::{CloudProfileSpec, Limits};
use crate::fields::object;
use crate::fields::shared::metadata::ObjectMeta;
use crate::fields::shared::references::CloudProfileReference;

object! {
    /// What a Project adds to a CloudProfile.
    NamespacedCloudProfile {
        /// API group and version.
        apiVersion: String;
        /// The kind.
        kind: String;
        /// Name, labels and the like.
        metadata: ObjectMeta;
        /// Additions and changes.
        spec: NamespacedCloudProfileSpec;
        /// What comes of it.
        status: NamespacedCloudProfileStatus;
    }
}

object! {
    /// What a Project adds to a CloudProfile.
    NamespacedCloudProfileSpec {
        /// The CloudProfile; immutable.
        parent: CloudProfileReference required;
        /// Versions of Kubernetes that expire at another time.
        kubernetes: KubernetesSettings;
        /// Machine images that are added, or expire at another time.
        machineImages: [MachineImage; by name];
        /// Machine types that are added.
        machineTypes: [MachineType; by name] => [DistinctBy("name")];
        /// Volume types that are added.
        volumeTypes: [VolumeType; by name] => [DistinctBy("name")];
        /// What Shoots may have at most.
        limits: Limits;
        /// Certificates that all nodes trust, in PEM.
        caBundle: String => [Format(Pem)];
        /// What the provider extension reads.
        providerConfig: Any;
    }
}

object! {
    /// What comes of both; written by Gardener.
    NamespacedCloudProfileStatus {
        /// The profile that Shoots see.
        cloudProfileSpec: CloudProfileSpec;
        /// The specification that was reconciled.
        observedGeneration: Integer64;
    }
}
