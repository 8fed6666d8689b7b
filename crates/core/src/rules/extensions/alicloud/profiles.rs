//! The machine images of profiles on Alibaba Cloud, as provider-alicloud judges them.

use crate::admission::{FieldPath, FindingKind, Findings, finding_kinds};
use crate::rules::extensions::provider_profiles::{
    Flavor, JudgedVersion, PlainImage, ProviderProfiles, RegionalImage, RegionalImages,
};
use garden_gate_model::api::extensions::ExtensionVersion;
use garden_gate_model::api::extensions::alicloud::EXTENSION;
use garden_gate_model::api::extensions::alicloud::cloud_profile::{
    MachineImageVersion, RegionIDMapping,
};
use garden_gate_model::gardener::extensions::capability_flavors::DEFAULT_ARCHITECTURE;

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
            regions: flavor.regions.iter().map(|it| it.name.as_str()).collect(),
        });
        flavors.collect()
    }

    fn plain_images(&self) -> Vec<PlainImage<'_>> {
        let images = self
            .regions
            .iter()
            .map(|image| PlainImage { region: &image.name, architecture: DEFAULT_ARCHITECTURE });
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

fn regional(images: &[RegionIDMapping], is_flavor: bool) -> RegionalImages<'_> {
    let images = images.iter().map(|image| RegionalImage {
        region: &image.name,
        id: &image.id,
        architecture: None,
    });
    RegionalImages { images: images.collect(), id_field: "id", is_flavor }
}
