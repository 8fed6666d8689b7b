use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::cloud_profile::images;
use crate::model::{
    CloudProfileSpec, ExpirableVersion, Limits, MachineImage, MachineType, ObjectMeta, VolumeType,
    bounded, is_default, null_is_default,
};

/// A project's overlay of a CloudProfile.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct NamespacedCloudProfile {
    /// Name and namespace.
    #[serde(default, deserialize_with = "null_is_default")]
    pub metadata: ObjectMeta,
    /// The changes of the overlay.
    #[serde(default, deserialize_with = "null_is_default")]
    pub spec: NamespacedCloudProfileSpec,
    /// The overlay merged with its parent by Gardener.
    #[serde(default, deserialize_with = "null_is_default")]
    pub status: NamespacedCloudProfileStatus,
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

/// The observed state of a [`NamespacedCloudProfile`].
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NamespacedCloudProfileStatus {
    /// The overlay merged with its parent, as of the last reconciliation.
    #[serde(default, deserialize_with = "null_is_default")]
    pub cloud_profile_spec: CloudProfileSpec,
}

/// The CloudProfile that a [`NamespacedCloudProfile`] changes.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq)]
pub struct ParentReference {
    /// `CloudProfile`.
    #[serde(default, deserialize_with = "null_is_default")]
    pub kind: String,
    /// The name of the CloudProfile.
    #[serde(default, deserialize_with = "null_is_default")]
    pub name: String,
}

/// The changes of a [`NamespacedCloudProfile`].
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NamespacedCloudProfileSpec {
    /// The CloudProfile that is changed.
    #[serde(default, deserialize_with = "null_is_default")]
    pub parent: ParentReference,
    /// Overrides of Kubernetes versions.
    pub kubernetes: Option<NamespacedCloudProfileKubernetes>,
    /// Own machine images, and overrides of the parent's.
    #[serde(default, deserialize_with = "bounded::list")]
    pub machine_images: Vec<MachineImage>,
    /// Own machine types, and replacements of the parent's.
    #[serde(default, deserialize_with = "bounded::list")]
    pub machine_types: Vec<MachineType>,
    /// Own volume types, and replacements of the parent's.
    #[serde(default, deserialize_with = "bounded::list")]
    pub volume_types: Vec<VolumeType>,
    /// Upper limits for Shoots; replace the parent's.
    pub limits: Option<Limits>,
    /// Provider-specific configuration, compared byte for byte.
    pub provider_config: Option<Box<RawValue>>,
}

/// Kubernetes version overrides.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct NamespacedCloudProfileKubernetes {
    /// The versions that are overridden.
    #[serde(
        default,
        deserialize_with = "bounded::list",
        skip_serializing_if = "is_default"
    )]
    pub versions: Vec<ExpirableVersion>,
}
