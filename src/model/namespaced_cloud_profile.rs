use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use super::{ExpirableVersion, LifecycleStage, ObjectMeta, is_default, null_is_default};

/// A project's overlay of a CloudProfile.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct NamespacedCloudProfile {
    /// Name and namespace.
    #[serde(default, deserialize_with = "null_is_default")]
    pub metadata: ObjectMeta,
    /// What the overlay changes.
    #[serde(default, deserialize_with = "null_is_default")]
    pub spec: NamespacedCloudProfileSpec,
}

/// The guarded parts of a [`NamespacedCloudProfile`].
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NamespacedCloudProfileSpec {
    /// Overrides of Kubernetes versions.
    pub kubernetes: Option<NamespacedCloudProfileKubernetes>,
    /// Own machine images, and overrides of the parent's.
    #[serde(default, deserialize_with = "null_is_default")]
    pub machine_images: Vec<MachineImage>,
    /// Provider-specific configuration, byte for byte.
    pub provider_config: Option<Box<RawValue>>,
}

/// Kubernetes version overrides.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct NamespacedCloudProfileKubernetes {
    /// The versions that are overridden.
    #[serde(
        default,
        deserialize_with = "null_is_default",
        skip_serializing_if = "is_default"
    )]
    pub versions: Vec<ExpirableVersion>,
}

/// A machine image with its versions.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MachineImage {
    /// The name of the image.
    #[serde(default, deserialize_with = "null_is_default")]
    pub name: String,
    /// The versions of the image.
    #[serde(
        default,
        deserialize_with = "null_is_default",
        skip_serializing_if = "is_default"
    )]
    pub versions: Vec<MachineImageVersion>,
    /// `patch`, `minor` or `major`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub update_strategy: Option<String>,
}

/// One version of a machine image.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MachineImageVersion {
    /// As in [`ExpirableVersion::version`].
    #[serde(default, deserialize_with = "null_is_default")]
    pub version: String,
    /// As in [`ExpirableVersion::classification`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub classification: Option<String>,
    /// As in [`ExpirableVersion::expiration_date`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expiration_date: Option<Timestamp>,
    /// As in [`ExpirableVersion::lifecycle`].
    #[serde(
        default,
        deserialize_with = "null_is_default",
        skip_serializing_if = "is_default"
    )]
    pub lifecycle: Vec<LifecycleStage>,
    /// Container runtimes.
    #[serde(
        default,
        deserialize_with = "null_is_default",
        skip_serializing_if = "is_default"
    )]
    pub cri: Vec<Value>,
    /// CPU architectures.
    #[serde(
        default,
        deserialize_with = "null_is_default",
        skip_serializing_if = "is_default"
    )]
    pub architectures: Vec<String>,
    /// Which kubelet versions the image works with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kubelet_version_constraint: Option<String>,
    /// Whether nodes can be updated in place to this version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub in_place_updates: Option<InPlaceUpdates>,
    /// Sets of capabilities.
    #[serde(
        default,
        deserialize_with = "null_is_default",
        skip_serializing_if = "is_default"
    )]
    pub capability_flavors: Vec<Value>,
}

/// In-place update support of a machine image version.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct InPlaceUpdates {
    /// Whether in-place updates to this version work at all.
    #[serde(
        default,
        deserialize_with = "null_is_default",
        skip_serializing_if = "is_default"
    )]
    pub supported: bool,
    /// The lowest version from which an in-place update to this one works.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_version_for_update: Option<String>,
}
