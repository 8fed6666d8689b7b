// SPDX-License-Identifier: Apache-2.0
use std::fmt;
use std::sync::{Arc, LazyLock, Weak};

use quick_cache::Weighter;
use quick_cache::sync::Cache;

use garden_gate_model::api::{CloudProfile, CloudProfileSpec, NamespacedCloudProfile};
use garden_gate_model::gardener::version::merge_profiles;

/// The number of list elements in all cached results: 32 MiB at about 512 bytes each.
const CAPACITY: u64 = 1 << 16;
/// The estimated number of cached results.
/// Below 64, so that one shard has the whole capacity.
const RESULTS: usize = 32;

/// Cache of merged profiles, shared by all clones of a snapshot and dropped with the last one.
///
/// Keys are the addresses of both profiles. Objects in a snapshot are immutable, and a cached result keeps both allocations,
/// so that an address identifies one version of an object.
#[derive(Clone)]
pub(super) struct MergedProfiles(Arc<LazyLock<Cache<[usize; 2], Merged, Elements>>>);

/// One cached result.
#[derive(Clone)]
struct Merged {
    spec: Arc<CloudProfileSpec>,
    /// Keeps the addresses in the key from being reused, without keeping the objects.
    _profiles: (Weak<NamespacedCloudProfile>, Weak<CloudProfile>),
}

/// Weighs a result by its list elements.
#[derive(Clone)]
struct Elements;

impl Weighter<[usize; 2], Merged> for Elements {
    fn weight(&self, _: &[usize; 2], merged: &Merged) -> u64 {
        1 + merged.spec.elements() as u64
    }
}

impl Default for MergedProfiles {
    fn default() -> Self {
        let cache = || Cache::with_weighter(RESULTS, CAPACITY, Elements);
        Self(Arc::new(LazyLock::new(cache)))
    }
}

impl fmt::Debug for MergedProfiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("MergedProfiles").finish_non_exhaustive()
    }
}

impl MergedProfiles {
    /// The merged profile, from the cache or computed; other threads wait for it meanwhile.
    pub(super) fn merge(
        &self,
        profile: &Arc<NamespacedCloudProfile>,
        parent: &Arc<CloudProfile>,
    ) -> Arc<CloudProfileSpec> {
        let merge = || Merged {
            spec: Arc::new(merge_profiles(&parent.spec, &profile.spec)),
            _profiles: (Arc::downgrade(profile), Arc::downgrade(parent)),
        };
        let merged = self.0.get_or_insert_with(&key(profile, parent), || {
            Ok::<_, std::convert::Infallible>(merge())
        });
        let Ok(merged) = merged;
        merged.spec
    }

    /// The merged profile if it is in the cache.
    pub(super) fn cached(
        &self,
        profile: &Arc<NamespacedCloudProfile>,
        parent: &Arc<CloudProfile>,
    ) -> Option<Arc<CloudProfileSpec>> {
        let merged = self.0.get(&key(profile, parent))?;
        Some(merged.spec)
    }
}

fn key(profile: &Arc<NamespacedCloudProfile>, parent: &Arc<CloudProfile>) -> [usize; 2] {
    [Arc::as_ptr(profile).addr(), Arc::as_ptr(parent).addr()]
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::{Value, json};

    use super::CAPACITY;
    use crate::garden::{Knowledge, Snapshot};
    use garden_gate_model::api::{CloudProfile, NamespacedCloudProfile};

    fn read<T: serde::de::DeserializeOwned>(value: &Value) -> Arc<T> {
        Arc::new(serde_json::from_str(&value.to_string()).unwrap())
    }

    fn profile(versions: usize) -> Arc<NamespacedCloudProfile> {
        let version = |number| json!({"version": format!("1.0.{number}")});
        let versions: Vec<_> = (0..versions).map(version).collect();
        read(&json!({"spec": {"machineImages": [{"name": "a", "versions": versions}]}}))
    }

    fn parent(kind: &str) -> Arc<CloudProfile> {
        read(&json!({"spec": {"type": kind}}))
    }

    #[test]
    fn merged_profile_computed_once_for_all_clones() {
        let garden = Snapshot::new(Knowledge::Watched);
        let (profile, parent) = (profile(3), parent("a"));
        assert!(garden.cached_merged_profile(&profile, &parent).is_none());
        let merged = garden.clone().merged_profile(&profile, &parent);
        assert_eq!(merged.machine_images[0].versions.len(), 3);
        let again = garden.merged_profile(&profile, &parent);
        assert!(Arc::ptr_eq(&merged, &again));
    }

    #[test]
    fn merged_profile_follows_both_versions() {
        let garden = Snapshot::new(Knowledge::Watched);
        // Freed allocations are likely to be reused at once.
        for number in 0..100 {
            let kind = number.to_string();
            let merged = garden.merged_profile(&profile(number), &parent(&kind));
            assert_eq!(merged.kind, kind);
            assert_eq!(merged.machine_images[0].versions.len(), number);
        }
        let (same, one, other) = (profile(1), parent("one"), parent("other"));
        let kinds = [&one, &other, &one].map(|it| garden.merged_profile(&same, it).kind.clone());
        assert_eq!(kinds, ["one", "other", "one"]);
    }

    #[test]
    fn merged_profiles_bounded() {
        let garden = Snapshot::new(Knowledge::Watched);
        let parent = parent("a");
        let profiles: Vec<_> = (0..20).map(|_| profile(9_900)).collect();
        let merged: Vec<_> =
            profiles.iter().map(|it| Arc::downgrade(&garden.merged_profile(it, &parent))).collect();
        let kept: usize =
            merged.iter().filter_map(std::sync::Weak::upgrade).map(|it| it.elements()).sum();
        assert!((1..=CAPACITY).contains(&(kept as u64)), "{kept}");
        drop(garden);
        assert!(merged.iter().all(|it| it.upgrade().is_none()));
    }
}
