//! The machine images of profiles on AWS, as provider-aws judges them.

use crate::admission::{FieldPath, FindingKind, Findings, finding_kinds};
use crate::rules::extensions::provider_profiles::{
    Flavor, JudgedVersion, PlainImage, ProviderProfiles, RegionalImage, RegionalImages,
};
use garden_gate_model::api::extensions::ExtensionVersion;
use garden_gate_model::api::extensions::aws::EXTENSION;
use garden_gate_model::api::extensions::aws::cloud_profile::{
    MachineImageVersion, RegionAMIMapping,
};
use garden_gate_model::gardener::extensions::aws_profile::{architecture, written_architecture};

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

    fn flavors(&self) -> Vec<Flavor<'_>> {
        let flavors = self.capability_flavors.iter().map(|flavor| Flavor {
            capabilities: &flavor.capabilities,
            regions: flavor.regions.iter().map(|it| it.name.as_str()).collect(),
        });
        flavors.collect()
    }

    fn plain_images(&self) -> Vec<PlainImage<'_>> {
        let images = self
            .regions
            .iter()
            .map(|image| PlainImage { region: &image.name, architecture: architecture(image) });
        images.collect()
    }

    fn fields_without_flavors(&self, place: &FieldPath) -> Vec<FieldPath> {
        let has_regions = !self.regions.is_empty();
        has_regions.then(|| place.child("regions")).into_iter().collect()
    }

    fn check_plain(&self, place: &FieldPath, kind: &'static FindingKind, findings: &mut Findings) {
        regional(&self.regions, false).check(place, kind, findings);
    }

    fn check_flavor(
        &self,
        index: usize,
        place: &FieldPath,
        kind: &'static FindingKind,
        findings: &mut Findings,
    ) {
        if let Some(flavor) = self.capability_flavors.get(index) {
            regional(&flavor.regions, true).check(place, kind, findings);
        }
    }
}

fn regional(images: &[RegionAMIMapping], is_flavor: bool) -> RegionalImages<'_> {
    let images = images.iter().map(|image| RegionalImage {
        region: &image.name,
        id: &image.ami,
        architecture: written_architecture(image),
    });
    RegionalImages { images: images.collect(), id_field: "ami", is_flavor }
}
