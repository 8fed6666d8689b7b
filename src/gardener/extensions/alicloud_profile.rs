//! The mutating webhook of provider-alicloud for profiles. Source: `pkg/admission/mutator/{cloudprofile,namespacedcloudprofile}.go`.

use super::capability_flavors::{
    DEFAULT_ARCHITECTURE, ProviderConfig, ProviderImage, ProviderVersion, flavors_of_architectures,
    set_capability_flavors,
};
use super::{Mutation, Mutator, Refusal};
use crate::api::Capabilities;
use crate::api::extensions::ExtensionVersion;
use crate::api::extensions::alicloud::cloud_profile::{
    CloudProfileConfig, MachineImageVersion, MachineImages,
};

/// The mutating webhook of provider-alicloud for profiles.
pub(super) const MUTATOR: Mutator = Mutator {
    extension: "alicloud",
    mutate,
};

/// The first version that sets the flavors of profiles, also from images without flavors.
const SETS: ExtensionVersion = ExtensionVersion::new(1, 72);

fn mutate(mutation: &mut Mutation<'_, '_>) -> Result<(), Refusal> {
    if mutation.version < SETS {
        return Ok(());
    }
    set_capability_flavors::<CloudProfileConfig>(mutation, "alicloud")
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
