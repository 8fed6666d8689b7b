// SPDX-License-Identifier: Apache-2.0
//! The capability flavors of machine images, which mutating webhooks of providers copy from the providerConfig of a profile.
//!
//! Providers differ only in the fields of their configurations, and in the use of several entries of one version: see
//! [`ProviderVersion::capability_flavors`].

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::decoding::decodes;
use super::{Edit, Mutation, Refusal};
use crate::api::extensions::{Configuration, ConfigurationPlace, ExtensionVersion};
use crate::api::{Capabilities, CapabilityDefinition, Kind};
use garden_gate_text::json::{self, Json, decode_value};

/// The architecture of an image without one.
pub const DEFAULT_ARCHITECTURE: &str = "amd64";
const ARCHITECTURE: &str = "architecture";

/// The configuration of a provider in a profile.
pub trait ProviderConfig: DeserializeOwned {
    /// A machine image in it.
    type Image: ProviderImage;

    /// Returns the machine images.
    fn images(&self) -> &[Self::Image];
}

/// A machine image in the configuration of a provider.
pub trait ProviderImage {
    /// An entry of a version.
    type Version: ProviderVersion;

    /// Returns the name.
    fn name(&self) -> &str;

    /// Returns the entries of its versions.
    fn versions(&self) -> &[Self::Version];
}

/// An entry of a version of a machine image in the configuration of a provider.
pub trait ProviderVersion: Sized {
    /// Returns the version.
    fn version(&self) -> &str;

    /// Returns the capability flavors that the entries of one version give to the profile; `None` if it keeps its own.
    fn capability_flavors(entries: &[&Self]) -> Option<Vec<Capabilities>>;
}

/// Implements the traits of a provider's configuration and its machine images, whose fields have the same names for all providers.
macro_rules! provider_images {
    ($config:ty, $image:ty, $version:ty) => {
        impl ProviderConfig for $config {
            type Image = $image;

            fn images(&self) -> &[$image] {
                &self.machine_images
            }
        }

        impl ProviderImage for $image {
            type Version = $version;

            fn name(&self) -> &str {
                &self.name
            }

            fn versions(&self) -> &[$version] {
                &self.versions
            }
        }
    };
}

pub(super) use provider_images;

/// The first versions of an extension that set the flavors of profiles.
pub(super) struct FirstVersions {
    pub(super) cloud_profiles: ExtensionVersion,
    pub(super) namespaced: ExtensionVersion,
}

/// Returns one capability flavor for each architecture, sorted.
pub fn flavors_of_architectures<'a>(
    architectures: impl IntoIterator<Item = &'a str>,
) -> Vec<Capabilities> {
    let distinct: BTreeSet<&str> = architectures.into_iter().collect();
    let flavors = distinct
        .into_iter()
        .map(|it| Capabilities::from([(ARCHITECTURE.to_owned(), vec![it.to_owned()])]));
    flavors.collect()
}

/// Sets the capability flavors of the machine images of a profile whose capabilities are defined.
///
/// # Errors
/// Fails if the configuration of the provider, whose type is `class`, cannot be decoded strictly.
pub(super) fn set_capability_flavors<C: ProviderConfig>(
    mutation: &mut Mutation<'_, '_>,
    class: &str,
    first: &FirstVersions,
) -> Result<(), Refusal> {
    let is_profile = match mutation.kind {
        Kind::CloudProfile => {
            mutation.version >= first.cloud_profiles && !mutation.capabilities.is_empty()
        }
        Kind::NamespacedCloudProfile => mutation.version >= first.namespaced,
        _ => false,
    };
    let deletion = mutation.new.opened_at(&["metadata", "deletionTimestamp"]);
    if !is_profile || !deletion.is_null() {
        return Ok(());
    }
    let Some(config) = decode::<C>(mutation, class)? else {
        return Ok(());
    };
    if mutation.capabilities.is_empty() {
        return Ok(());
    }
    let images = mutation.new.opened_at(&["spec", "machineImages"]).opened_elements();
    let mut changes = Vec::new();
    for ((image, version), flavors) in flavors_of(config.images(), images) {
        let written = images
            .get(image)
            .map(|it| it.opened_at(&["versions"]))
            .and_then(|it| it.opened_elements().get(version))
            .map(|it| it.opened_at(&["capabilityFlavors"]));
        let is_same = match written {
            Some(written) if !written.is_null() => written.to_value() == json!(flavors),
            _ => flavors.is_empty(),
        };
        if !is_same {
            let pointer = pointer(image, version);
            // Empty lists are not stored.
            let value = if flavors.is_empty() { Value::Null } else { json!(flavors) };
            changes.push((pointer, value));
        }
    }
    for (pointer, flavors) in changes {
        mutation.set(pointer, flavors);
    }
    Ok(())
}

