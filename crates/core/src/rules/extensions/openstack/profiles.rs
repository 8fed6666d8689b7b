// SPDX-License-Identifier: Apache-2.0
//! The machine images of profiles on OpenStack, as provider-openstack judges them.

use crate::admission::{FieldPath, finding_kinds};
use crate::rules::extensions::provider_profiles::{
    Flavor, JudgedVersion, ProviderProfiles, RegionalImage,
};
use garden_gate_model::api::extensions::ExtensionVersion;
use garden_gate_model::api::extensions::openstack::EXTENSION;
use garden_gate_model::api::extensions::openstack::cloud_profile::{
    MachineImageVersion, RegionIDMapping,
};

finding_kinds! {
    pub(super) UNDECODABLE = "openstack/profile-undecodable": "the providerConfig of a profile on OpenStack cannot be decoded",
    pub(super) INVALID = "openstack/profile-invalid": "a value in the providerConfig of a profile on OpenStack is invalid",
    pub(super) UNMAPPED = "openstack/profile-unmapped": "machine images of a profile on OpenStack differ from those in its providerConfig",
}

/// The first version that judges profiles with capabilities without converting them first.
pub(super) const JUDGES_CAPABILITIES: ExtensionVersion = ExtensionVersion::new(1, 55);

/// The rules for profiles.
pub(super) static PROFILES: ProviderProfiles = ProviderProfiles {
    extension: &EXTENSION,
    undecodable: &UNDECODABLE,
    invalid: &INVALID,
    unmapped: &UNMAPPED,
};

impl JudgedVersion for MachineImageVersion {
    const IS_LAST_USED: bool = true;
    const FITS_WITHOUT_IMAGES: bool = true;

    fn flavors(&self) -> Vec<Flavor<'_>> {
        let flavors = self.capability_flavors.iter().map(|flavor| Flavor {
            capabilities: &flavor.capabilities,
            images: regional_images(&flavor.regions),
        });
        flavors.collect()
    }

    fn regional_images(&self) -> Vec<RegionalImage<'_>> {
        regional_images(&self.regions)
    }

    fn fields_without_flavors(&self, place: &FieldPath) -> Vec<FieldPath> {
        let has_regions = !self.regions.is_empty();
        has_regions.then(|| place.clone()).into_iter().collect()
    }
}

fn regional_images(images: &[RegionIDMapping]) -> Vec<RegionalImage<'_>> {
    images
        .iter()
        .map(|image| RegionalImage {
            region: &image.name,
            id: &image.id,
            architecture: image.architecture.as_deref(),
        })
        .collect()
}
