//! The machine images of profiles on OpenStack, as provider-openstack judges them.

use crate::admission::{FieldPath, FindingKind, Findings, finding_kinds};
use crate::rules::extensions::provider_profiles::{
    Flavor, JudgedVersion, PlainImage, ProviderProfiles, RegionalImage, RegionalImages,
};
use garden_gate_model::api::extensions::ExtensionVersion;
use garden_gate_model::api::extensions::openstack::EXTENSION;
use garden_gate_model::api::extensions::openstack::cloud_profile::{
    MachineImageVersion, RegionIDMapping,
};
use garden_gate_model::gardener::extensions::openstack_profile::architecture;

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
        has_regions.then(|| place.clone()).into_iter().collect()
    }

    fn check_plain(&self, place: &FieldPath, kind: &'static FindingKind, findings: &mut Findings) {
        check_regions(&self.regions, false, place, kind, findings);
    }

    fn check_flavor(
        &self,
        index: usize,
        place: &FieldPath,
        kind: &'static FindingKind,
        findings: &mut Findings,
    ) {
        if let Some(flavor) = self.capability_flavors.get(index) {
            check_regions(&flavor.regions, true, place, kind, findings);
        }
    }
}

/// Checks the images in regions; there can be none, because `image` is for all regions.
fn check_regions(
    images: &[RegionIDMapping],
    is_flavor: bool,
    place: &FieldPath,
    kind: &'static FindingKind,
    findings: &mut Findings,
) {
    if images.is_empty() {
        return;
    }
    let images = images.iter().map(|image| RegionalImage {
        region: &image.name,
        id: &image.id,
        architecture: image.architecture.as_deref(),
    });
    let images = RegionalImages { images: images.collect(), id_field: "id", is_flavor };
    images.check(place, kind, findings);
}
