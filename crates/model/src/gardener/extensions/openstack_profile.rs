// SPDX-License-Identifier: Apache-2.0
//! The mutating webhook of provider-openstack for profiles. Source: `pkg/admission/mutator/{cloudprofile,namespacedcloudprofile}.go`.

use super::capability_flavors::{
    DEFAULT_ARCHITECTURE, FirstVersions, ProviderConfig, ProviderImage, ProviderVersion,
    flavors_of_architectures, provider_images, set_capability_flavors,
};
use super::{Mutation, Mutator, Refusal};
use crate::api::Capabilities;
use crate::api::extensions::ExtensionVersion;
use crate::api::extensions::openstack::cloud_profile::{
    CloudProfileConfig, MachineImageVersion, MachineImages, RegionIDMapping,
};

/// The mutating webhook of provider-openstack for profiles.
pub(super) const MUTATOR: Mutator = Mutator { extension: "openstack", mutate };

/// The first versions that set the flavors of profiles, also from images without flavors.
const FIRST: FirstVersions = FirstVersions {
    cloud_profiles: ExtensionVersion::new(1, 55),
    namespaced: ExtensionVersion::new(1, 55),
};

fn mutate(mutation: &mut Mutation<'_, '_>) -> Result<(), Refusal> {
    set_capability_flavors::<CloudProfileConfig>(mutation, "openstack", &FIRST)
}

provider_images!(CloudProfileConfig, MachineImages, MachineImageVersion);

impl ProviderVersion for MachineImageVersion {
    fn version(&self) -> &str {
        &self.version
    }

    /// The last entry is used. Flavors are removed if it names an image for all regions.
    fn capability_flavors(entries: &[&Self]) -> Option<Vec<Capabilities>> {
        let used = entries.last()?;
        if used.capability_flavors.is_empty() {
            let architectures = used.regions.iter().map(architecture);
            return Some(flavors_of_architectures(architectures));
        }
        let flavors = used.capability_flavors.iter();
        Some(flavors.map(|it| it.capabilities.clone()).collect())
    }
}

/// Returns the architecture of an image outside of capability flavors.
fn architecture(image: &RegionIDMapping) -> &str {
    image.architecture.as_deref().unwrap_or(DEFAULT_ARCHITECTURE)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::api::{CapabilityDefinition, Kind};
    use crate::gardener::extensions::capability_flavors::capability_flavors_of;

    #[test]
    fn flavors_are_those_of_the_last_entry() {
        let entries = [
            json!({"version": "1", "capabilityFlavors": [{"capabilities": {"boot": ["uefi"]}}]}),
            json!({"version": "1", "regions": [{"architecture": "arm64"}, {}]}),
            json!({"version": "1", "image": "gardenlinux-1"}),
        ];
        let flavors = capability_flavors_of::<MachineImageVersion>;
        assert_eq!(flavors(&entries[..]), Some(json!([])));
        assert_eq!(flavors(&entries[..1]), Some(json!([{"boot": ["uefi"]}])));
        let architectures = json!([{"architecture": ["amd64"]}, {"architecture": ["arm64"]}]);
        assert_eq!(flavors(&entries[..2]), Some(architectures));
    }

    /// Returns the refusal of a CloudProfile with an image `i` in version `1`, or the number of changes.
    fn edits_of(config: &Value, capabilities: &[CapabilityDefinition]) -> Result<usize, Refusal> {
        let images = json!([{"name": "i", "versions": [{"version": "1"}]}]);
        let profile = json!({"spec": {"type": "openstack", "machineImages": images, "providerConfig": config}});
        let version = ExtensionVersion::new(1, 58);
        let edits = MUTATOR.edits((Kind::CloudProfile, version), &profile, None, capabilities)?;
        Ok(edits.len())
    }

    #[test]
    fn profile_without_capabilities_stays() {
        assert_eq!(edits_of(&json!({"machineImages": "x"}), &[]), Ok(0));
    }

    #[test]
    fn absent_flavors_are_not_removed() {
        let definition = json!({"name": "architecture", "values": ["amd64"]});
        let definition: CapabilityDefinition = serde_json::from_value(definition).unwrap();
        let config = |image: &Value| {
            json!({"apiVersion": "openstack.provider.extensions.gardener.cloud/v1alpha1", "kind": "CloudProfileConfig",
                "machineImages": [{"name": "i", "versions": [image]}]})
        };
        let capabilities = [definition];
        let everywhere = config(&json!({"version": "1", "image": "a"}));
        assert_eq!(edits_of(&everywhere, &capabilities), Ok(0));
        let regions = json!([{"name": "eu", "id": "a"}]);
        let in_region = config(&json!({"version": "1", "regions": regions}));
        assert_eq!(edits_of(&in_region, &capabilities), Ok(1));
    }
}
