// SPDX-License-Identifier: Apache-2.0
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::Hash;

use crate::api::{
    Capabilities, CloudProfileSpec, ExpirableVersion, MachineImage, MachineImageVersion,
    MachineType, NamespacedCloudProfileSpec,
};

const ARCHITECTURE: &str = "architecture";
const AMD64: &str = "amd64";

/// Merges a NamespacedCloudProfile into its CloudProfile, as Gardener does for the former's status.
///
/// Mirrors MergeCloudProfiles in `pkg/controllermanager/controller/namespacedcloudprofile/reconciler.go`.
pub fn merge_profiles(
    parent: &CloudProfileSpec,
    overlay: &NamespacedCloudProfileSpec,
) -> CloudProfileSpec {
    let mut merged = parent.clone();
    if let Some(kubernetes) = &overlay.kubernetes {
        let versions = std::mem::take(&mut merged.kubernetes.versions);
        merged.kubernetes.versions = override_dates(versions, &kubernetes.versions);
    }
    let defined = parent.defined_architectures();
    let images = std::mem::take(&mut merged.machine_images);
    merged.machine_images = merge_images(images, to_format_of(parent, &overlay.machine_images));
    let versions = merged.machine_images.iter_mut();
    for version in versions.flat_map(|image| &mut image.versions) {
        fill_architectures(version, defined);
    }
    merged.machine_types = merge_each(
        std::mem::take(&mut merged.machine_types),
        types_in_format_of(parent, &overlay.machine_types),
        |machine_type| machine_type.name.clone(),
        |machine_type, own| *machine_type = own,
    );
    for machine_type in &mut merged.machine_types {
        fill_architecture(machine_type, defined);
    }
    merged.volume_types = merge_each(
        std::mem::take(&mut merged.volume_types),
        overlay.volume_types.iter().cloned(),
        |volume_type| volume_type.name.clone(),
        |volume_type, own| *volume_type = own,
    );
    if let Some(limit) =
        overlay.limits.and_then(|limits| limits.max_nodes_total).filter(|limit| *limit > 0)
    {
        merged.limits.get_or_insert_default().max_nodes_total = Some(limit);
    }
    merged
}

fn override_dates(
    versions: Vec<ExpirableVersion>,
    overrides: &[ExpirableVersion],
) -> Vec<ExpirableVersion> {
    let dates: HashMap<&str, _> =
        overrides.iter().map(|v| (v.version.as_str(), v.expiration_date)).collect();
    let name = |version: &ExpirableVersion| version.version.clone();
    let mut versions = merge_each(versions, [], name, |_, _| {});
    for version in &mut versions {
        if let Some(date) = dates.get(version.version.as_str()) {
            version.expiration_date = *date;
        }
    }
    versions
}

fn merge_images(parent: Vec<MachineImage>, overlay: Vec<MachineImage>) -> Vec<MachineImage> {
    let name = |image: &MachineImage| image.name.clone();
    merge_each(parent, overlay, name, merge_image)
}

fn merge_image(image: &mut MachineImage, own: MachineImage) {
    if own.update_strategy.as_deref().is_some_and(|s| !s.is_empty()) {
        image.update_strategy = own.update_strategy;
    }
    let key = |version: &MachineImageVersion| version.version.clone();
    let versions = std::mem::take(&mut image.versions);
    image.versions = merge_each(versions, own.versions, key, |version, own| {
        if replaces(&own) {
            *version = own;
        } else {
            version.expiration_date = own.expiration_date;
        }
    });
}

/// Reports whether an override has more than a date, and so replaces the parent's version.
fn replaces(version: &MachineImageVersion) -> bool {
    let says = |text: &Option<String>| text.as_deref().is_some_and(|text| !text.is_empty());
    !version.architectures.is_empty()
        || !version.capability_flavors.is_empty()
        || !version.cri.is_empty()
        || says(&version.kubelet_version_constraint)
        || says(&version.classification)
}

fn fill_architectures(version: &mut MachineImageVersion, defined: &[String]) {
    if version.architectures.is_empty() {
        version.architectures = version.architectures_within(defined);
    }
    if version.architectures.is_empty() {
        version.architectures.push(AMD64.into());
    }
}

