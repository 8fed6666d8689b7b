// SPDX-License-Identifier: Apache-2.0
//! Checks of the machine images in the providerConfig of profiles, which the admission components of all providers share.
//!
//! A provider implements [`JudgedVersion`] for the entries of its configuration, which are its parameters. Paths and order are the same for all.

mod definitions;
mod entries;
mod entry_architectures;
mod mapping;
mod namespaced;
mod provider;
mod regional;
mod spec_images;

pub(crate) use definitions::Definitions;
pub(crate) use namespaced::Inherited;
pub(crate) use provider::ProviderProfiles;
pub(crate) use regional::RegionalImage;

use std::collections::HashMap;

use crate::admission::{FieldPath, FindingKind, Findings};
use garden_gate_model::api::Capabilities;
use garden_gate_model::gardener::extensions::capability_flavors::{
    DEFAULT_ARCHITECTURE, ProviderImage, ProviderVersion,
};

use regional::RegionalImages;

/// An entry of a version of a machine image, as its provider judges it.
///
/// The defaults are for providers whose images have regions.
pub(crate) trait JudgedVersion: ProviderVersion {
    /// Whether an entry without images is for all regions and architectures of a CloudProfile without capabilities.
    const FITS_WITHOUT_IMAGES: bool = false;
    /// Whether images are compared by architecture in profiles without capabilities.
    const HAS_ARCHITECTURES: bool = true;
    /// Whether of several entries of one version the last is used, rather than all.
    const IS_LAST_USED: bool;
    /// Whether an image of a CloudProfile without versions needs an entry.
    const MAPS_EMPTY_IMAGES: bool = false;
    /// Whether [`Self::COMPARES_EACH_ENTRY`] includes entries of versions that the profile does not add.
    const COMPARES_UNKNOWN_VERSIONS: bool = true;
    /// Whether each entry in a NamespacedCloudProfile is compared with the architectures of its version.
    const COMPARES_EACH_ENTRY: bool = false;
    /// The name of the field with the identifier of an image in a region, such as `ami`.
    const ID_FIELD: &'static str = "id";

    /// Returns the capability flavors.
    fn flavors(&self) -> Vec<Flavor<'_>>;

    /// Returns the images in regions outside of capability flavors; none if images have no region.
    fn regional_images(&self) -> Vec<RegionalImage<'_>> {
        Vec::new()
    }

    /// Returns the images outside of capability flavors.
    fn plain_images(&self) -> Vec<PlainImage<'_>> {
        let images = self.regional_images().into_iter().map(|image| PlainImage {
            region: image.region,
            architecture: image.architecture.unwrap_or(DEFAULT_ARCHITECTURE),
        });
        images.collect()
    }

    /// Reports whether the entry names an image outside of capability flavors.
    fn has_plain_image(&self) -> bool {
        true
    }

    /// Returns the paths of the fields that cannot be set together with capability flavors.
    fn fields_without_flavors(&self, place: &FieldPath) -> Vec<FieldPath> {
        let has_regions = !self.regional_images().is_empty();
        has_regions.then(|| place.child("regions")).into_iter().collect()
    }

    /// Checks the images outside of capability flavors of the entry at `place`.
    fn check_plain(&self, place: &FieldPath, kind: &'static FindingKind, findings: &mut Findings) {
        let images = self.regional_images();
        regional::<Self>(&images, false).check(place, kind, findings);
    }

    /// Checks the images outside of capability flavors of the entry at `place`, in a profile with capabilities.
    fn check_plain_with_capabilities(
        &self,
        place: &FieldPath,
        kind: &'static FindingKind,
        findings: &mut Findings,
    ) {
        self.check_plain(place, kind, findings);
    }

    /// Checks fields of the entry at `place` next to its capability flavors.
    fn check_next_to_flavors(
        &self,
        _place: &FieldPath,
        _kind: &'static FindingKind,
        _findings: &mut Findings,
    ) {
    }

    /// Checks the images of the capability flavor with an index, which is at `place`.
    fn check_flavor(
        &self,
        _index: usize,
        flavor: &Flavor<'_>,
        place: &FieldPath,
        kind: &'static FindingKind,
        findings: &mut Findings,
    ) {
        regional::<Self>(&flavor.images, true).check(place, kind, findings);
    }
}

fn regional<'a, V: JudgedVersion>(
    images: &'a [RegionalImage<'a>],
    is_flavor: bool,
) -> RegionalImages<'a> {
    RegionalImages { images, id_field: V::ID_FIELD, is_optional: V::FITS_WITHOUT_IMAGES, is_flavor }
}

/// A capability flavor of an entry.
pub(crate) struct Flavor<'a> {
    pub(crate) capabilities: &'a Capabilities,
    /// The images in regions; none if images have no region.
    pub(crate) images: Vec<RegionalImage<'a>>,
}

/// An image outside of capability flavors.
pub(crate) struct PlainImage<'a> {
    /// The region; empty if images have none.
    pub(crate) region: &'a str,
    pub(crate) architecture: &'a str,
}

/// The entries of a providerConfig, by image and version.
///
/// Of several images of one name the last one is used.
struct Entries<'a, V> {
    by_image: HashMap<&'a str, HashMap<&'a str, Vec<&'a V>>>,
}

impl<'a, V: JudgedVersion> Entries<'a, V> {
    fn of<I: ProviderImage<Version = V>>(images: &'a [I]) -> Self {
        let mut by_image = HashMap::new();
        for image in images {
            let mut by_version: HashMap<&str, Vec<&V>> = HashMap::new();
            for version in image.versions() {
                let entries = by_version.entry(version.version()).or_default();
                if V::IS_LAST_USED {
                    entries.clear();
                }
                entries.push(version);
            }
            by_image.insert(image.name(), by_version);
        }
        Self { by_image }
    }

    fn has_image(&self, name: &str) -> bool {
        self.by_image.contains_key(name)
    }

    /// Returns the entries of a version that are used; none if it is not mapped.
    fn of_version(&self, image: &str, version: &str) -> &[&'a V] {
        let versions = self.by_image.get(image);
        let entries = versions.and_then(|it| it.get(version));
        entries.map_or(&[], Vec::as_slice)
    }
}

/// Returns the capability flavors of the first entry that has any.
fn flavors_of<'a, V: JudgedVersion>(entries: &[&'a V]) -> Vec<Flavor<'a>> {
    let mut flavors = entries.iter().map(|it| it.flavors());
    flavors.find(|it| !it.is_empty()).unwrap_or_default()
}

fn plain_images_of<'a, V: JudgedVersion>(entries: &[&'a V]) -> Vec<PlainImage<'a>> {
    entries.iter().flat_map(|it| it.plain_images()).collect()
}

/// Returns the path of the machine images in the providerConfig.
fn provided_images() -> FieldPath {
    FieldPath::new("spec.providerConfig.machineImages")
}
