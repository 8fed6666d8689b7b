// SPDX-License-Identifier: Apache-2.0
//! The machine images of profiles on AWS, as provider-aws judges them.

use crate::admission::finding_kinds;
use crate::rules::extensions::provider_profiles::{
    Flavor, JudgedVersion, ProviderProfiles, RegionalImage,
};
use garden_gate_model::api::extensions::ExtensionVersion;
use garden_gate_model::api::extensions::aws::EXTENSION;
use garden_gate_model::api::extensions::aws::cloud_profile::{
    MachineImageVersion, RegionAMIMapping,
};
use garden_gate_model::gardener::extensions::aws_profile::written_architecture;

finding_kinds! {
    pub(super) UNDECODABLE = "aws/profile-undecodable": "the providerConfig of a profile on AWS cannot be decoded",
    pub(super) INVALID = "aws/profile-invalid": "a machine image in the providerConfig of a profile on AWS is invalid",
    pub(super) UNMAPPED = "aws/profile-unmapped": "machine images of a profile on AWS differ from those in its providerConfig",
}

/// The first version that judges profiles with capabilities without converting them first.
pub(super) const JUDGES_CAPABILITIES: ExtensionVersion = ExtensionVersion::new(1, 69);

/// The rules for profiles.
pub(super) static PROFILES: ProviderProfiles = ProviderProfiles {
    extension: &EXTENSION,
    undecodable: &UNDECODABLE,
    invalid: &INVALID,
    unmapped: &UNMAPPED,
};

impl JudgedVersion for MachineImageVersion {
    const IS_LAST_USED: bool = true;
    const ID_FIELD: &'static str = "ami";

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

fn regional_images(images: &[RegionAMIMapping]) -> Vec<RegionalImage<'_>> {
    images
        .iter()
        .map(|image| RegionalImage {
            region: &image.name,
            id: &image.ami,
            architecture: written_architecture(image),
        })
        .collect()
}