fn fill_architecture(machine_type: &mut MachineType, defined: &[String]) {
    let effective =
        machine_type.architecture_within(defined).filter(|it| !it.is_empty()).unwrap_or(AMD64);
    if machine_type.architecture.as_deref().is_none_or(str::is_empty) {
        machine_type.architecture = Some(effective.to_owned());
    }
}

/// Merges the elements of `overlay` into those of `base`, or appends them, one after the other.
///
/// Duplicates in `base` are removed: the last value is used, at the first position.
fn merge_each<T, K: Eq + Hash>(
    base: impl IntoIterator<Item = T>,
    overlay: impl IntoIterator<Item = T>,
    key: impl Fn(&T) -> K,
    merge: impl Fn(&mut T, T),
) -> Vec<T> {
    let mut positions = HashMap::new();
    let mut result: Vec<T> = Vec::new();
    let mut put = |element: T, merge: &dyn Fn(&mut T, T)| match positions.entry(key(&element)) {
        Entry::Occupied(position) => merge(&mut result[*position.get()], element),
        Entry::Vacant(position) => {
            position.insert(result.len());
            result.push(element);
        }
    };
    let replace = |old: &mut T, new: T| *old = new;
    base.into_iter().for_each(|element| put(element, &replace));
    overlay.into_iter().for_each(|element| put(element, &merge));
    result
}

/// Converts images to the format of `parent`.
///
/// They have capability flavors if `parent` defines capabilities, else architectures.
///
/// Mirrors TransformSpecToParentFormat in `pkg/utils/gardener/namespacedcloudprofile.go`.
pub fn to_format_of(parent: &CloudProfileSpec, images: &[MachineImage]) -> Vec<MachineImage> {
    let mut images = images.to_vec();
    let has_capabilities = !parent.machine_capabilities.is_empty();
    for version in images.iter_mut().flat_map(|image| &mut image.versions) {
        if has_capabilities {
            if version.capability_flavors.is_empty() {
                let architectures = version.architectures.iter();
                version.capability_flavors = architectures.map(|a| flavor(a)).collect();
            }
        } else {
            if version.architectures.is_empty() {
                version.architectures = version.flavor_architectures();
            }
            version.capability_flavors.clear();
        }
    }
    images
}

/// Converts machine types to the format of `parent`.
fn types_in_format_of(
    parent: &CloudProfileSpec,
    types: &[MachineType],
) -> impl Iterator<Item = MachineType> {
    let defined = parent.defined_architectures();
    let has_capabilities = !parent.machine_capabilities.is_empty();
    types.iter().cloned().map(move |mut machine_type| {
        if !has_capabilities {
            let capabilities = std::mem::take(&mut machine_type.capabilities);
            let own = capabilities.get(ARCHITECTURE).and_then(|values| values.first());
            machine_type.architecture = machine_type.architecture.or_else(|| own.cloned());
        } else if machine_type.capabilities.is_empty() {
            let own = machine_type.architecture_within(defined).filter(|it| !it.is_empty());
            // Gardener keeps an empty architecture, and refuses it afterwards.
            let own = own.or(machine_type.architecture.as_deref());
            machine_type.capabilities = flavor(own.unwrap_or(AMD64));
        }
        machine_type
    })
}

