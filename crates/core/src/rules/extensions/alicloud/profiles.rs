// SPDX-License-Identifier: Apache-2.0
//! The machine images of profiles on Alibaba Cloud, as provider-alicloud judges them.

use crate::admission::finding_kinds;
use crate::rules::extensions::provider_profiles::{
    Flavor, JudgedVersion, ProviderProfiles, RegionalImage,
};
use garden_gate_model::api::extensions::ExtensionVersion;
use garden_gate_model::api::extensions::alicloud::EXTENSION;
use garden_gate_model::api::extensions::alicloud::cloud_profile::{
    MachineImageVersion, RegionIDMapping,
};

finding_kinds! {
    pub(super) UNDECODABLE = "alicloud/profile-undecodable": "the providerConfig of a profile on Alibaba Cloud cannot be decoded",
    pub(super) INVALID = "alicloud/profile-invalid": "a machine image in the providerConfig of a profile on Alibaba Cloud is invalid",
    pub(super) UNMAPPED = "alicloud/profile-unmapped": "machine images of a profile on Alibaba Cloud differ from those in its providerConfig",
}

/// The first version that judges profiles with capabilities without converting them first.
pub(super) const JUDGES_CAPABILITIES: ExtensionVersion = ExtensionVersion::new(1, 72);

/// The rules for profiles.
pub(super) static PROFILES: ProviderProfiles = ProviderProfiles {
    extension: &EXTENSION,
    undecodable: &UNDECODABLE,
    invalid: &INVALID,
    unmapped: &UNMAPPED,
};

impl JudgedVersion for MachineImageVersion {
    const IS_LAST_USED: bool = true;
    const HAS_ARCHITECTURES: bool = false;

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
}

fn regional_images(images: &[RegionIDMapping]) -> Vec<RegionalImage<'_>> {
    images
        .iter()
        .map(|image| RegionalImage { region: &image.name, id: &image.id, architecture: None })
        .collect()
}
