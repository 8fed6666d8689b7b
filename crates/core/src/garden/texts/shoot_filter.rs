// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::garden::GardenObject;
use garden_gate_model::api::{Kind, ObjectKey, ProfileKey, ProfileKind};

/// Maximum number of Shoots that are kept as a whole, at about 50 KB each.
const MOST: usize = 20_000;

/// The Shoots of some profiles, to be kept as a whole.
#[derive(Debug)]
pub struct ShootFilter {
    profiles: BTreeSet<ProfileKey>,
    most: usize,
    taken: AtomicUsize,
}

impl ShootFilter {
    /// Returns a filter for the Shoots of some profiles.
    ///
    /// With a CloudProfile, the Shoots of all NamespacedCloudProfiles are included, since any may be its child.
    pub fn of_profiles(profiles: impl IntoIterator<Item = ObjectKey>) -> Self {
        let keys = profiles.into_iter().filter_map(|key| match key.kind {
            Kind::CloudProfile => Some(ProfileKey::cluster(&key.name)),
            Kind::NamespacedCloudProfile => Some(ProfileKey::namespaced(&key.namespace, &key.name)),
            _ => None,
        });
        Self { profiles: keys.collect(), most: MOST, taken: AtomicUsize::new(0) }
    }

    /// Reports whether an object is such a Shoot, and the limit is not reached.
    pub fn takes(&self, object: &GardenObject) -> bool {
        let GardenObject::Shoot(shoot) = object else {
            return false;
        };
        let has_parents = || self.profiles.iter().any(|it| it.kind == ProfileKind::Cluster);
        let is_meant = shoot.profile.as_ref().is_some_and(|it| {
            self.profiles.contains(it) || it.kind == ProfileKind::Namespaced && has_parents()
        });
        is_meant && !shoot.deleting && self.taken.fetch_add(1, Ordering::Relaxed) < self.most
    }

    /// Reports whether the limit was exceeded, so that some Shoots are missing.
    pub fn is_exceeded(&self) -> bool {
        self.taken.load(Ordering::Relaxed) > self.most
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::ShootFilter;
    use crate::garden::GardenObject;
    use garden_gate_model::api::{Kind, ObjectKey};

    fn shoot(kind: &str, profile: &str) -> GardenObject {
        let shoot = json!({
            "metadata": {"name": "s", "namespace": "garden-a"},
            "spec": {"cloudProfile": {"kind": kind, "name": profile}},
        });
        GardenObject::Shoot(Box::new(serde_json::from_value(shoot).unwrap()))
    }

    #[test]
    fn shoots_of_a_cloud_profile_and_possible_children_are_kept() {
        let filter = ShootFilter::of_profiles([ObjectKey::new(Kind::CloudProfile, "", "a")]);
        assert!(filter.takes(&shoot("CloudProfile", "a")));
        assert!(!filter.takes(&shoot("CloudProfile", "b")));
        assert!(filter.takes(&shoot("NamespacedCloudProfile", "any")));
    }

    #[test]
    fn shoots_of_a_namespaced_profile_are_kept() {
        let key = ObjectKey::new(Kind::NamespacedCloudProfile, "garden-a", "own");
        let filter = ShootFilter::of_profiles([key]);
        assert!(filter.takes(&shoot("NamespacedCloudProfile", "own")));
        assert!(!filter.takes(&shoot("NamespacedCloudProfile", "other")));
        assert!(!filter.takes(&shoot("CloudProfile", "own")));
    }

    #[test]
    fn limit_is_reported_when_exceeded() {
        let key = ObjectKey::new(Kind::CloudProfile, "", "a");
        let filter = ShootFilter { most: 1, ..ShootFilter::of_profiles([key]) };
        assert!(filter.takes(&shoot("CloudProfile", "a")));
        assert!(!filter.takes(&shoot("CloudProfile", "b")));
        assert!(!filter.is_exceeded());
        assert!(!filter.takes(&shoot("CloudProfile", "a")));
        assert!(filter.is_exceeded());
    }
}
