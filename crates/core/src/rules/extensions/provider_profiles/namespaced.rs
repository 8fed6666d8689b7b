// SPDX-License-Identifier: Apache-2.0
use std::collections::{BTreeMap, BTreeSet};

use super::definitions::{CompleteCapabilities, architectures, shown};
use super::entry_architectures::check_entry_architectures;
use super::spec_images::{KnownVersions, SpecImages, image_path};
use super::{Definitions, Entries, JudgedVersion, flavors_of, plain_images_of, provided_images};
use crate::admission::{FieldPath, FindingKind, Findings, Help};
use garden_gate_model::api::{Capabilities, MachineImage, MachineImageVersion};
use garden_gate_model::gardener::extensions::capability_flavors::{
    ProviderImage, ProviderVersion as _,
};

/// The machine images that a NamespacedCloudProfile adds to its parent's.
pub(super) struct NamespacedImages<'a> {
    /// Those of the NamespacedCloudProfile.
    pub(super) spec: SpecImages<'a>,
    /// Those of the parent.
    pub(super) parent: &'a [MachineImage],
    /// Whether a version of the parent that only gets another expiration date needs no entry.
    pub(super) allows_overrides: bool,
    /// The versions that need no images for all of their architectures.
    pub(super) inherited: Inherited,
}

/// Versions that need no images for all of their architectures, since the parent has them.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Inherited {
    /// None.
    Nothing,
    /// The versions of the parent.
    Versions,
    /// All versions of the images of the parent.
    Images,
}

/// Checks that the providerConfig maps all machine images that a NamespacedCloudProfile adds, and no others.
pub(super) fn check_namespaced<I: ProviderImage>(
    added: &NamespacedImages<'_>,
    images: &[I],
    defined: &Definitions<'_>,
    kind: &'static FindingKind,
    findings: &mut Findings,
) where
    I::Version: JudgedVersion,
{
    let (provided, parent) = (Entries::of(images), KnownVersions::of(added.parent));
    for (index, image) in added.spec.images.iter().enumerate() {
        let (place, name) = (image_path(index), image.name.as_str());
        if !parent.has_image(name) && !provided.has_image(name) {
            let message = format!(
                "`spec.providerConfig` does not map the machine image `{name}`, which the parent CloudProfile lacks, too"
            );
            findings
                .required(kind, provided_images(), message)
                .at(&place)
                .help("add it to `spec.providerConfig.machineImages`, or remove the image");
            continue;
        }
        for (position, version) in image.versions.iter().enumerate() {
            let is_inherited = match added.inherited {
                Inherited::Nothing => false,
                Inherited::Versions => parent.has_version(name, &version.version),
                Inherited::Images => parent.has_image(name),
            };
            if is_inherited {
                continue;
            }
            let entries = provided.of_version(name, &version.version);
            let check = Check {
                image: name,
                version,
                entries,
                place: place.child("versions").index(position),
                kind,
            };
            if entries.is_empty() {
                if !parent.has_version(name, &version.version) {
                    check.report("", findings);
                    continue;
                }
                if added.allows_overrides {
                    continue;
                }
            }
            if defined.is_empty() && I::Version::HAS_ARCHITECTURES {
                check.architectures(findings);
            } else if !defined.is_empty() {
                check.flavors(defined, &added.spec.flavors(index, position), findings);
            }
        }
    }
    check_excess(images, &added.spec, &parent, kind, findings);
    if I::Version::COMPARES_EACH_ENTRY {
        check_entry_architectures(images, &added.spec, defined, kind, findings);
    }
}

