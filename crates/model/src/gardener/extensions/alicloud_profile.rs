// SPDX-License-Identifier: Apache-2.0
//! The mutating webhook of provider-alicloud for profiles. Source: `pkg/admission/mutator/{cloudprofile,namespacedcloudprofile}.go`.

use super::capability_flavors::{
    DEFAULT_ARCHITECTURE, FirstVersions, ProviderConfig, ProviderImage, ProviderVersion,
    flavors_of_architectures, provider_images, set_capability_flavors,
};
use super::{Mutation, Mutator, Refusal};
use crate::api::Capabilities;
use crate::api::extensions::ExtensionVersion;
use crate::api::extensions::alicloud::cloud_profile::{
    CloudProfileConfig, MachineImageVersion, MachineImages,
};

/// The mutating webhook of provider-alicloud for profiles.
pub(super) const MUTATOR: Mutator = Mutator { extension: "alicloud", mutate };

/// The first versions that set the flavors of profiles, also from images without flavors.
const FIRST: FirstVersions = FirstVersions {
    cloud_profiles: ExtensionVersion::new(1, 72),
    namespaced: ExtensionVersion::new(1, 72),
};

fn mutate(mutation: &mut Mutation<'_, '_>) -> Result<(), Refusal> {
    set_capability_flavors::<CloudProfileConfig>(mutation, "alicloud", &FIRST)
}

provider_images!(CloudProfileConfig, MachineImages, MachineImageVersion);

impl ProviderVersion for MachineImageVersion {
    fn version(&self) -> &str {
        &self.version
    }

    /// The last entry with images is used; those without flavors are for `amd64`.
    fn capability_flavors(entries: &[&Self]) -> Option<Vec<Capabilities>> {
        let mut latest = entries.iter().rev();
        let used = latest.find(|it| !it.capability_flavors.is_empty() || !it.regions.is_empty())?;
        if used.capability_flavors.is_empty() {
            return Some(flavors_of_architectures([DEFAULT_ARCHITECTURE]));
        }
        let flavors = used.capability_flavors.iter();
        Some(flavors.map(|it| it.capabilities.clone()).collect())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::gardener::extensions::capability_flavors::capability_flavors_of;

    #[test]
    fn flavors_are_those_of_the_last_entry_with_images() {
        let entries = [
            json!({"version": "1", "regions": [{"name": "eu", "id": "m-1"}]}),
            json!({"version": "1", "capabilityFlavors": [{"capabilities": {"boot": ["uefi"]}}]}),
            json!({"version": "1"}),
        ];
        let flavors = capability_flavors_of::<MachineImageVersion>;
        assert_eq!(flavors(&entries[..]), Some(json!([{"boot": ["uefi"]}])));
        let plain = json!([{"architecture": ["amd64"]}]);
        assert_eq!(flavors(&entries[..1]), Some(plain));
        assert_eq!(flavors(&entries[2..]), None);
    }
}
