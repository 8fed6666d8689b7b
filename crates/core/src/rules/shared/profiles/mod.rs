// SPDX-License-Identifier: Apache-2.0
//! Shared checks of CloudProfiles and NamespacedCloudProfiles: versions, images and their users.
//!
//! Messages are formatted only for violations: a profile can have tens of thousands of image versions.

mod architectures;
mod forced;
mod image_version;
mod images;
mod in_use;
mod kubernetes;
mod lifecycle;
mod limits;
mod machine_types;
mod new_versions;
mod overlap;
mod parts;
mod removed;

pub(crate) use architectures::{ARCHITECTURES, Defined, FLAVORS, check_architectures, check_known};
pub(crate) use forced::Forced;
pub(crate) use image_version::{
    CRI, KUBELET_CONSTRAINT, MIN_VERSION, check_compatibility, check_cri,
};
pub(crate) use images::{
    DUPLICATE_IMAGE, DUPLICATE_VERSION, LATEST_UNDETERMINED, MALFORMED_NAME, MALFORMED_VERSION,
    NO_IMAGES, NO_VERSIONS, UPDATE_STRATEGY, check_has_versions, check_images, check_present,
    check_version,
};
pub(crate) use in_use::{Users, name_some};
pub(crate) use kubernetes::{
    DUPLICATE, LATEST_EXPIRATION, LATEST_EXPIRED, LATEST_UNKNOWN, MALFORMED, MISSING, check_latest,
    check_versions,
};
pub(crate) use lifecycle::{
    CLASSIFICATION, EXPIRED_EXPLICITLY, GATE_OFF, MIXED, STAGE_DUPLICATE, STAGE_ORDER,
    STAGE_UNSUPPORTED, START_MISSING, START_ORDER, check_lifecycle,
};
pub(crate) use limits::{NOT_POSITIVE, check_minimums, check_positive};
pub(crate) use machine_types::{TYPE_CAPABILITIES, check_type_capabilities};
pub(crate) use new_versions::check_not_expired;
pub(crate) use overlap::{LifecycleSettings, OVERLAP, check_overlaps};
pub(crate) use parts::Profile;
pub(crate) use removed::{RemovedImages, by_name, image_versions, removed_versions};

use crate::admission::FieldPath;

/// Returns the path of the Kubernetes versions of the profile whose spec is at `spec`.
pub(crate) fn kubernetes_versions(spec: &'static str) -> FieldPath {
    FieldPath::new(spec).child("kubernetes").child("versions")
}

/// Returns the path of the machine images of the profile whose spec is at `spec`.
pub(crate) fn machine_images(spec: &'static str) -> FieldPath {
    FieldPath::new(spec).child("machineImages")
}

/// Returns the path of a version of an image of the profile whose spec is at `spec`.
pub(crate) fn image_version(spec: &'static str, image: usize, version: usize) -> FieldPath {
    let image = machine_images(spec).index(image);
    image.child("versions").index(version)
}