fn flavor(architecture: &str) -> Capabilities {
    Capabilities::from([(ARCHITECTURE.to_owned(), vec![architecture.to_owned()])])
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::merge_profiles;
    use crate::api::{CloudProfileSpec, NamespacedCloudProfileSpec};

    fn merged(parent: &Value, overlay: &Value) -> CloudProfileSpec {
        let parent = serde_json::from_str(&parent.to_string()).unwrap();
        let overlay: NamespacedCloudProfileSpec =
            serde_json::from_str(&overlay.to_string()).unwrap();
        merge_profiles(&parent, &overlay)
    }

    fn version(version: &str, date: Option<&str>) -> Value {
        json!({"version": version, "expirationDate": date, "architectures": ["arm64"]})
    }

    const DATE: &str = "2030-01-01T00:00:00Z";

    #[test]
    fn kubernetes_versions_get_the_date_of_their_override() {
        let parent = json!({"kubernetes": {"versions": [version("1.30.1", Some(DATE)), version("1.31.1", None)]}});
        let overlay = json!({"kubernetes": {"versions": [version("1.31.1", Some(DATE)), version("1.30.1", None), version("1.29.1", None)]}});
        let versions = merged(&parent, &overlay).kubernetes.versions;
        let dates: Vec<_> =
            versions.iter().map(|v| (v.version.as_str(), v.expiration_date.is_some())).collect();
        assert_eq!(dates, [("1.30.1", false), ("1.31.1", true)]);
    }

    #[test]
    fn images_are_replaced_dated_or_added() {
        let parent = json!({"machineImages": [{"name": "a", "updateStrategy": "minor", "versions": [version("1.0.0", None), version("2.0.0", None)]}]});
        let overlay = json!({"machineImages": [
            {"name": "a", "versions": [{"version": "1.0.0", "expirationDate": DATE}, {"version": "2.0.0", "classification": "preview"}, {"version": "3.0.0"}]},
            {"name": "b", "updateStrategy": "major"},
        ]});
        let images = merged(&parent, &overlay).machine_images;
        assert_eq!(images.len(), 2);
        assert_eq!(images[0].update_strategy.as_deref(), Some("minor"));
        let versions: Vec<_> = images[0]
            .versions
            .iter()
            .map(|v| (v.expiration_date.is_some(), &*v.architectures[0]))
            .collect();
        assert_eq!(versions, [(true, "arm64"), (false, "amd64"), (false, "amd64")]);
    }

    #[test]
    fn update_strategy_of_an_image_is_overridden_if_it_is_set() {
        let strategy = |own: &str| {
            let image = |it: &str| json!({"machineImages": [{"name": "i", "updateStrategy": it, "versions": []}]});
            let merged = merged(&image("minor"), &image(own));
            merged.machine_images[0].update_strategy.clone()
        };
        assert_eq!(strategy("major").as_deref(), Some("major"));
        assert_eq!(strategy("").as_deref(), Some("minor"));
    }

    #[test]
    fn limit_of_nodes_is_overridden_by_more_than_zero() {
        let limit = |own: i32| {
            let limits = |most: i32| json!({"limits": {"maxNodesTotal": most}});
            let merged = merged(&limits(10), &limits(own));
            merged.limits.and_then(|limits| limits.max_nodes_total)
        };
        assert_eq!(limit(5), Some(5));
        assert_eq!(limit(0), Some(10));
    }

    #[test]
    fn an_empty_classification_says_nothing() {
        let parent =
            json!({"machineImages": [{"name": "a", "versions": [version("1.0.0", None)]}]});
        let overlay = json!({"machineImages": [
            {"name": "a", "versions": [{"version": "1.0.0", "expirationDate": DATE, "classification": ""}]},
        ]});
        let versions = merged(&parent, &overlay).machine_images[0].versions.clone();
        assert_eq!(versions[0].architectures, ["arm64"]);
        assert!(versions[0].expiration_date.is_some() && versions[0].classification.is_none());
    }

    #[test]
    fn what_a_project_adds_is_written_as_the_parent_does() {
        let definitions = json!([{"name": "architecture", "values": ["amd64", "arm64"]}]);
        let overlay = json!({
            "machineImages": [{"name": "b", "versions": [{"version": "1.0.0", "architectures": ["arm64"]}]}],
            "machineTypes": [{"name": "old", "architecture": "arm64"}, {"name": "new", "capabilities": {"architecture": ["arm64"]}}, {"name": "bare"}, {"name": "empty", "architecture": ""}],
        });
        let with = merged(&json!({"machineCapabilities": definitions}), &overlay);
        let capability = |of: &[String]| json!({"architecture": of});
        let arm = capability(&["arm64".to_owned()]);
        assert_eq!(json!(with.machine_images[0].versions[0].capability_flavors), json!([arm]));
        let types: Vec<_> = with
            .machine_types
            .iter()
            .map(|it| (json!(it.capabilities), it.architecture.as_deref()))
            .collect();
        let amd = capability(&["amd64".to_owned()]);
        assert_eq!(
            types,
            [
                (arm.clone(), Some("arm64")),
                (arm, Some("arm64")),
                (amd, Some("amd64")),
                (capability(&[String::new()]), Some("amd64"))
            ]
        );

        let without = merged(&json!({}), &overlay);
        let types: Vec<_> = without
            .machine_types
            .iter()
            .map(|it| (it.capabilities.len(), it.architecture.as_deref()))
            .collect();
        assert_eq!(
            types,
            [(0, Some("arm64")), (0, Some("arm64")), (0, Some("amd64")), (0, Some("amd64"))]
        );
    }
}
