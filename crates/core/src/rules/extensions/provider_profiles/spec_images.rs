// SPDX-License-Identifier: Apache-2.0
use std::borrow::Cow;
use std::collections::HashMap;

use crate::admission::FieldPath;
use garden_gate_model::api::{Capabilities, MachineImage};
use garden_gate_model::gardener::extensions::Edit;
use garden_gate_model::gardener::extensions::capability_flavors::{flavors_set, pointer};

/// The `spec.machineImages` of a profile, as changed by mutating webhooks.
pub(super) struct SpecImages<'a> {
    pub(super) images: &'a [MachineImage],
    edits: HashMap<&'a str, &'a Edit>,
}

impl<'a> SpecImages<'a> {
    pub(super) fn of(images: &'a [MachineImage], edits: impl Iterator<Item = &'a Edit>) -> Self {
        Self { images, edits: edits.map(|it| (it.pointer.as_str(), it)).collect() }
    }

    /// Returns the capability flavors of a version, by the indices of image and version.
    pub(super) fn flavors(&self, image: usize, version: usize) -> Cow<'a, [Capabilities]> {
        let edit = self.edits.get(pointer(image, version).as_str());
        if let Some(flavors) = edit.and_then(|edit| flavors_set(edit)) {
            return Cow::Owned(flavors);
        }
        let images = self.images.get(image);
        let version = images.and_then(|it| it.versions.get(version));
        Cow::Borrowed(version.map_or(&[], |it| it.capability_flavors.as_slice()))
    }
}

/// The positions of the versions of machine images, by image.
///
/// Of several images of one name the last one is used.
pub(super) struct KnownVersions<'a> {
    by_image: HashMap<&'a str, (usize, HashMap<&'a str, usize>)>,
}

impl<'a> KnownVersions<'a> {
    pub(super) fn of(images: &'a [MachineImage]) -> Self {
        let by_image = images.iter().enumerate().map(|(index, image)| {
            let versions =
                image.versions.iter().enumerate().map(|(index, it)| (it.version.as_str(), index));
            (image.name.as_str(), (index, versions.collect()))
        });
        Self { by_image: by_image.collect() }
    }

    pub(super) fn has_image(&self, name: &str) -> bool {
        self.by_image.contains_key(name)
    }

    pub(super) fn has_version(&self, image: &str, version: &str) -> bool {
        self.position(image, version).is_some()
    }

    /// Returns the indices of an image and its version.
    pub(super) fn position(&self, image: &str, version: &str) -> Option<(usize, usize)> {
        let (index, versions) = self.by_image.get(image)?;
        versions.get(version).map(|version| (*index, *version))
    }
}

/// Returns the path of a machine image of a profile.
pub(super) fn image_path(index: usize) -> FieldPath {
    FieldPath::new("spec.machineImages").index(index)
}
