// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeMap;

use jiff::Timestamp;

use garden_gate_core::garden::{Snapshot, Unknown};
use garden_gate_model::api::{
    CloudProfile, CloudProfileSpec, NamespacedCloudProfile, ProfileKey, ProfileKind, Shoot, Worker,
};
use garden_gate_model::gardener::version::maintenance::turns;
use garden_gate_model::gardener::version::merge_profiles;

/// The versions of a profile, and the times of their lifecycle transitions.
#[derive(Clone, Debug)]
pub struct Profile {
    /// The title, such as `CloudProfile stratus`.
    pub title: String,
    /// The spec of the profile.
    pub spec: CloudProfileSpec,
    /// The times at which a Kubernetes version enters another lifecycle stage, sorted.
    kubernetes: Vec<Timestamp>,
    /// The same for machine image versions, by lower-case image name.
    images: BTreeMap<String, Vec<Timestamp>>,
}

impl Profile {
    /// Creates a profile with this title and spec.
    pub fn new(title: String, spec: CloudProfileSpec) -> Self {
        let mut images: BTreeMap<String, Vec<Timestamp>> = BTreeMap::new();
        for image in &spec.machine_images {
            let known = images.entry(image.name.to_ascii_lowercase()).or_default();
            known.extend(turns(&image.versions));
            known.sort_unstable();
        }
        Self { title, kubernetes: turns(&spec.kubernetes.versions), images, spec }
    }

    /// Finds a profile in a garden.
    ///
    /// A NamespacedCloudProfile that no controller has merged yet is merged.
    ///
    /// # Errors
    /// Fails with the reason as a sentence if its content is unknown.
    pub fn find(key: &ProfileKey, garden: &Snapshot) -> Result<Self, String> {
        let title = key;
        let spec = match key.kind {
            ProfileKind::Cluster => cluster(&key.name, garden, title)?,
            ProfileKind::Namespaced => {
                let name = (&*key.namespace, &*key.name);
                let profile = garden.get::<NamespacedCloudProfile>(name);
                let profile = found(profile, title)?;
                if profile.status.cloud_profile_spec == CloudProfileSpec::default() {
                    let parent = ProfileKey::cluster(&profile.spec.parent.name);
                    let parent = cluster(&parent.name, garden, &parent)
                        .map_err(|why| format!("{title} is not merged yet, and {why}"))?;
                    merge_profiles(&parent, &profile.spec)
                } else {
                    profile.status.cloud_profile_spec.clone()
                }
            }
        };
        Ok(Self::new(title.to_string(), spec))
    }

    /// Returns the first transition from `from` on of a version that the Shoot uses or may be updated to.
    pub(super) fn next_turn(&self, shoot: &Shoot, from: Timestamp) -> Option<Timestamp> {
        let pools = shoot.spec.provider.workers.iter();
        let images = pools.filter_map(|pool| self.turns_of_image(pool));
        let next = |turns: &Vec<Timestamp>| {
            let index = turns.partition_point(|turn| *turn < from);
            turns.get(index).copied()
        };
        images.chain([&self.kubernetes]).filter_map(next).min()
    }

    /// Reports whether a Kubernetes version has a transition between `from` and `at`.
    pub(super) fn has_turned(&self, from: Timestamp, at: Timestamp) -> bool {
        is_between(&self.kubernetes, from, at)
    }

    /// Reports whether a version of a pool's machine image has a transition between `from` and `at`.
    pub(super) fn has_image_turned(&self, pool: &Worker, from: Timestamp, at: Timestamp) -> bool {
        let turns = self.turns_of_image(pool);
        turns.is_some_and(|turns| is_between(turns, from, at))
    }

    fn turns_of_image(&self, pool: &Worker) -> Option<&Vec<Timestamp>> {
        let image = pool.machine.image.as_ref()?;
        self.images.get(&image.name.to_ascii_lowercase())
    }
}

/// Reports whether a transition takes effect in between.
/// It takes effect just after its time.
fn is_between(turns: &[Timestamp], from: Timestamp, at: Timestamp) -> bool {
    let index = turns.partition_point(|turn| *turn < from);
    turns.get(index).is_some_and(|turn| *turn < at)
}

fn cluster(name: &str, garden: &Snapshot, title: &ProfileKey) -> Result<CloudProfileSpec, String> {
    let profile = found(garden.get::<CloudProfile>(name), title)?;
    Ok(profile.spec.clone())
}

fn found<T>(lookup: Result<Option<T>, Unknown>, title: &ProfileKey) -> Result<T, String> {
    let found = lookup.map_err(|why| format!("what {title} offers is not known: {why}"))?;
    found.ok_or_else(|| format!("{title} does not exist"))
}
