// SPDX-License-Identifier: Apache-2.0
use std::collections::{HashMap, HashSet};

use garden_gate_model::api::{MachineImage, MachineImageVersion};
use garden_gate_model::gardener::version::Classified;

/// Returns the versions that `old` has and `new` lacks, as written.
pub(crate) fn removed_versions<'a, V: Classified>(old: &'a [V], new: &[V]) -> HashSet<&'a str> {
    // Usually no version changes, for which a set would be too expensive.
    if old.iter().map(V::version).eq(new.iter().map(V::version)) {
        return HashSet::new();
    }
    let kept: HashSet<&str> = new.iter().map(V::version).collect();
    old.iter().map(V::version).filter(|version| !kept.contains(version)).collect()
}

/// Returns images by name; the last one of equal names, as everywhere in Gardener.
pub(crate) fn by_name(images: &[MachineImage]) -> HashMap<&str, &MachineImage> {
    let names = images.iter().map(|image| (image.name.as_str(), image));
    names.collect()
}

/// Returns the versions of all images, by the names of image and version; the last one of equal names.
pub(crate) fn image_versions(
    images: &[MachineImage],
) -> HashMap<(&str, &str), &MachineImageVersion> {
    let versions = by_name(images).into_iter().flat_map(|(name, image)| {
        let versions = image.versions.iter();
        versions.map(move |v| ((name, v.version.as_str()), v))
    });
    versions.collect()
}

/// Machine images and versions that were removed, and images that were added, by name.
pub(crate) struct RemovedImages<'a> {
    /// Removed versions, by image, including those of removed images.
    pub versions: HashMap<&'a str, HashSet<&'a str>>,
    /// Removed images.
    pub images: HashSet<&'a str>,
    /// Added images.
    pub added: HashSet<&'a str>,
}

impl<'a> RemovedImages<'a> {
    /// Compares two lists of images.
    pub(crate) fn between(old: &'a [MachineImage], new: &'a [MachineImage]) -> Self {
        let (old, new) = (by_name(old), by_name(new));
        let versions: HashMap<&str, HashSet<&str>> = old
            .iter()
            .filter_map(|(name, image)| {
                let kept = new.get(name).map_or(&[][..], |kept| &kept.versions);
                let removed = removed_versions(&image.versions, kept);
                (!removed.is_empty()).then_some((*name, removed))
            })
            .collect();
        let missing = |names: &HashMap<&'a str, _>, from: &HashMap<&'a str, _>| {
            names.keys().copied().filter(|name| !from.contains_key(name)).collect()
        };
        Self { versions, images: missing(&old, &new), added: missing(&new, &old) }
    }

    /// Reports whether an image was removed or added.
    pub(crate) fn names_changed(&self) -> bool {
        !self.images.is_empty() || !self.added.is_empty()
    }

    /// Reports whether a version of an image was removed.
    pub(crate) fn contains(&self, image: &str, version: &str) -> bool {
        let versions = self.versions.get(image);
        versions.is_some_and(|versions| versions.contains(version))
    }
}
