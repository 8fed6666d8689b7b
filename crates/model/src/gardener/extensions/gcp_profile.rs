// SPDX-License-Identifier: Apache-2.0
//! The mutating webhook of provider-gcp for profiles. Source: `pkg/admission/mutator/{cloudprofile,namespacedcloudprofile}.go`.

use super::capability_flavors::{
    DEFAULT_ARCHITECTURE, FirstVersions, ProviderConfig, ProviderImage, ProviderVersion,
    flavors_of_architectures, provider_images, set_capability_flavors,
};
use super::{Mutation, Mutator, Refusal};
use crate::api::Capabilities;
use crate::api::extensions::ExtensionVersion;
use crate::api::extensions::gcp::cloud_profile::{
    CloudProfileConfig, MachineImageVersion, MachineImages,
};

/// The mutating webhook of provider-gcp for profiles.
pub(super) const MUTATOR: Mutator = Mutator { extension: "gcp", mutate };

/// The first versions that set the flavors of NamespacedCloudProfiles and of CloudProfiles.
const FIRST: FirstVersions = FirstVersions {
    cloud_profiles: ExtensionVersion::new(1, 50),
    namespaced: ExtensionVersion::new(1, 52),
};

fn mutate(mutation: &mut Mutation<'_, '_>) -> Result<(), Refusal> {
    set_capability_flavors::<CloudProfileConfig>(mutation, "gcp", &FIRST)
}

provider_images!(CloudProfileConfig, MachineImages, MachineImageVersion);

impl ProviderVersion for MachineImageVersion {
    fn version(&self) -> &str {
        &self.version
    }

    /// The first entry with flavors is used, or else the architectures of all entries with an image.
    fn capability_flavors(entries: &[&Self]) -> Option<Vec<Capabilities>> {
        let mut all = entries.iter();
        if let Some(entry) = all.find(|it| !it.capability_flavors.is_empty()) {
            let flavors = entry.capability_flavors.iter();
            return Some(flavors.map(|it| it.capabilities.clone()).collect());
        }
        let with_image = entries.iter().filter(|it| !it.image.is_empty());
        let architectures = with_image.map(|it| architecture(it));
        Some(flavors_of_architectures(architectures))
    }
}

/// Returns the architecture of an entry without capability flavors.
pub fn architecture(entry: &MachineImageVersion) -> &str {
    let written = entry.architecture.as_deref();
    written.unwrap_or(DEFAULT_ARCHITECTURE)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::gardener::extensions::capability_flavors::capability_flavors_of;

    #[test]
    fn flavors_are_those_of_all_entries() {
        let entries = [
            json!({"version": "1", "image": "a", "architecture": "arm64"}),
            json!({"version": "1", "image": "b"}),
            json!({"version": "1", "architecture": "other"}),
            json!({"version": "1", "capabilityFlavors": [{"image": "c", "capabilities": {"boot": ["uefi"]}}]}),
        ];
        let flavors = capability_flavors_of::<MachineImageVersion>;
        let architectures = json!([{"architecture": ["amd64"]}, {"architecture": ["arm64"]}]);
        assert_eq!(flavors(&entries[..3]), Some(architectures));
        assert_eq!(flavors(&entries[..]), Some(json!([{"boot": ["uefi"]}])));
        assert_eq!(flavors(&entries[2..3]), Some(json!([])));
    }
}
