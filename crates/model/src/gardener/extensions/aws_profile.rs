// SPDX-License-Identifier: Apache-2.0
//! The mutating webhook of provider-aws for profiles. Source: `pkg/admission/mutator/{cloudprofile,namespacedcloudprofile}.go`.

use super::capability_flavors::{
    DEFAULT_ARCHITECTURE, FirstVersions, ProviderConfig, ProviderImage, ProviderVersion,
    flavors_of_architectures, provider_images, set_capability_flavors,
};
use super::{Mutation, Mutator, Refusal};
use crate::api::Capabilities;
use crate::api::extensions::ExtensionVersion;
use crate::api::extensions::aws::cloud_profile::{
    CloudProfileConfig, MachineImageVersion, MachineImages, RegionAMIMapping,
};

/// The mutating webhook of provider-aws for profiles.
pub(super) const MUTATOR: Mutator = Mutator { extension: "aws", mutate };

/// The first versions that set the flavors of NamespacedCloudProfiles, and of CloudProfiles also from AMIs without flavors.
const FIRST: FirstVersions = FirstVersions {
    cloud_profiles: ExtensionVersion::new(1, 69),
    namespaced: ExtensionVersion::new(1, 70),
};

fn mutate(mutation: &mut Mutation<'_, '_>) -> Result<(), Refusal> {
    set_capability_flavors::<CloudProfileConfig>(mutation, "aws", &FIRST)
}

provider_images!(CloudProfileConfig, MachineImages, MachineImageVersion);

impl ProviderVersion for MachineImageVersion {
    fn version(&self) -> &str {
        &self.version
    }

    /// The last entry with AMIs is used.
    fn capability_flavors(entries: &[&Self]) -> Option<Vec<Capabilities>> {
        let mut latest = entries.iter().rev();
        let used = latest.find(|it| !it.capability_flavors.is_empty() || !it.regions.is_empty())?;
        if used.capability_flavors.is_empty() {
            let architectures = used.regions.iter().map(architecture);
            return Some(flavors_of_architectures(architectures));
        }
        let flavors = used.capability_flavors.iter();
        Some(flavors.map(|it| it.capabilities.clone()).collect())
    }
}

/// Returns the architecture of an AMI outside of capability flavors.
fn architecture(image: &RegionAMIMapping) -> &str {
    written_architecture(image).unwrap_or(DEFAULT_ARCHITECTURE)
}

/// Returns the architecture of an AMI as written; the decoder of the extension removes `ignore`.
pub fn written_architecture(image: &RegionAMIMapping) -> Option<&str> {
    let written = image.architecture.as_deref();
    written.filter(|it| *it != "ignore")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::gardener::extensions::capability_flavors::capability_flavors_of;

    #[test]
    fn flavors_are_those_of_the_last_entry_with_amis() {
        let entries = [
            json!({"version": "1", "capabilityFlavors": [{"capabilities": {"boot": ["uefi"]}}]}),
            json!({"version": "1", "regions": [{"architecture": "arm64"}, {}, {"architecture": "ignore"}]}),
            json!({"version": "1"}),
        ];
        let flavors = capability_flavors_of::<MachineImageVersion>;
        let architectures = json!([{"architecture": ["amd64"]}, {"architecture": ["arm64"]}]);
        assert_eq!(flavors(&entries[..]), Some(architectures));
        assert_eq!(flavors(&entries[..1]), Some(json!([{"boot": ["uefi"]}])));
        assert_eq!(flavors(&entries[2..]), None);
    }
}
