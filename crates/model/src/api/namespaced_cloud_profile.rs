// SPDX-License-Identifier: Apache-2.0
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
    /// Project-specific extension of a CloudProfile.
    NamespacedCloudProfile {
        /// API group and version of the object.
        "apiVersion": String;
        /// Kind of the object.
        "kind": String;
        /// Standard object metadata.
        "metadata": ObjectMeta -> metadata: ObjectMeta;
        /// Additions to and overrides of the parent CloudProfile.
        "spec": NamespacedCloudProfileSpec -> spec: NamespacedCloudProfileSpec;
        /// Result of merging with the parent CloudProfile.
        "status": NamespacedCloudProfileStatus -> status: NamespacedCloudProfileStatus;
    }
}

object! {
    /// Additions to and overrides of a CloudProfile in a Project.
    NamespacedCloudProfileSpec {
        /// Parent CloudProfile; immutable.
        "parent": CloudProfileReference required -> parent: CloudProfileReference;
        /// Kubernetes versions with an overridden expiration date.
        "kubernetes": KubernetesSettings -> kubernetes: Option<KubernetesSettings>;
        /// Machine images that are added, or whose expiration date is overridden.
        "machineImages": [MachineImage; by name] -> machine_images: Vec<MachineImage>;
        /// Additional machine types.
        "machineTypes": [MachineType; by name] -> machine_types: Vec<MachineType> => [DistinctBy("name")];
        /// Additional volume types.
        "volumeTypes": [VolumeType; by name] -> volume_types: Vec<VolumeType> => [DistinctBy("name")];
        /// Upper limits for Shoots.
        "limits": Limits -> limits: Option<Limits>;
        /// CA certificates that all nodes trust, in PEM.
        "caBundle": String => [Format(Pem)];
        /// Provider-specific configuration, read by the provider extension.
        "providerConfig": Any -> provider_config: Option<Box<RawValue>>;
    }
}

object! {
    /// Result of merging with the parent CloudProfile; written by Gardener.
    NamespacedCloudProfileStatus {
        /// Merged CloudProfile specification that Shoots use.
        "cloudProfileSpec": CloudProfileSpec -> cloud_profile_spec: CloudProfileSpec;
        /// Most recent generation that was reconciled.
        "observedGeneration": Integer64;
    }
}

impl NamespacedCloudProfile {
    /// Returns the number of elements in the lists of spec and status.
    pub fn elements(&self) -> usize {
        let kubernetes = self.spec.kubernetes.as_ref();
        kubernetes.map_or(0, |it| it.versions.len())
            + images(&self.spec.machine_images)
            + self.spec.machine_types.len()
            + self.spec.volume_types.len()
            + self.status.cloud_profile_spec.elements()
    }
}
