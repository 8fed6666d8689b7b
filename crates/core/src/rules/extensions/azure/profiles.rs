// SPDX-License-Identifier: Apache-2.0
//! The machine images of profiles on Azure, as provider-azure judges them.

use crate::admission::{FieldPath, FindingKind, Findings, finding_kinds};
use crate::rules::extensions::provider_profiles::{
    Flavor, JudgedVersion, PlainImage, ProviderProfiles,
};
use crate::rules::shared::lists::{one_of, short};
use garden_gate_model::api::extensions::ExtensionVersion;
use garden_gate_model::api::extensions::azure::EXTENSION;
use garden_gate_model::api::extensions::azure::cloud_profile::{
    MachineImageFlavor, MachineImageVersion,
};

finding_kinds! {
    pub(super) UNDECODABLE = "azure/profile-undecodable": "the providerConfig of a profile on Azure cannot be decoded",
    pub(super) INVALID = "azure/profile-invalid": "a value in the providerConfig of a profile on Azure is invalid",
    pub(super) UNMAPPED = "azure/profile-unmapped": "machine images of a profile on Azure differ from those in its providerConfig",
}

/// The first version that reads the capabilities of profiles.
pub(super) const READS_CAPABILITIES: ExtensionVersion = ExtensionVersion::new(1, 58);
/// The first version that judges profiles with capabilities without converting them first.
pub(super) const JUDGES_CAPABILITIES: ExtensionVersion = ExtensionVersion::new(1, 60);

/// The rules for profiles.
pub(super) static PROFILES: ProviderProfiles = ProviderProfiles {
    extension: &EXTENSION,
    undecodable: &UNDECODABLE,
    invalid: &INVALID,
    unmapped: &UNMAPPED,
};

const ARCHITECTURES: &[&str] = &["amd64", "arm64"];
const ONE_ID: &str =
    "set exactly one of `urn`, `id`, `communityGalleryImageID` and `sharedGalleryImageID`";

impl JudgedVersion for MachineImageVersion {
    const IS_LAST_USED: bool = false;
    const COMPARES_EACH_ENTRY: bool = true;
    const COMPARES_UNKNOWN_VERSIONS: bool = false;
    const MAPS_EMPTY_IMAGES: bool = true;

    fn flavors(&self) -> Vec<Flavor<'_>> {
        let flavors = self
            .capability_flavors
            .iter()
            .map(|flavor| Flavor { capabilities: &flavor.capabilities, images: Vec::new() });
        flavors.collect()
    }

    /// An entry without an image has an architecture, too.
    fn plain_images(&self) -> Vec<PlainImage<'_>> {
        vec![PlainImage { region: "", architecture: self.image_architecture() }]
    }

    fn has_plain_image(&self) -> bool {
        self.has_image()
    }

    fn fields_without_flavors(&self, place: &FieldPath) -> Vec<FieldPath> {
        let fields = [
            ("image", self.has_image()),
            ("architecture", self.architecture.is_some()),
            ("acceleratedNetworking", self.accelerated_networking.is_some()),
        ];
        let set = fields.into_iter().filter(|(_, is_set)| *is_set);
        set.map(|(field, _)| place.child(field)).collect()
    }

    fn check_plain(&self, place: &FieldPath, kind: &'static FindingKind, findings: &mut Findings) {
        ImageIds::of_version(self).check(place, kind, findings);
        let architecture = self.image_architecture();
        if !ARCHITECTURES.contains(&architecture) {
            let message = format!("`{}` is not a supported architecture", short(architecture));
            findings
                .unsupported(kind, place.child("architecture"), message)
                .value(architecture)
                .help(one_of(architecture, ARCHITECTURES));
        }
    }

    fn check_plain_with_capabilities(
        &self,
        place: &FieldPath,
        kind: &'static FindingKind,
        findings: &mut Findings,
    ) {
        if self.has_image() {
            return self.check_plain(place, kind, findings);
        }
        let message = "an entry of a machine image has neither an image nor capability flavors";
        findings
            .required(kind, place.child("image"), message)
            .at(place)
            .help("add `capabilityFlavors`, or name an image");
    }

    fn check_flavor(
        &self,
        index: usize,
        _flavor: &Flavor<'_>,
        place: &FieldPath,
        kind: &'static FindingKind,
        findings: &mut Findings,
    ) {
        if let Some(flavor) = self.capability_flavors.get(index) {
            ImageIds::of_flavor(flavor).check(place, kind, findings);
        }
    }
}