/// Checks that the providerConfig maps only versions that the NamespacedCloudProfile adds.
fn check_excess<I: ProviderImage>(
    images: &[I],
    spec: &SpecImages<'_>,
    parent: &KnownVersions<'_>,
    kind: &'static FindingKind,
    findings: &mut Findings,
) {
    let spec = KnownVersions::of(spec.images);
    for (index, image) in images.iter().enumerate() {
        let (place, name) = (provided_images().index(index), image.name());
        for (index, version) in image.versions().iter().map(|it| it.version()).enumerate() {
            if parent.has_version(name, version) {
                let message = format!("the parent CloudProfile already has `{name}` {version}");
                findings
                    .forbid(kind, place.child("versions").index(index), message)
                    .help(Help::remove("remove this entry; the parent's images are used"));
            }
        }
        if !spec.has_image(name) {
            let message = format!("`spec.machineImages` has no machine image `{name}`");
            findings
                .required(kind, place, message)
                .help("add it to `spec.machineImages`, or remove this entry");
            continue;
        }
        for (index, version) in image.versions().iter().map(|it| it.version()).enumerate() {
            if !spec.has_version(name, version) {
                let message = format!("`spec.machineImages` has no `{name}` {version}");
                findings
                    .invalid(kind, place.child("versions").index(index), message)
                    .value(format!("{name}@{version}"))
                    .help("add it to `spec.machineImages`, or remove this entry");
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
    /// Reports that the version is not mapped, or not completely.
    fn report(&self, lacking: &str, findings: &mut Findings) {
        let (image, version) = (self.image, &self.version.version);
        let message = format!("`spec.providerConfig` does not map `{image}` {version}{lacking}");
        findings
            .required(self.kind, provided_images(), message)
            .at(&self.place)
            .help("add it to `spec.providerConfig.machineImages`, or remove the version");
    }

    /// Reports images that the version does not have.
    fn report_excess(&self, excess: &str, findings: &mut Findings) {
        let (image, version) = (self.image, &self.version.version);
        let message = format!(
            "`spec.providerConfig` maps `{image}` {version}{excess}, which `spec.machineImages` does not list for this version"
        );
        findings
            .forbid(self.kind, provided_images(), message)
            .at(&self.place)
            .help("add it to the version in `spec.machineImages`, or remove it from `spec.providerConfig`");
    }

    /// Compares architectures, in a profile without capabilities.
    fn architectures(&self, findings: &mut Findings) {
        let expected = &self.version.architectures;
        let mut regions: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for image in plain_images_of(self.entries) {
            let (region, architecture) = (image.region, image.architecture);
            if !V::COMPARES_EACH_ENTRY && !expected.iter().any(|it| it == architecture) {
                let excess = format!("{} for the architecture `{architecture}`", in_region(region));
                self.report_excess(&excess, findings);
            }
            regions.entry(region).or_default().insert(architecture);
        }
        for architecture in expected {
            if regions.is_empty() {
                let lacking = format!(" for the architecture `{architecture}`");
                self.report(&lacking, findings);
            }
            for (region, provided) in &regions {
                if !provided.contains(architecture.as_str()) {
                    let place = in_region(region);
                    let lacking = format!("{place} for the architecture `{architecture}`");
                    self.report(&lacking, findings);
                }
            }
        }
    }

    /// Compares capability flavors.
    fn flavors(
        &self,
        defined: &Definitions<'_>,
        flavors: &[Capabilities],
        findings: &mut Findings,
    ) {
        let expected = defined.filled_flavors(flavors);
        let known: BTreeSet<&CompleteCapabilities<'_>> = expected.iter().collect();
        let (provided, plain) = (flavors_of(self.entries), plain_images_of(self.entries));
        if provided.is_empty() && !plain.is_empty() {
            let provided = plain.iter().map(|it| it.architecture).collect();
            self.plain_architectures(&expected, &provided, findings);
            return;
        }
        // The regions of each distinct flavor.
        let mut regions: BTreeMap<CompleteCapabilities<'_>, BTreeSet<&str>> = BTreeMap::new();
        for flavor in &provided {
            let filled = defined.filled(flavor.capabilities);
            if !known.contains(&filled) {
                let excess = format!(" with the capabilities `{}`", shown(&filled));
                self.report_excess(&excess, findings);
            }
            regions.entry(filled).or_default().extend(flavor.images.iter().map(|it| it.region));
        }
        let all: BTreeSet<&str> = regions.values().flatten().copied().collect();
        for flavor in &expected {
            let with = format!(" with the capabilities `{}`", shown(flavor));
            let Some(regions) = regions.get(flavor) else {
                self.report(&with, findings);
                continue;
            };
            for region in all.difference(regions) {
                self.report(&format!(" in `{region}`{with}"), findings);
            }
        }
    }

    /// Compares the architectures of capability flavors with those of images outside of them.
    fn plain_architectures(
        &self,
        expected: &[CompleteCapabilities<'_>],
        provided: &BTreeSet<&str>,
        findings: &mut Findings,
    ) {
        let all: BTreeSet<&str> = expected.iter().flat_map(architectures).collect();
        let excess = provided.difference(&all);
        for architecture in excess.filter(|_| !V::COMPARES_EACH_ENTRY) {
            let excess = format!(" for the architecture `{architecture}`");
            self.report_excess(&excess, findings);
        }
        for flavor in expected {
            for _ in architectures(flavor).difference(provided) {
                let lacking = format!(" with the capabilities `{}`", shown(flavor));
                self.report(&lacking, findings);
            }
        }
    }
}

/// Names the region of an image that has one.
fn in_region(region: &str) -> String {
    match region {
        "" => String::new(),
        region => format!(" in `{region}`"),
    }
}
