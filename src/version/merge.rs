use std::collections::HashMap;
use std::hash::Hash;

use crate::model::{
    Capabilities, CloudProfileSpec, ExpirableVersion, MachineImage, MachineImageVersion,
    MachineType, NamespacedCloudProfileSpec,
};

const ARCHITECTURE: &str = "architecture";

/// What a CloudProfile offers with the changes of a NamespacedCloudProfile; what Gardener writes to the latter's status.
///
/// Mirrors MergeCloudProfiles in `pkg/controllermanager/controller/namespacedcloudprofile/reconciler.go`.
#[must_use]
pub fn merge_profiles(
    parent: &CloudProfileSpec,
    overlay: &NamespacedCloudProfileSpec,
) -> CloudProfileSpec {
    let mut merged = parent.clone();
    if let Some(kubernetes) = &overlay.kubernetes {
        override_dates(&mut merged.kubernetes.versions, &kubernetes.versions);
    }
    merged.machine_images = merge_images(
        to_format_of(parent, &parent.machine_images),
        to_format_of(parent, &overlay.machine_images),
    );
    let defined = parent.defined_architectures();
    let versions = merged.machine_images.iter_mut();
    for version in versions.flat_map(|image| &mut image.versions) {
        fill_architectures(version, defined);
    }
    let types = merged.machine_types.iter().chain(&overlay.machine_types);
    merged.machine_types = last_of_each(types.cloned(), |t: &MachineType| t.name.clone());
    let limit = overlay.limits.and_then(|limits| limits.max_nodes_total);
    if let Some(limit) = limit.filter(|limit| *limit > 0) {
        merged.limits.get_or_insert_default().max_nodes_total = Some(limit);
    }
    merged
}

fn override_dates(versions: &mut [ExpirableVersion], overrides: &[ExpirableVersion]) {
    let dates = overrides
        .iter()
        .map(|v| (v.version.as_str(), v.expiration_date));
    let dates: HashMap<&str, _> = dates.collect();
    for version in versions {
        if let Some(date) = dates.get(version.version.as_str()) {
            version.expiration_date = *date;
        }
    }
}

fn merge_images(parent: Vec<MachineImage>, overlay: Vec<MachineImage>) -> Vec<MachineImage> {
    let name = |image: &MachineImage| image.name.clone();
    let mut images = last_of_each(parent, name);
    let positions = images.iter().enumerate().map(|(i, image)| (name(image), i));
    let positions: HashMap<String, usize> = positions.collect();
    for own in last_of_each(overlay, name) {
        match positions.get(&own.name) {
            None => images.push(own),
            Some(position) => merge_image(&mut images[*position], own),
        }
    }
    images
}

fn merge_image(image: &mut MachineImage, own: MachineImage) {
    if own
        .update_strategy
        .as_deref()
        .is_some_and(|s| !s.is_empty())
    {
        image.update_strategy = own.update_strategy;
    }
    let key = |version: &MachineImageVersion| version.version.clone();
    let mut versions = last_of_each(std::mem::take(&mut image.versions), key);
    let positions = versions.iter().enumerate().map(|(i, v)| (key(v), i));
    let positions: HashMap<String, usize> = positions.collect();
    for own in last_of_each(own.versions, key) {
        match positions.get(&own.version) {
            None => versions.push(own),
            Some(position) if replaces(&own) => versions[*position] = own,
            Some(position) => versions[*position].expiration_date = own.expiration_date,
        }
    }
    image.versions = versions;
}

/// Whether an override says more than a date, and so takes the place of the parent's version.
fn replaces(version: &MachineImageVersion) -> bool {
    let constraint = version.kubelet_version_constraint.as_deref();
    !version.architectures.is_empty()
        || !version.capability_flavors.is_empty()
        || !version.cri.is_empty()
        || constraint.is_some_and(|constraint| !constraint.is_empty())
        || version.classification.is_some()
}

fn fill_architectures(version: &mut MachineImageVersion, defined: &[String]) {
    if version.architectures.is_empty() {
        version.architectures = version.flavor_architectures(defined);
    }
    if version.architectures.is_empty() && defined.is_empty() {
        version.architectures.push("amd64".into());
    }
}

/// The elements without repetitions: of equal keys the last value, at the first position.
fn last_of_each<T, K: Eq + Hash>(
    list: impl IntoIterator<Item = T>,
    key: impl Fn(&T) -> K,
) -> Vec<T> {
    let mut positions = HashMap::new();
    let mut result: Vec<T> = Vec::new();
    for element in list {
        match positions.get(&key(&element)) {
            Some(position) => result[*position] = element,
            None => {
                positions.insert(key(&element), result.len());
                result.push(element);
            }
        }
    }
    result
}

/// Images as `parent` would write them: with capability flavors if it defines capabilities, else with architectures.
///
/// Mirrors TransformSpecToParentFormat in `pkg/utils/gardener/namespacedcloudprofile.go`.
#[must_use]
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
                version.architectures = version.flavor_architectures(&[]);
            }
            version.capability_flavors.clear();
        }
    }
    images
}

fn flavor(architecture: &str) -> Capabilities {
    Capabilities::from([(ARCHITECTURE.to_owned(), vec![architecture.to_owned()])])
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::merge_profiles;
    use crate::model::{CloudProfileSpec, NamespacedCloudProfileSpec};

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
        let dates: Vec<_> = versions
            .iter()
            .map(|v| (v.version.as_str(), v.expiration_date.is_some()))
            .collect();
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
        let versions = images[0].versions.iter();
        let versions: Vec<_> = versions
            .map(|v| (v.expiration_date.is_some(), v.architectures[0].as_str()))
            .collect();
        assert_eq!(
            versions,
            [(true, "arm64"), (false, "amd64"), (false, "amd64")]
        );
    }
}