/// The identifiers of an image, of which one can be set.
struct ImageIds<'a> {
    urn: Option<&'a str>,
    id: Option<&'a str>,
    community_gallery: Option<&'a str>,
    shared_gallery: Option<&'a str>,
}

impl<'a> ImageIds<'a> {
    fn of_version(version: &'a MachineImageVersion) -> Self {
        Self {
            urn: version.urn.as_deref(),
            id: version.id.as_deref(),
            community_gallery: version.community_gallery_image_id.as_deref(),
            shared_gallery: version.shared_gallery_image_id.as_deref(),
        }
    }

    fn of_flavor(flavor: &'a MachineImageFlavor) -> Self {
        Self {
            urn: flavor.urn.as_deref(),
            id: flavor.id.as_deref(),
            community_gallery: flavor.community_gallery_image_id.as_deref(),
            shared_gallery: flavor.shared_gallery_image_id.as_deref(),
        }
    }

    /// Checks the identifiers of the object at `place`.
    fn check(&self, place: &FieldPath, kind: &'static FindingKind, findings: &mut Findings) {
        let fields = [
            ("urn", self.urn, "publisher:offer:sku:1.0.0"),
            (
                "id",
                self.id,
                "/subscriptions/<id>/resourceGroups/<name>/providers/Microsoft.Compute/images/<name>",
            ),
            (
                "communityGalleryImageID",
                self.community_gallery,
                "/CommunityGalleries/<gallery>/Images/<image>/Versions/<version>",
            ),
            (
                "sharedGalleryImageID",
                self.shared_gallery,
                "/SharedGalleries/<gallery>/Images/<image>/Versions/<version>",
            ),
        ];
        let count = fields.iter().filter(|(_, id, _)| id.is_some()).count();
        if count != 1 {
            let message = format!("an image has {count} identifiers instead of one");
            findings.required(kind, place.clone(), message).help(ONE_ID);
        }
        for (field, id, example) in fields {
            let Some(id) = id.filter(|it| !is_well_formed(field, it)) else {
                continue;
            };
            let at = place.child(field);
            let help = format!("write it like `{example}`");
            if id.is_empty() {
                let message = format!("`{field}` is empty");
                findings.required(kind, at, message).help(help);
            } else {
                let message = format!("`{}` is not a valid `{field}`", short(id));
                findings.invalid(kind, at, message).value(id).help(help);
            }
        }
    }
}

/// Reports whether an identifier has the parts that the component checks.
fn is_well_formed(field: &str, id: &str) -> bool {
    let gallery = match field {
        "urn" => return id.split(':').count() == 4,
        "communityGalleryImageID" => "CommunityGalleries",
        "sharedGalleryImageID" => "SharedGalleries",
        _ => return !id.is_empty(),
    };
    let mut parts = id.split('/');
    let is_in_gallery = parts.nth(1).is_some_and(|it| it.eq_ignore_ascii_case(gallery));
    is_in_gallery && id.split('/').count() == 7
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::is_well_formed;

    #[rstest]
    #[case::urn("urn", "a:b::d", true)]
    #[case::urn_of_three_parts("urn", "a:b:c", false)]
    #[case::id("id", "x", true)]
    #[case::id_empty("id", "", false)]
    #[case::community("communityGalleryImageID", "/communitygalleries/a/Images/b/versions/c", true)]
    #[case::community_too_long("communityGalleryImageID", "/CommunityGalleries/a/b/c/d/e/f", false)]
    #[case::shared("sharedGalleryImageID", "x/SharedGalleries/////", true)]
    #[case::shared_of_community(
        "sharedGalleryImageID",
        "/CommunityGalleries/a/Images/b/Versions/c",
        false
    )]
    fn identifiers(#[case] field: &str, #[case] id: &str, #[case] expected: bool) {
        assert_eq!(is_well_formed(field, id), expected);
    }
}
