// SPDX-License-Identifier: Apache-2.0
use super::{Definitions, JudgedVersion, provided_images};
use crate::admission::{FieldPath, FindingKind, Findings};
use garden_gate_model::gardener::extensions::capability_flavors::ProviderImage;

/// Checks the machine images of a providerConfig by themselves.
pub(super) fn check_entries<I: ProviderImage>(
    images: &[I],
    defined: &Definitions<'_>,
    kind: &'static FindingKind,
    findings: &mut Findings,
) where
    I::Version: JudgedVersion,
{
    for (index, image) in images.iter().enumerate() {
        let place = provided_images().index(index);
        if image.name().is_empty() {
            findings
                .required(kind, place.child("name"), "a machine image has no name")
                .help("set `name` to the name of the image in `spec.machineImages`");
        }
        if image.versions().is_empty() {
            let message = format!("the machine image `{}` has no versions", image.name());
            findings
                .required(kind, place.child("versions"), message)
                .help("list its versions, or remove the image");
        }
        for (index, version) in image.versions().iter().enumerate() {
            check_version(version, defined, &place.child("versions").index(index), kind, findings);
        }
    }
}

fn check_version<V: JudgedVersion>(
    version: &V,
    defined: &Definitions<'_>,
    place: &FieldPath,
    kind: &'static FindingKind,
    findings: &mut Findings,
) {
    if version.version().is_empty() {
        findings
            .required(kind, place.child("version"), "an entry of a machine image has no version")
            .help("set `version` to a version in `spec.machineImages`");
    }
    let flavors = version.flavors();
    let field = place.child("capabilityFlavors");
    if defined.is_empty() {
        version.check_plain(place, kind, findings);
        if !flavors.is_empty() {
            let message = "the CloudProfile defines no capabilities, so that images cannot have capability flavors";
            findings
                .forbid(kind, field, message)
                .help("list the images outside of `capabilityFlavors`");
        }
        return;
    }
    if flavors.is_empty() {
        version.check_plain_with_capabilities(place, kind, findings);
        return;
    }
    let excluded = version.fields_without_flavors(place);
    let is_mixed = !excluded.is_empty();
    for field in excluded {
        let message = "an entry with capability flavors cannot have images outside of them";
        findings
            .forbid(kind, field, message)
            .help("move these images into `capabilityFlavors`, or remove `capabilityFlavors`");
    }
    if is_mixed {
        return;
    }
    for (index, flavor) in flavors.iter().enumerate() {
        let place = field.index(index);
        defined.check(flavor.capabilities, &place.child("capabilities"), kind, findings);
        version.check_flavor(index, flavor, &place, kind, findings);
    }
    version.check_next_to_flavors(place, kind, findings);
}
