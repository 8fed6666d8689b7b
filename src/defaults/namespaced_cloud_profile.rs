use jiff::Timestamp;

use crate::model::NamespacedCloudProfile;
use crate::version::is_active;

/// Drops versions that are expired or not yet available and that the stored object does not have.
///
/// Mirrors PrepareForCreate and PrepareForUpdate in `pkg/apiserver/registry/core/namespacedcloudprofile/strategy.go`:
/// an image left without versions goes too, unless it sets an update strategy.
pub fn drop_inactive_versions(
    profile: &mut NamespacedCloudProfile,
    old: Option<&NamespacedCloudProfile>,
    now: Timestamp,
) {
    let old_kubernetes = old.and_then(|old| old.spec.kubernetes.as_ref());
    if let Some(kubernetes) = &mut profile.spec.kubernetes {
        kubernetes.versions.retain(|version| {
            let known = old_kubernetes
                .is_some_and(|old| old.versions.iter().any(|v| v.version == version.version));
            known || is_active(version, now)
        });
    }
    for image in &mut profile.spec.machine_images {
        let name = &image.name;
        image.versions.retain(|version| {
            has_image_version(old, name, &version.version) || is_active(version, now)
        });
    }
    profile.spec.machine_images.retain(|image| {
        !image.versions.is_empty()
            || image
                .update_strategy
                .as_deref()
                .is_some_and(|strategy| !strategy.is_empty())
    });
}

fn has_image_version(profile: Option<&NamespacedCloudProfile>, image: &str, version: &str) -> bool {
    let images = profile.map_or(&[][..], |profile| &profile.spec.machine_images);
    images
        .iter()
        .filter(|i| i.name == image)
        .flat_map(|i| &i.versions)
        .any(|v| v.version == version)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::drop_inactive_versions;
    use crate::model::NamespacedCloudProfile;

    const PAST: &str = "2024-01-01T00:00:00Z";

    fn profile(spec: &Value) -> NamespacedCloudProfile {
        serde_json::from_str(&json!({ "spec": spec }).to_string()).unwrap()
    }

    fn kept(new: &Value, old: Option<&Value>) -> (Option<usize>, Vec<(String, usize)>) {
        let mut new = profile(new);
        let old = old.map(profile);
        drop_inactive_versions(
            &mut new,
            old.as_ref(),
            "2025-01-01T00:00:00Z".parse().unwrap(),
        );
        let images = new
            .spec
            .machine_images
            .iter()
            .map(|i| (i.name.clone(), i.versions.len()))
            .collect();
        (
            new.spec
                .kubernetes
                .map(|kubernetes| kubernetes.versions.len()),
            images,
        )
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
        assert_eq!(
            kept(&kept_by_strategy, None),
            (None, vec![("a".to_owned(), 0)])
        );
        assert_eq!(kept(&bare, Some(&bare)), (None, vec![("a".to_owned(), 1)]));
    }
}
