// SPDX-License-Identifier: Apache-2.0
//! Available Kubernetes versions and machine images.

use std::collections::{BTreeMap, HashSet};
use std::ops::Deref;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::api::shared::machines::Cri;
use crate::api::time::time;
use crate::api::{bounded, is_default, object};

object! {
    /// Available Kubernetes versions.
    #[derive(PartialEq, Serialize)]
    KubernetesSettings {
        /// Kubernetes versions and their lifecycle.
        "versions": [ExpirableVersion; by version] -> versions: Vec<ExpirableVersion>;
    }
}

object! {
    /// Available version with a lifecycle.
    #[derive(PartialEq, Serialize)]
    ExpirableVersion {
        /// Version identifier.
        "version": String required -> #[serialized] version: String;
        /// Classification `preview`, `supported` or `deprecated`; replaced by `lifecycle`.
        "classification": String -> #[mutated] classification: Option<String>;
        /// Time from which the version can no longer be used; replaced by `lifecycle`.
        "expirationDate": Time -> #[serde(deserialize_with = "time", skip_serializing_if = "Option::is_none")] expiration_date: Option<Timestamp>;
        /// Lifecycle stages: the classification of the version over time.
        "lifecycle": [LifecycleStage] -> #[serde(skip_serializing_if = "is_default")] lifecycle: Lifecycle;
    }
}

object! {
    /// Classification of a version from a start time on.
    #[derive(PartialEq, Serialize)]
    LifecycleStage {
        /// Classification: `unavailable`, `preview`, `supported`, `deprecated` or `expired`.
        "classification": String required -> #[serialized] classification: String;
        /// Start time of the stage; if omitted, the stage has always applied.
        "startTime": Time -> #[serde(deserialize_with = "time", skip_serializing_if = "Option::is_none")] start_time: Option<Timestamp>;
    }
}

object! {
    /// Machine image and its versions.
    #[derive(PartialEq, Serialize)]
    MachineImage {
        /// Name of the machine image.
        "name": String required -> #[serialized] name: String;
        /// Target of automatic updates during maintenance: `patch`, `minor` or `major` version.
        "updateStrategy": String -> #[mutated] update_strategy: Option<String>;
        /// Available versions of the image.
        "versions": [MachineImageVersion; by version] required -> #[mutated] versions: Vec<MachineImageVersion>;
    }
}

object! {
    /// Version of a machine image.
    #[derive(PartialEq, Serialize)]
    MachineImageVersion {
        /// Version identifier.
        "version": String required -> #[serialized] version: String;
        /// Classification `preview`, `supported` or `deprecated`; replaced by `lifecycle`.
        "classification": String -> #[mutated] classification: Option<String>;
        /// Time from which the version can no longer be used; replaced by `lifecycle`.
        "expirationDate": Time -> #[serde(deserialize_with = "time", skip_serializing_if = "Option::is_none")] expiration_date: Option<Timestamp>;
        /// Lifecycle stages: the classification of the version over time.
        "lifecycle": [LifecycleStage] -> #[serde(skip_serializing_if = "is_default")] lifecycle: Lifecycle;
        /// CPU architectures that the image version supports.
        "architectures": [String] -> #[serde(deserialize_with = "bounded::short_list", skip_serializing_if = "is_default")] architectures: Vec<String>;
        /// Combinations of capabilities that the image version is available in.
        "capabilityFlavors": [{[String]}] -> #[mutated] capability_flavors: Vec<Capabilities>;
        /// Container runtimes that the image version supports.
        "cri": [Cri] -> #[serde(deserialize_with = "bounded::short_list", skip_serializing_if = "is_default")] cri: Vec<Cri>;
        /// Support for in-place updates of machines to this version.
        "inPlaceUpdates": InPlaceUpdates -> #[mutated] in_place_updates: Option<InPlaceUpdates>;
        /// Constraint on the compatible kubelet versions, for example `>= 1.32`.
        "kubeletVersionConstraint": String -> #[mutated] kubelet_version_constraint: Option<String>;
    }
}

object! {
    /// Support for in-place updates of machines to a version.
    #[derive(PartialEq, Serialize)]
    InPlaceUpdates {
        /// Enables in-place updates to this version.
        "supported": Boolean filled -> #[mutated] supported: bool;
        /// Minimum version from which machines can be updated in place.
        "minVersionForUpdate": String -> #[mutated] min_version_for_update: Option<String>;
    }
}

object! {
    /// Bastion hosts: machines for SSH access.
    #[derive(PartialEq)]
    Bastion {
        /// Machine image of bastion hosts.
        "machineImage": BastionMachineImage -> machine_image: Option<BastionMachineImage>;
        /// Machine type of bastion hosts.
        "machineType": BastionMachineType -> machine_type: Option<BastionMachineType>;
    }
}

object! {
    /// Machine image of bastion hosts.
    #[derive(PartialEq)]
    BastionMachineImage {
        /// Name of the machine image.
        "name": String required -> name: String;
        /// Version of the machine image; the latest supported version if omitted.
        "version": String -> version: Option<String>;
    }
}

object! {
    /// Machine type of bastion hosts.
    #[derive(PartialEq)]
    BastionMachineType {
        /// Name of the machine type.
        "name": String required -> name: String;
    }
}

/// Capabilities with their values, for example `architecture: [amd64]`.
pub type Capabilities = BTreeMap<String, Vec<String>>;

impl MachineImageVersion {
    /// Returns the distinct architectures of the capability flavors.
    pub fn flavor_architectures(&self) -> Vec<String> {
        distinct(self.flavors_of_architecture().flatten().flatten())
    }

    /// Returns the architectures of the capability flavors in a profile that defines `defined`.
    ///
    /// A flavor without architectures has all of them, and so has a version without flavors.
    ///
    /// Mirrors GetImageFlavorsWithAppliedDefaults in `pkg/api/core/helper/cloudprofile.go`.
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

/// The stages of a version's lifecycle.
///
/// Absent and empty compare as equal; [`Self::is_absent`] distinguishes them.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct Lifecycle(
    #[serde(deserialize_with = "bounded::optional_short_list")] Option<Vec<LifecycleStage>>,
);

impl Lifecycle {
    /// Reports whether the list is absent rather than empty.
    pub fn is_absent(&self) -> bool {
        self.0.is_none()
    }
}

impl From<Vec<LifecycleStage>> for Lifecycle {
    fn from(stages: Vec<LifecycleStage>) -> Self {
        Self(Some(stages))
    }
}

impl Deref for Lifecycle {
    type Target = [LifecycleStage];

    fn deref(&self) -> &[LifecycleStage] {
        self.0.as_deref().unwrap_or_default()
    }
}

impl PartialEq for Lifecycle {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}
