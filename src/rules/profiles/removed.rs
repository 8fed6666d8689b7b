use std::collections::{HashMap, HashSet};

use crate::model::{ExpirableVersion, MachineImage, MachineImageVersion};

/// The Kubernetes versions that `old` has and `new` has not, as written.
pub(in crate::rules) fn removed_kubernetes_versions<'a>(
    old: &'a [ExpirableVersion],
    new: &[ExpirableVersion],
) -> HashSet<&'a str> {
    let kept: HashSet<&str> = new.iter().map(|version| version.version.as_str()).collect();
    let old = old.iter().map(|version| version.version.as_str());
    old.filter(|version| !kept.contains(version)).collect()
}

/// The versions of all images, by the names of image and version; the last of equal ones.
pub(in crate::rules) fn image_versions(
    images: &[MachineImage],
) -> HashMap<(&str, &str), &MachineImageVersion> {
    let versions = images.iter().flat_map(|image| {
        let versions = image.versions.iter();
        versions.map(|v| ((image.name.as_str(), v.version.as_str()), v))
    });
    versions.collect()
}

/// Machine images and versions that were removed or added by name.
pub(in crate::rules) struct RemovedImages<'a> {
    /// Removed versions, by image; those of removed images too.
    pub versions: HashMap<&'a str, HashSet<&'a str>>,
    /// Images that are gone altogether.
    pub images: HashSet<&'a str>,
    /// Images that are new.
    pub added: HashSet<&'a str>,
}

impl<'a> RemovedImages<'a> {
    /// Compares two lists of images.
    pub(in crate::rules) fn between(old: &'a [MachineImage], new: &'a [MachineImage]) -> Self {
        let (old_names, new_names) = (names(old), names(new));
        let mut versions: HashMap<&str, HashSet<&str>> = HashMap::new();
        for image in old {
            let kept = new_names.get(image.name.as_str());
            let removed = removed_versions(&image.versions, kept.map_or(&[][..], Vec::as_slice));
            if !removed.is_empty() {
                versions.entry(&image.name).or_default().extend(removed);
            }
        }
        let missing = |from: &HashMap<&'a str, _>, name: &&'a str| !from.contains_key(name);
        Self {
            versions,
            images: old_names
                .keys()
                .copied()
                .filter(|name| missing(&new_names, name))
                .collect(),
            added: new_names
                .keys()
                .copied()
                .filter(|name| missing(&old_names, name))
                .collect(),
        }
    }

    /// Whether an image is gone or new.
    pub(in crate::rules) fn names_changed(&self) -> bool {
        !self.images.is_empty() || !self.added.is_empty()
    }

    /// Whether a version of an image was removed.
    pub(in crate::rules) fn contains(&self, image: &str, version: &str) -> bool {
        let versions = self.versions.get(image);
        versions.is_some_and(|versions| versions.contains(version))
    }
}

/// The version lists by image name; several if a name occurs twice.
fn names(images: &[MachineImage]) -> HashMap<&str, Vec<&[MachineImageVersion]>> {
    let mut names: HashMap<&str, Vec<_>> = HashMap::new();
    for image in images {
        let lists = names.entry(&image.name).or_default();
        lists.push(&image.versions[..]);
    }
    names
}

fn removed_versions<'a>(
    old: &'a [MachineImageVersion],
    new: &[&[MachineImageVersion]],
) -> Vec<&'a str> {
    // Mostly nothing or little has changed, and then no set is worth its price.
    if let [new] = new
        && old.len() == new.len()
        && old.iter().zip(*new).all(|(a, b)| a.version == b.version)
    {
        return Vec::new();
    }
    let kept: HashSet<&str> = new
        .iter()
        .flat_map(|versions| versions.iter())
        .map(|version| version.version.as_str())
        .collect();
    let old = old.iter().map(|version| version.version.as_str());
    old.filter(|version| !kept.contains(version)).collect()
}