/// Returns the capability flavors that a mutating webhook sets.
pub fn flavors_set(edit: &Edit) -> Option<Vec<Capabilities>> {
    let flavors: Option<Vec<Capabilities>> = decode_value(&edit.value).ok()?;
    Some(flavors.unwrap_or_default())
}

/// Returns the capabilities that a CloudProfile defines; none if they cannot be decoded, for which Gardener refuses it.
pub fn defined_capabilities(profile: &Json<'_>) -> Vec<CapabilityDefinition> {
    let capabilities = profile.opened_at(&["spec", "machineCapabilities"]);
    decode_value(&capabilities.to_value()).unwrap_or_default()
}

/// Returns the JSON pointer to the capability flavors of a version of a machine image.
pub fn pointer(image: usize, version: usize) -> String {
    format!("/spec/machineImages/{image}/versions/{version}/capabilityFlavors")
}

/// Returns the capability flavors that the configuration of a provider gives to the machine images, by the indices of image and version.
fn flavors_of<I: ProviderImage>(
    provided: &[I],
    images: &[Json<'_>],
) -> BTreeMap<(usize, usize), Vec<Capabilities>> {
    let positions = positions(images, "name");
    let mut found = BTreeMap::new();
    for image in provided {
        let Some(&index) = positions.get(image.name()) else {
            continue;
        };
        let versions = images
            .get(index)
            .map(|it| it.opened_at(&["versions"]))
            .map_or(&[][..], Json::opened_elements);
        let versions = self::positions(versions, "version");
        let mut entries: BTreeMap<usize, Vec<&I::Version>> = BTreeMap::new();
        for entry in image.versions() {
            if let Some(version) = versions.get(entry.version()) {
                entries.entry(*version).or_default().push(entry);
            }
        }
        for (version, entries) in entries {
            if let Some(flavors) = I::Version::capability_flavors(&entries) {
                found.insert((index, version), flavors);
            }
        }
    }
    found
}

/// Returns the first positions of elements by a field of theirs, such as their name.
fn positions(elements: &[Json<'_>], field: &str) -> HashMap<String, usize> {
    let mut positions = HashMap::new();
    for (index, element) in elements.iter().enumerate() {
        let name = element.opened_at(&[field]).read::<String>();
        positions.entry(name.unwrap_or_default()).or_insert(index);
    }
    positions
}

/// Decodes the configuration of a profile strictly; its header may be absent.
fn decode<C: DeserializeOwned>(
    mutation: &Mutation<'_, '_>,
    class: &str,
) -> Result<Option<C>, Refusal> {
    let place = ConfigurationPlace::CloudProfile;
    let undecodable = || Refusal::Undecodable { place };
    let Some(document) = mutation.documents.at(place) else {
        return Ok(None);
    };
    let Some((_, configuration)) = Configuration::at(place, class) else {
        return Ok(None);
    };
    if !decodes(&document.text, configuration, mutation.version) {
        return Err(undecodable());
    }
    let decoded = json::decode(&document.text);
    decoded.map(Some).map_err(|_| undecodable())
}

/// Returns the capability flavors of the entries of one version, written as in a configuration.
#[cfg(test)]
pub(super) fn capability_flavors_of<V: ProviderVersion + DeserializeOwned>(
    entries: &[Value],
) -> Option<Value> {
    let entries: Vec<V> = serde_json::from_value(json!(entries)).unwrap();
    let entries: Vec<_> = entries.iter().collect();
    V::capability_flavors(&entries).map(|it| json!(it))
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Image(Vec<Entry>);
    struct Entry(&'static str, Option<&'static str>);

    impl ProviderImage for Image {
        type Version = Entry;

        fn name(&self) -> &'static str {
            "gardenlinux"
        }

        fn versions(&self) -> &[Entry] {
            &self.0
        }
    }

    impl ProviderVersion for Entry {
        fn version(&self) -> &str {
            self.0
        }

        fn capability_flavors(entries: &[&Self]) -> Option<Vec<Capabilities>> {
            let architectures: Option<Vec<_>> = entries.iter().map(|it| it.1).collect();
            architectures.map(flavors_of_architectures)
        }
    }

    #[test]
    fn entries_of_one_version_are_taken_together() {
        let text = r#"[{"name": "other"}, {"name": "gardenlinux", "versions": [{"version": "1"}, {"version": "2"}, {"version": "2"}]}]"#;
        let images = Json::text(text).opened();
        let entries =
            [("2", Some("arm64")), ("1", None), ("3", Some("amd64")), ("2", Some("amd64"))];
        let image = Image(entries.map(|(version, it)| Entry(version, it)).into());
        let found = flavors_of(&[image], images.opened_elements());
        let expected = flavors_of_architectures(["amd64", "arm64"]);
        assert_eq!(found, BTreeMap::from([((1, 1), expected)]));
    }
}
