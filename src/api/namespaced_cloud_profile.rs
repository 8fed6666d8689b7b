//! NamespacedCloudProfile: a Project's overlay of a CloudProfile.

use serde_json::value::RawValue;

use crate::api::Constraint::{DistinctBy, Format};
use crate::api::Format::Pem;
use crate::api::cloud_profile::machines::{MachineType, VolumeType};
use crate::api::cloud_profile::versions::{KubernetesSettings, MachineImage};
use crate::api::cloud_profile::{CloudProfileSpec, Limits, images};
use crate::api::object;
use crate::api::shared::metadata::ObjectMeta;
use crate::api::shared::references::CloudProfileReference;

object! {
    /// What a Project adds to a CloudProfile.
    NamespacedCloudProfile {
        /// API group and version.
        "apiVersion": String;
        /// The kind.
        "kind": String;
        /// Name, labels and the like.
        "metadata": ObjectMeta -> metadata: ObjectMeta;
        /// Additions and changes.
        "spec": NamespacedCloudProfileSpec -> spec: NamespacedCloudProfileSpec;
        /// What comes of it.
        "status": NamespacedCloudProfileStatus -> status: NamespacedCloudProfileStatus;
    }
}

object! {
    /// What a Project adds to a CloudProfile.
    NamespacedCloudProfileSpec {
        /// The CloudProfile; immutable.
        "parent": CloudProfileReference required -> parent: CloudProfileReference;
        /// Versions of Kubernetes that expire at another time.
        "kubernetes": KubernetesSettings -> kubernetes: Option<KubernetesSettings>;
        /// Machine images that are added, or expire at another time.
        "machineImages": [MachineImage; by name] -> machine_images: Vec<MachineImage>;
        /// Machine types that are added.
        "machineTypes": [MachineType; by name] -> machine_types: Vec<MachineType> => [DistinctBy("name")];
        /// Volume types that are added.
        "volumeTypes": [VolumeType; by name] -> volume_types: Vec<VolumeType> => [DistinctBy("name")];
        /// What Shoots may have at most.
        "limits": Limits -> limits: Option<Limits>;
        /// Certificates that all nodes trust, in PEM.
        "caBundle": String => [Format(Pem)];
        /// What the provider extension reads.
        "providerConfig": Any -> provider_config: Option<Box<RawValue>>;
    }
}

object! {
    /// What comes of both; written by Gardener.
    NamespacedCloudProfileStatus {
        /// The profile that Shoots see.
        "cloudProfileSpec": CloudProfileSpec -> cloud_profile_spec: CloudProfileSpec;
        /// The specification that was reconciled.
        "observedGeneration": Integer64;
    }
}

impl NamespacedCloudProfile {
    /// Returns the number of elements in the lists of spec and status.
    #[must_use]
    pub fn elements(&self) -> usize {
        let kubernetes = self.spec.kubernetes.as_ref();
        kubernetes.map_or(0, |it| it.versions.len())
            + images(&self.spec.machine_images)
            + self.spec.machine_types.len()
            + self.spec.volume_types.len()
            + self.status.cloud_profile_spec.elements()
    }
}
