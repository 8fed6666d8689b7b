use std::collections::{BTreeMap, HashSet};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::compat::Json;

use crate::model::{Lifecycle, bounded, is_default, null_is_default, time::time};

/// Capabilities with their values, for example `architecture: [amd64]`.
pub type Capabilities = BTreeMap<String, Vec<String>>;

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
        deserialize_with = "bounded::list",
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
    /// As in [`crate::model::ExpirableVersion::version`].
    #[serde(default, deserialize_with = "null_is_default")]
    pub version: String,
    /// As in [`crate::model::ExpirableVersion::classification`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub classification: Option<String>,
    /// As in [`crate::model::ExpirableVersion::expiration_date`].
    #[serde(
        default,
        deserialize_with = "time",
        skip_serializing_if = "Option::is_none"
    )]
    pub expiration_date: Option<Timestamp>,
    /// As in [`crate::model::ExpirableVersion::lifecycle`].
    #[serde(default, skip_serializing_if = "is_default")]
    pub lifecycle: Lifecycle,
    /// Container runtimes.
    #[serde(
        default,
        deserialize_with = "bounded::short_list",
        skip_serializing_if = "is_default"
    )]
    pub cri: Vec<Cri>,
    /// CPU architectures.
    #[serde(
        default,
        deserialize_with = "bounded::short_list",
        skip_serializing_if = "is_default"
    )]
    pub architectures: Vec<String>,
    /// The kubelet versions that the image supports.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kubelet_version_constraint: Option<String>,
    /// Whether nodes can be updated in place to this version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub in_place_updates: Option<InPlaceUpdates>,
    /// Sets of capabilities.
    #[serde(
        default,
        deserialize_with = "bounded::list",
        skip_serializing_if = "is_default"
    )]
    pub capability_flavors: Vec<Capabilities>,
}

/// A container runtime interface of a machine image version.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Cri {
    /// `containerd`.
    #[serde(default, deserialize_with = "null_is_default")]
    pub name: String,
    /// Additional container runtimes.
    #[serde(
        default,
        deserialize_with = "bounded::list",
        skip_serializing_if = "is_default"
    )]
    pub container_runtimes: Vec<ContainerRuntime>,
}

/// An additional container runtime, for example `gvisor`.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ContainerRuntime {
    /// The type of the runtime.
    #[serde(rename = "type", default, deserialize_with = "null_is_default")]
    pub kind: String,
    /// Its configuration; only compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub provider_config: Option<Opaque>,
}

/// A RawExtension as JSON text.
///
/// Comparison ignores the order of fields and the spelling of values, as clients convert manifests.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(transparent)]
pub struct Opaque(Box<RawValue>);

impl PartialEq for Opaque {
    fn eq(&self, other: &Self) -> bool {
        Json::text(self.0.get()).same_raw(&Json::text(other.0.get()))
    }
}

/// In-place update support of a machine image version.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct InPlaceUpdates {
    /// Whether in-place updates to this version are supported.
    #[serde(
        default,
        deserialize_with = "null_is_default",
        skip_serializing_if = "is_default"
    )]
    pub supported: bool,
    /// The lowest version from which an in-place update to this one is supported.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_version_for_update: Option<String>,
}

impl MachineImageVersion {
    /// Returns the distinct architectures of the capability flavors.
    #[must_use]
    pub fn flavor_architectures(&self) -> Vec<String> {
        distinct(self.flavors_of_architecture().flatten().flatten())
    }

    /// Returns the architectures of the capability flavors in a profile that defines `defined`.
    ///
    /// A flavor without architectures has all of them, and so has a version without flavors.
    ///
    /// Mirrors GetImageFlavorsWithAppliedDefaults in `pkg/api/core/helper/cloudprofile.go`.
    #[must_use]
    pub fn architectures_within(&self, defined: &[String]) -> Vec<String> {
        if defined.is_empty() {
            return Vec::new();
        }
        if self.capability_flavors.is_empty() {
            return distinct(defined);
        }
        let flavors = self.flavors_of_architecture();
        distinct(flavors.flat_map(|named| named.map_or(defined, Vec::as_slice)))
    }

    fn flavors_of_architecture(&self) -> impl Iterator<Item = Option<&Vec<String>>> {
        let flavors = self.capability_flavors.iter();
        flavors.map(|flavor| flavor.get("architecture"))
    }
}

/// Maximum number of distinct architectures that are returned.
///
/// Two architectures exist, but the profile may define more, and each version may have all of them.
const MOST: usize = 16;

fn distinct<'a>(values: impl IntoIterator<Item = &'a String>) -> Vec<String> {
    let mut seen = HashSet::new();
    let distinct = values.into_iter().filter(|value| seen.insert(*value));
    distinct.take(MOST).cloned().collect()
}
