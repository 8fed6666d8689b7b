use std::collections::HashMap;
use std::hash::Hash;

use crate::model::{
    Capabilities, CloudProfileSpec, ExpirableVersion, MachineImage, MachineImageVersion,
    MachineType, NamespacedCloudProfileSpec,
};

const ARCHITECTURE: &str = "architecture";
const AMD64: &str = "amd64";

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
    let defined = parent.defined_architectures();
    let images = std::mem::take(&mut merged.machine_images);
    merged.machine_images = merge_images(images, to_format_of(parent, &overlay.machine_images));
    let versions = merged.machine_images.iter_mut();
    for version in versions.flat_map(|image| &mut image.versions) {
        fill_architectures(version, defined);
    }
    let types = std::mem::take(&mut merged.machine_types).into_iter();
    let types = types.chain(types_in_format_of(parent, &overlay.machine_types));
    merged.machine_types = last_of_each(types, |t: &MachineType| t.name.clone());
    for machine_type in &mut merged.machine_types {
        fill_architecture(machine_type, defined);
    }
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
    let effective = machine_type.architecture_within(defined);
    let effective = effective.filter(|it| !it.is_empty()).unwrap_or(AMD64);
    if machine_type
        .architecture
        .as_deref()
        .is_none_or(str::is_empty)
    {
        machine_type.architecture = Some(effective.to_owned());
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
                version.architectures = version.flavor_architectures();
            }
            version.capability_flavors.clear();
        }
    }
    images
}

/// Machine types as `parent` would write them.
fn types_in_format_of(
    parent: &CloudProfileSpec,
    types: &[MachineType],
) -> impl Iterator<Item = MachineType> {
    let defined = parent.defined_architectures();
    let has_capabilities = !parent.machine_capabilities.is_empty();
    types.iter().cloned().map(move |mut machine_type| {
        if !has_capabilities {
            let own = std::mem::take(&mut machine_type.capabilities);
            let own = own.get(ARCHITECTURE).and_then(|values| values.first());
            machine_type.architecture = machine_type.architecture.or_else(|| own.cloned());
        } else if machine_type.capabilities.is_empty() {
            let own = machine_type.architecture_within(defined);
            machine_type.capabilities = flavor(own.filter(|it| !it.is_empty()).unwrap_or(AMD64));
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
            "machineTypes": [{"name": "old", "architecture": "arm64"}, {"name": "new", "capabilities": {"architecture": ["arm64"]}}, {"name": "bare"}],
        });
        let with = merged(&json!({"machineCapabilities": definitions}), &overlay);
        let capability = |of: &[String]| json!({"architecture": of});
        let arm = capability(&["arm64".to_owned()]);
        assert_eq!(
            json!(with.machine_images[0].versions[0].capability_flavors),
            json!([arm])
        );
        let types = with.machine_types.iter();
        let types: Vec<_> = types
            .map(|it| (json!(it.capabilities), it.architecture.as_deref()))
            .collect();
        let amd = capability(&["amd64".to_owned()]);
        assert_eq!(
            types,
            [
                (arm.clone(), Some("arm64")),
                (arm, Some("arm64")),
                (amd, Some("amd64"))
            ]
        );

        let without = merged(&json!({}), &overlay);
        let types = without.machine_types.iter();
        let types: Vec<_> = types
            .map(|it| (it.capabilities.len(), it.architecture.as_deref()))
            .collect();
        assert_eq!(
            types,
            [(0, Some("arm64")), (0, Some("arm64")), (0, Some("amd64"))]
        );
    }
}
