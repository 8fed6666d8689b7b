//! The mutating webhook of provider-gcp for profiles. Source: `pkg/admission/mutator/{cloudprofile,namespacedcloudprofile}.go`.

use super::capability_flavors::{
    DEFAULT_ARCHITECTURE, ProviderConfig, ProviderImage, ProviderVersion, flavors_of_architectures,
    set_capability_flavors,
};
use super::{Mutation, Mutator, Refusal};
use crate::api::extensions::ExtensionVersion;
use crate::api::extensions::gcp::cloud_profile::{
    CloudProfileConfig, MachineImageVersion, MachineImages,
};
use crate::api::{Capabilities, Kind};

/// The mutating webhook of provider-gcp for profiles.
pub(super) const MUTATOR: Mutator = Mutator {
    extension: "gcp",
    mutate,
};

/// The versions that set the flavors of NamespacedCloudProfiles and of CloudProfiles.
const SETS_NAMESPACED: ExtensionVersion = ExtensionVersion::new(1, 52);
const SETS: ExtensionVersion = ExtensionVersion::new(1, 50);

fn mutate(mutation: &mut Mutation<'_, '_>) -> Result<(), Refusal> {
    let since = match mutation.kind {
        Kind::NamespacedCloudProfile => SETS_NAMESPACED,
        _ => SETS,
    };
    if mutation.version < since {
        return Ok(());
    }
    set_capability_flavors::<CloudProfileConfig>(mutation, "gcp")
}

impl ProviderConfig for CloudProfileConfig {
    type Image = MachineImages;

    fn images(&self) -> &[MachineImages] {
        &self.machine_images
    }
}

impl ProviderImage for MachineImages {
    type Version = MachineImageVersion;

    fn name(&self) -> &str {
        &self.name
    }

    fn versions(&self) -> &[MachineImageVersion] {
        &self.versions
    }
}

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
#[must_use]
pub fn architecture(entry: &MachineImageVersion) -> &str {
    let written = entry.architecture.as_deref();
    written.unwrap_or(DEFAULT_ARCHITECTURE)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn flavors_are_those_of_all_entries() {
        let entries = json!([
            {"version": "1", "image": "a", "architecture": "arm64"},
            {"version": "1", "image": "b"},
            {"version": "1", "architecture": "other"},
            {"version": "1", "capabilityFlavors": [{"image": "c", "capabilities": {"boot": ["uefi"]}}]},
        ]);
        let entries: Vec<MachineImageVersion> = serde_json::from_value(entries).unwrap();
        let entries: Vec<_> = entries.iter().collect();
        let flavors = |entries: &[&MachineImageVersion]| {
            let flavors = MachineImageVersion::capability_flavors(entries);
            flavors.map(|it| json!(it))
        };
        let architectures = json!([{"architecture": ["amd64"]}, {"architecture": ["arm64"]}]);
        assert_eq!(flavors(&entries[..3]), Some(architectures));
        assert_eq!(flavors(&entries), Some(json!([{"boot": ["uefi"]}])));
        assert_eq!(flavors(&entries[2..3]), Some(json!([])));
    }
}
