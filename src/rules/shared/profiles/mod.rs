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
mod removed;

pub(in crate::rules) use architectures::{
    ARCHITECTURES, Defined, FLAVORS, check_architectures, check_known,
};
pub(in crate::rules) use forced::Forced;
pub(in crate::rules) use image_version::{
    CRI, KUBELET_CONSTRAINT, MIN_VERSION, check_compatibility, check_cri,
};
pub(in crate::rules) use images::{
    DUPLICATE_IMAGE, DUPLICATE_VERSION, LATEST_UNDETERMINED, MALFORMED_NAME, MALFORMED_VERSION,
    NO_IMAGES, NO_VERSIONS, UPDATE_STRATEGY, check_has_versions, check_images, check_present,
    check_version,
};
pub(in crate::rules) use in_use::{Users, name_some};
pub(in crate::rules) use kubernetes::{
    DUPLICATE, LATEST_EXPIRATION, LATEST_EXPIRED, LATEST_UNKNOWN, MALFORMED, MISSING, check_latest,
    check_versions,
};
pub(in crate::rules) use lifecycle::{
    CLASSIFICATION, EXPIRED_EXPLICITLY, GATE_OFF, MIXED, STAGE_DUPLICATE, STAGE_ORDER,
    STAGE_UNSUPPORTED, START_MISSING, START_ORDER, check_lifecycle,
};
pub(in crate::rules) use limits::{NOT_POSITIVE, check_positive};
pub(in crate::rules) use machine_types::{TYPE_CAPABILITIES, check_type_capabilities};
pub(in crate::rules) use new_versions::{NewVersions, check_not_expired};
pub(in crate::rules) use overlap::{LifecycleSettings, OVERLAP, check_overlaps};
pub(in crate::rules) use removed::{RemovedImages, by_name, image_versions, removed_versions};

use crate::admission::FieldPath;

/// Returns the path of the Kubernetes versions of the profile whose spec is at `spec`.
pub(in crate::rules) fn kubernetes_versions(spec: &'static str) -> FieldPath {
    FieldPath::new(spec).child("kubernetes").child("versions")
}

/// Returns the path of the machine images of the profile whose spec is at `spec`.
pub(in crate::rules) fn machine_images(spec: &'static str) -> FieldPath {
    FieldPath::new(spec).child("machineImages")
}

/// Returns the path of a version of an image of the profile whose spec is at `spec`.
pub(in crate::rules) fn image_version(
    spec: &'static str,
    image: usize,
    version: usize,
) -> FieldPath {
    let image = machine_images(spec).index(image);
    image.child("versions").index(version)
}
