// SPDX-License-Identifier: Apache-2.0
use std::collections::{BTreeMap, BTreeSet};

use super::definitions::{architectures, shown};
use super::spec_images::{SpecImages, image_path};
use super::{Definitions, Entries, JudgedVersion, flavors_of, plain_images_of};
use crate::admission::{FieldPath, FindingKind, Findings};
use garden_gate_model::api::{Capabilities, MachineImageVersion};
use garden_gate_model::gardener::extensions::capability_flavors::ProviderImage;

/// Checks that the providerConfig maps all machine images of a CloudProfile.
pub(super) fn check_mapping<I: ProviderImage>(
    spec: &SpecImages<'_>,
    images: &[I],
    defined: &Definitions<'_>,
    kind: &'static FindingKind,
    findings: &mut Findings,
) where
    I::Version: JudgedVersion,
{
    let provided = Entries::of(images);
    for (index, image) in spec.images.iter().enumerate() {
        let (place, name) = (image_path(index), image.name.as_str());
        if image.versions.is_empty() && !I::Version::MAPS_EMPTY_IMAGES {
            continue;
        }
        if !provided.has_image(name) {
            let message = format!("`spec.providerConfig` does not map the machine image `{name}`");
            findings
                .required(kind, place, message)
                .help("add it to `spec.providerConfig.machineImages`, or remove the image");
            continue;
        }
        for (position, version) in image.versions.iter().enumerate() {
            let check = Check {
                image: name,
                version,
                entries: provided.of_version(name, &version.version),
                place: place.child("versions").index(position),
                kind,
            };
            if defined.is_empty() {
                check.architectures(findings);
            } else {
                check.flavors(defined, &spec.flavors(index, position), findings);
            }
        }
    }
}

/// The check of one version.
struct Check<'c, V> {
    image: &'c str,
    version: &'c MachineImageVersion,
    entries: &'c [&'c V],
    place: FieldPath,
    kind: &'static FindingKind,
}

impl<V: JudgedVersion> Check<'_, V> {
    fn report(&self, place: FieldPath, lacking: &str, findings: &mut Findings) {
        let (image, version) = (self.image, &self.version.version);
        let message = format!("`spec.providerConfig` does not map `{image}` {version}{lacking}");
        findings
            .required(self.kind, place, message)
            .help("add it to `spec.providerConfig.machineImages`, or remove the version");
    }

    /// Checks that each architecture of the version is mapped, in a profile without capabilities.
    fn architectures(&self, findings: &mut Findings) {
        if !V::HAS_ARCHITECTURES {
            if self.entries.is_empty() {
                self.report(self.place.clone(), "", findings);
            }
            return;
        }
        let images = plain_images_of(self.entries);
        if V::FITS_WITHOUT_IMAGES && images.is_empty() && !self.entries.is_empty() {
            return;
        }
        let provided: BTreeSet<&str> = images.iter().map(|it| it.architecture).collect();
        for architecture in &self.version.architectures {
            if !provided.contains(architecture.as_str()) {
                let lacking = format!(" for the architecture `{architecture}`");
                self.report(self.place.clone(), &lacking, findings);
            }
        }
    }

    /// Checks that each capability flavor of the version is mapped.
    fn flavors(
        &self,
        defined: &Definitions<'_>,
        flavors: &[Capabilities],
        findings: &mut Findings,
    ) {
        if self.entries.is_empty() {
            self.report(self.place.clone(), "", findings);
            return;
        }
        let provided: BTreeSet<BTreeMap<_, _>> =
            flavors_of(self.entries).iter().map(|it| defined.filled(it.capabilities)).collect();
        let images = plain_images_of(self.entries);
        let known: BTreeSet<&str> = images.iter().map(|it| it.architecture).collect();
        for (index, flavor) in defined.filled_flavors(flavors).iter().enumerate() {
            let place = self.place.child("capabilityFlavors").index(index);
            if provided.is_empty() && !known.is_empty() {
                for architecture in architectures(flavor).difference(&known) {
                    let lacking = format!(" for the architecture `{architecture}`");
                    self.report(place.clone(), &lacking, findings);
                }
            } else if !provided.contains(flavor) {
                let lacking = format!(" with the capabilities `{}`", shown(flavor));
                self.report(place, &lacking, findings);
            }
        }
    }
}
