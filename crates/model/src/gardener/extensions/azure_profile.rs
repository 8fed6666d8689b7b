// SPDX-License-Identifier: Apache-2.0
//! The mutating webhook of provider-azure for profiles. Source: `pkg/admission/mutator/{cloudprofile,namespacedcloudprofile}.go`.

use std::collections::BTreeSet;

use super::capability_flavors::{
    DEFAULT_ARCHITECTURE, FirstVersions, ProviderConfig, ProviderImage, ProviderVersion,
    provider_images, set_capability_flavors,
};
use super::{Mutation, Mutator, Refusal};
use crate::api::Capabilities;
use crate::api::extensions::ExtensionVersion;
use crate::api::extensions::azure::cloud_profile::{
    CloudProfileConfig, MachineImageVersion, MachineImages,
};

/// The mutating webhook of provider-azure for profiles.
pub(super) const MUTATOR: Mutator = Mutator { extension: "azure", mutate };

/// The first versions that set the flavors of NamespacedCloudProfiles, and of CloudProfiles also from images without flavors.
const FIRST: FirstVersions = FirstVersions {
    cloud_profiles: ExtensionVersion::new(1, 60),
    namespaced: ExtensionVersion::new(1, 61),
};

const ARCHITECTURE: &str = "architecture";
const NETWORKING: &str = "azure-networking";
const BASIC: &str = "basic";

fn mutate(mutation: &mut Mutation<'_, '_>) -> Result<(), Refusal> {
    set_capability_flavors::<CloudProfileConfig>(mutation, "azure", &FIRST)
}

provider_images!(CloudProfileConfig, MachineImages, MachineImageVersion);

impl ProviderVersion for MachineImageVersion {
    fn version(&self) -> &str {
        &self.version
    }

    /// The first entry with flavors is used, or else all entries with an image.
    fn capability_flavors(entries: &[&Self]) -> Option<Vec<Capabilities>> {
        let mut all = entries.iter();
        let Some(entry) = all.find(|it| !it.capability_flavors.is_empty()) else {
            return Some(flavors_of_images(entries));
        };
        let flavors = entry.capability_flavors.iter();
        Some(flavors.map(|it| it.capabilities.clone()).collect())
    }
}

impl MachineImageVersion {
    /// Reports whether an image is named outside of capability flavors.
    pub fn has_image(&self) -> bool {
        let ids =
            [&self.urn, &self.id, &self.community_gallery_image_id, &self.shared_gallery_image_id];
        ids.into_iter().any(Option::is_some)
    }

    /// Returns the architecture of the image outside of capability flavors.
    pub fn image_architecture(&self) -> &str {
        self.architecture.as_deref().unwrap_or(DEFAULT_ARCHITECTURE)
    }
}

/// Returns a flavor for each architecture and kind of networking of images, sorted; the extension's order is random.
///
/// Accelerated networking is compatible with machines of any networking. Versions before 1.62 list all values of it, which has the same meaning.
fn flavors_of_images(entries: &[&MachineImageVersion]) -> Vec<Capabilities> {
    let images = entries.iter().filter(|it| it.has_image());
    let distinct: BTreeSet<(&str, bool)> = images
        .map(|it| {
            let is_accelerated = it.accelerated_networking == Some(true);
            (it.image_architecture(), is_accelerated)
        })
        .collect();
    let flavors = distinct.into_iter().map(|(architecture, is_accelerated)| {
        let mut flavor =
            Capabilities::from([(ARCHITECTURE.to_owned(), vec![architecture.to_owned()])]);
        if !is_accelerated {
            flavor.insert(NETWORKING.to_owned(), vec![BASIC.to_owned()]);
        }
        flavor
    });
    flavors.collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn flavors(entries: Value) -> Value {
        let entries: Vec<MachineImageVersion> = serde_json::from_value(entries).unwrap();
        let entries: Vec<_> = entries.iter().collect();
        json!(MachineImageVersion::capability_flavors(&entries))
    }

    #[test]
    fn flavors_are_those_of_the_first_entry_with_any() {
        let entries = json!([
            {"version": "1", "urn": "a:b:c:d"},
            {"version": "1", "capabilityFlavors": [{"capabilities": {"boot": ["uefi"]}, "id": "x"}]},
            {"version": "1", "capabilityFlavors": [{"capabilities": {"boot": ["legacy"]}, "id": "y"}]},
        ]);
        assert_eq!(flavors(entries), json!([{"boot": ["uefi"]}]));
    }

    #[test]
    fn flavors_of_images_name_architecture_and_networking() {
        let entries = json!([
            {"version": "1", "urn": "a:b:c:d", "acceleratedNetworking": true},
            {"version": "1", "id": "x", "architecture": "arm64"},
            {"version": "1", "id": "y", "architecture": "arm64", "acceleratedNetworking": false},
            {"version": "1", "architecture": "other"},
        ]);
        let arm64 = json!({"architecture": ["arm64"], "azure-networking": ["basic"]});
        let amd64 = json!({"architecture": ["amd64"]});
        assert_eq!(flavors(entries), json!([amd64, arm64]));
        assert_eq!(flavors(json!([{"version": "1"}])), json!([]));
    }
}
