// SPDX-License-Identifier: Apache-2.0
//! Advice about CloudProfiles and NamespacedCloudProfiles.

pub(super) mod bastion_expiry;
pub(super) mod deprecated_image_without_expiration;
pub(super) mod deprecated_without_expiration;
pub(super) mod dropped_version_extended;
pub(super) mod dropped_version_listed;
pub(super) mod forces_shoots;
pub(crate) mod minor_gap;
pub(super) mod override_forces_shoots;
pub(super) mod supported_ambiguous;
