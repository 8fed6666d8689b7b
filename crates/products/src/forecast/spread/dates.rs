// SPDX-License-Identifier: Apache-2.0
//! The expiration dates of the versions of a profile.

use std::collections::BTreeMap;
use std::fmt;

use jiff::Timestamp;

use garden_gate_core::garden::GardenObject;
use garden_gate_model::api::{ExpirableVersion, Lifecycle, MachineImage, ProfileKey};
use garden_gate_model::gardener::version::expiry;

/// A version in a profile.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct ProfileVersion {
    /// The profile.
    pub profile: ProfileKey,
    /// The name of the machine image; `None` for a version of Kubernetes.
    pub image: Option<String>,
    /// The version.
    pub version: String,
}

/// Formats the version as `Kubernetes 1.34.1` or `image linux 1.0.0`.
impl fmt::Display for ProfileVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.image {
            Some(image) => write!(f, "image {image} {}", self.version),
            None => write!(f, "Kubernetes {}", self.version),
        }
    }
}

/// Returns the key of a profile; `None` for other objects.
pub(super) fn profile_key(profile: &GardenObject) -> Option<ProfileKey> {
    match profile {
        GardenObject::CloudProfile(it) => Some(ProfileKey::cluster(&it.metadata.name)),
        GardenObject::NamespacedCloudProfile(it) => {
            Some(ProfileKey::namespaced(&it.metadata.namespace, &it.metadata.name))
        }
        _ => None,
    }
}

/// Returns the versions that a profile lists, each with its expiration date.
///
/// A NamespacedCloudProfile lists the versions whose date it overrides.
pub(super) fn listed(profile: &GardenObject) -> BTreeMap<ProfileVersion, Option<Timestamp>> {
    let none: &[ExpirableVersion] = &[];
    let (kubernetes, images): (&[ExpirableVersion], &[MachineImage]) = match profile {
        GardenObject::CloudProfile(it) => (&it.spec.kubernetes.versions, &it.spec.machine_images),
        GardenObject::NamespacedCloudProfile(it) => {
            (it.spec.kubernetes.as_ref().map_or(none, |it| &it.versions), &it.spec.machine_images)
        }
        _ => return BTreeMap::new(),
    };
    let Some(profile) = profile_key(profile) else { return BTreeMap::new() };
    let key = |image: Option<&str>, version: &str| ProfileVersion {
        profile: profile.clone(),
        image: image.map(str::to_owned),
        version: version.to_owned(),
    };
    let kubernetes = kubernetes.iter().map(|it| (key(None, &it.version), expiry(it)));
    let images = images.iter().flat_map(|image| image.versions.iter().map(move |it| (image, it)));
    let images = images.map(|(image, it)| (key(Some(&image.name), &it.version), expiry(it)));
    kubernetes.chain(images).collect()
}

/// Returns the profile with other expiration dates.
pub(super) fn with_dates(
    profile: &GardenObject,
    dates: &BTreeMap<ProfileVersion, Timestamp>,
) -> GardenObject {
    let Some(key) = profile_key(profile) else { return profile.clone() };
    let versions = VersionDates { key, dates };
    match profile {
        GardenObject::CloudProfile(it) => {
            let mut profile = (**it).clone();
            versions.set_kubernetes(&mut profile.spec.kubernetes.versions);
            versions.set_images(&mut profile.spec.machine_images);
            GardenObject::from(profile)
        }
        GardenObject::NamespacedCloudProfile(it) => {
            let mut profile = (**it).clone();
            if let Some(kubernetes) = &mut profile.spec.kubernetes {
                versions.set_kubernetes(&mut kubernetes.versions);
            }
            versions.set_images(&mut profile.spec.machine_images);
            GardenObject::from(profile)
        }
        other => other.clone(),
    }
}

/// The new dates of the versions of one profile.
struct VersionDates<'a> {
    key: ProfileKey,
    dates: &'a BTreeMap<ProfileVersion, Timestamp>,
}

impl VersionDates<'_> {
    fn set_kubernetes(&self, versions: &mut [ExpirableVersion]) {
        for version in versions {
            if let Some(date) = self.date(None, &version.version) {
                set(&mut version.expiration_date, &mut version.lifecycle, date);
            }
        }
    }

    fn set_images(&self, images: &mut [MachineImage]) {
        for image in images {
            for version in &mut image.versions {
                if let Some(date) = self.date(Some(&image.name), &version.version) {
                    set(&mut version.expiration_date, &mut version.lifecycle, date);
                }
            }
        }
    }

    fn date(&self, image: Option<&str>, version: &str) -> Option<Timestamp> {
        let key = ProfileVersion {
            profile: self.key.clone(),
            image: image.map(str::to_owned),
            version: version.to_owned(),
        };
        self.dates.get(&key).copied()
    }
}

/// Sets the expiration date, or the start of the stage that [`expiry`] returns.
fn set(expiration_date: &mut Option<Timestamp>, lifecycle: &mut Lifecycle, date: Timestamp) {
    let mut stages = lifecycle.to_vec();
    match stages.iter_mut().rfind(|stage| stage.classification == "expired") {
        Some(stage) => {
            stage.start_time = Some(date);
            *lifecycle = Lifecycle::from(stages);
        }
        None => *expiration_date = Some(date),
    }
}
