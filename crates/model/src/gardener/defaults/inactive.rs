// SPDX-License-Identifier: Apache-2.0
use std::collections::{HashMap, HashSet};

use jiff::Timestamp;

use crate::api::{CloudProfile, MachineImage, NamespacedCloudProfile};
use crate::gardener::version::{is_active, is_expired};

/// Drops expired and unavailable versions from a new CloudProfile.
///
/// Drops Kubernetes versions that are expired or not yet available, and image versions that are expired. Returns their previous positions
/// as JSON pointers, in order.
///
/// Mirrors dropInactiveVersions in `pkg/apiserver/registry/core/cloudprofile/strategy.go`, which runs on CREATE only.
pub fn drop_from_cloud_profile(profile: &mut CloudProfile, now: Timestamp) -> Vec<String> {
    let mut dropped = Vec::new();
    let spec = &mut profile.spec;
    retain(&mut spec.kubernetes.versions, "/spec/kubernetes/versions", &mut dropped, |version| {
        is_active(version, now)
    });
    for (index, image) in spec.machine_images.iter_mut().enumerate() {
        let list = format!("/spec/machineImages/{index}/versions");
        retain(&mut image.versions, &list, &mut dropped, |version| !is_expired(version, now));
    }
    dropped
}

/// Drops versions that are expired or not yet available and that the stored object does not have.
///
/// Returns their previous positions as JSON pointers, in order.
///
/// Mirrors PrepareForCreate and PrepareForUpdate in `pkg/apiserver/registry/core/namespacedcloudprofile/strategy.go`:
/// an image without remaining versions is dropped too, unless it sets an update strategy.
pub fn drop_from_namespaced_cloud_profile(
    profile: &mut NamespacedCloudProfile,
    old: Option<&NamespacedCloudProfile>,
    now: Timestamp,
) -> Vec<String> {
    let mut dropped = Vec::new();
    let old = old.map(|old| &old.spec);
    if let Some(kubernetes) = &mut profile.spec.kubernetes {
        let stored: HashSet<&str> = old
            .and_then(|old| old.kubernetes.as_ref())
            .into_iter()
            .flat_map(|old| &old.versions)
            .map(version)
            .collect();
        let list = "/spec/kubernetes/versions";
        retain(&mut kubernetes.versions, list, &mut dropped, |version| {
            is_active(version, now) || stored.contains(version.version.as_str())
        });
    }
    let old_images = old.map_or(&[][..], |old| &old.machine_images);
    let stored = names(old_images);
    let mut index = 0;
    profile.spec.machine_images.retain_mut(|image| {
        let pointer = format!("/spec/machineImages/{index}");
        index += 1;
        let name = image.name.as_str();
        let list = format!("{pointer}/versions");
        let mut of_image = Vec::new();
        retain(&mut image.versions, &list, &mut of_image, |version| {
            is_active(version, now) || stored.contains(&(name, version.version.as_str()))
        });
        let stays = !image.versions.is_empty() || has_strategy(image);
        dropped.extend(if stays { of_image } else { vec![pointer] });
        stays
    });
    dropped
}

fn version(version: &crate::api::ExpirableVersion) -> &str {
    &version.version
}

/// Returns the names of images and versions; for duplicate images only the versions of the last one.
fn names(images: &[MachineImage]) -> HashSet<(&str, &str)> {
    let images: HashMap<&str, &MachineImage> =
        images.iter().map(|image| (image.name.as_str(), image)).collect();
    let versions = images.into_iter().flat_map(|(name, image)| {
        let versions = image.versions.iter();
        versions.map(move |version| (name, version.version.as_str()))
    });
    versions.collect()
}

fn has_strategy(image: &MachineImage) -> bool {
    let strategy = image.update_strategy.as_deref();
    strategy.is_some_and(|strategy| !strategy.is_empty())
}

/// Keeps selected elements of `list` and records the pointers of the others.
fn retain<T>(
    list: &mut Vec<T>,
    pointer: &str,
    dropped: &mut Vec<String>,
    mut wanted: impl FnMut(&T) -> bool,
) {
    let mut index = 0;
    list.retain(|element| {
        let stays = wanted(element);
        if !stays {
            dropped.push(format!("{pointer}/{index}"));
        }
        index += 1;
        stays
    });
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::drop_from_namespaced_cloud_profile;
    use crate::api::NamespacedCloudProfile;

    const PAST: &str = "2024-01-01T00:00:00Z";

    fn profile(spec: &Value) -> NamespacedCloudProfile {
        serde_json::from_str(&json!({ "spec": spec }).to_string()).unwrap()
    }

    fn kept(new: &Value, old: Option<&Value>) -> (Option<usize>, Vec<(String, usize)>) {
        let mut new = profile(new);
        drop_from_namespaced_cloud_profile(
            &mut new,
            old.map(profile).as_ref(),
            "2025-01-01T00:00:00Z".parse().unwrap(),
        );
        let images =
            new.spec.machine_images.iter().map(|i| (i.name.clone(), i.versions.len())).collect();
        (new.spec.kubernetes.map(|kubernetes| kubernetes.versions.len()), images)
    }

    #[test]
    fn expired_versions_vanish_but_the_kubernetes_block_stays() {
        let new =
            json!({"kubernetes": {"versions": [{"version": "1.30.0", "expirationDate": PAST}]}});
        assert_eq!(kept(&new, None), (Some(0), vec![]));
        assert_eq!(kept(&new, Some(&new)), (Some(1), vec![]));
    }

    #[test]
    fn an_image_without_versions_stays_only_with_an_update_strategy() {
        let expired = json!([{"version": "1.0.0", "expirationDate": PAST}]);
        let bare = json!({"machineImages": [{"name": "a", "versions": expired}]});
        assert_eq!(kept(&bare, None), (None, vec![]));
        let kept_by_strategy = json!({"machineImages": [{"name": "a", "versions": expired, "updateStrategy": "major"}]});
        assert_eq!(kept(&kept_by_strategy, None), (None, vec![("a".to_owned(), 0)]));
        assert_eq!(kept(&bare, Some(&bare)), (None, vec![("a".to_owned(), 1)]));
    }
}
