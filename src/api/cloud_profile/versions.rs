//! Kubernetes versions and machine images on offer.

use std::collections::{BTreeMap, HashSet};
use std::ops::Deref;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::api::shared::machines::Cri;
use crate::api::time::time;
use crate::api::{bounded, is_default, null_is_default, object};
use crate::compat::Json;

object! {
    /// Versions of Kubernetes.
    #[derive(PartialEq, Serialize)]
    KubernetesSettings {
        /// The versions.
        "versions": [ExpirableVersion; by version] -> versions: Vec<ExpirableVersion>;
    }
}

object! {
    /// A version on offer.
    #[derive(PartialEq, Serialize)]
    ExpirableVersion {
        /// The version.
        "version": String required -> #[serde(deserialize_with = "null_is_default")] version: String;
        /// `preview`, `supported` or `deprecated`; `lifecycle` takes its place.
        "classification": String -> #[mutated] classification: Option<String>;
        /// From when on it cannot be used; `lifecycle` takes its place.
        "expirationDate": Time -> #[serde(deserialize_with = "time", skip_serializing_if = "Option::is_none")] expiration_date: Option<Timestamp>;
        /// When it is worth what.
        "lifecycle": [LifecycleStage] -> #[serde(skip_serializing_if = "is_default")] lifecycle: Lifecycle;
    }
}

object! {
    /// What a version is worth from some time on.
    #[derive(PartialEq, Serialize)]
    LifecycleStage {
        /// `unavailable`, `preview`, `supported`, `deprecated` or `expired`.
        "classification": String required -> #[serde(deserialize_with = "null_is_default")] classification: String;
        /// From when on; since ever, if it is left out.
        "startTime": Time -> #[serde(deserialize_with = "time", skip_serializing_if = "Option::is_none")] start_time: Option<Timestamp>;
    }
}

object! {
    /// A machine image.
    #[derive(PartialEq, Serialize)]
    MachineImage {
        /// Its name.
        "name": String required -> #[serde(deserialize_with = "null_is_default")] name: String;
        /// Which version maintenance updates to: `patch`, `minor` or `major`.
        "updateStrategy": String -> #[mutated] update_strategy: Option<String>;
        /// Its versions.
        "versions": [MachineImageVersion; by version] required -> #[mutated] versions: Vec<MachineImageVersion>;
    }
}

object! {
    /// A version of a machine image.
    #[derive(PartialEq, Serialize)]
    MachineImageVersion {
        /// The version.
        "version": String required -> #[serde(deserialize_with = "null_is_default")] version: String;
        /// `preview`, `supported` or `deprecated`; `lifecycle` takes its place.
        "classification": String -> #[mutated] classification: Option<String>;
        /// From when on it cannot be used; `lifecycle` takes its place.
        "expirationDate": Time -> #[serde(deserialize_with = "time", skip_serializing_if = "Option::is_none")] expiration_date: Option<Timestamp>;
        /// When it is worth what.
        "lifecycle": [LifecycleStage] -> #[serde(skip_serializing_if = "is_default")] lifecycle: Lifecycle;
        /// Architectures that it runs on.
        "architectures": [String] -> #[serde(deserialize_with = "bounded::short_list", skip_serializing_if = "is_default")] architectures: Vec<String>;
        /// Combinations of capabilities that it comes in.
        "capabilityFlavors": [{[String]}] -> #[mutated] capability_flavors: Vec<Capabilities>;
        /// Container runtimes that it has.
        "cri": [Cri] -> #[serde(deserialize_with = "bounded::short_list", skip_serializing_if = "is_default")] cri: Vec<Cri>;
        /// Whether machines can be updated to it in place.
        "inPlaceUpdates": InPlaceUpdates -> #[mutated] in_place_updates: Option<InPlaceUpdates>;
        /// Versions of the kubelet that it works with, for example `>= 1.32`.
        "kubeletVersionConstraint": String -> #[mutated] kubelet_version_constraint: Option<String>;
    }
}

object! {
    /// Whether machines can be updated to a version in place.
    #[derive(PartialEq, Serialize)]
    InPlaceUpdates {
        /// Whether they can.
        "supported": Boolean filled -> #[mutated] supported: bool;
        /// The oldest version that can be updated so.
        "minVersionForUpdate": String -> #[mutated] min_version_for_update: Option<String>;
    }
}

object! {
    /// Machines for access by SSH.
    #[derive(PartialEq)]
    Bastion {
        /// Their image.
        "machineImage": BastionMachineImage -> machine_image: Option<BastionMachineImage>;
        /// Their type.
        "machineType": BastionMachineType -> machine_type: Option<BastionMachineType>;
    }
}

object! {
    /// Image of machines for access by SSH.
    #[derive(PartialEq)]
    BastionMachineImage {
        /// Its name.
        "name": String required -> name: String;
        /// Its version; the latest supported one if it is left out.
        "version": String -> version: Option<String>;
    }
}

object! {
    /// Type of machines for access by SSH.
    #[derive(PartialEq)]
    BastionMachineType {
        /// Its name.
        "name": String required -> name: String;
    }
}

/// Capabilities with their values, for example `architecture: [amd64]`.
pub type Capabilities = BTreeMap<String, Vec<String>>;

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

/// The stages of a version's lifecycle.
///
/// Absent and empty compare as equal; [`Self::is_absent`] distinguishes them.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct Lifecycle(
    #[serde(deserialize_with = "bounded::optional_short_list")] Option<Vec<LifecycleStage>>,
);

impl Lifecycle {
    /// Reports whether the list is absent rather than empty.
    #[must_use]
    pub fn is_absent(&self) -> bool {
        self.0.is_none()
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
