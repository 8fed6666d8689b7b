// SPDX-License-Identifier: Apache-2.0
//! Advice: warnings about valid changes with unwanted consequences. Off in profile `gardener`.
//!
//! Advice is reported for the write that causes a problem, not for later ones. Only problems that a date or maintenance will
//! cause are reported until they are fixed.

mod ca_certificates_expiring;
mod hibernation_schedule_blocked;
mod maintenance_preconditions;
pub(crate) mod profiles;
pub(crate) mod shoot_versions;

use crate::admission::Rule;

pub use ca_certificates_expiring::{CA_VALIDITIES, is_rotated};
pub use maintenance_preconditions::PRECONDITIONS;

pub(crate) const SHOOTS: &[&Rule] = &[
    &shoot_versions::prefix_resolves_on_every_write::RULE,
    &hibernation_schedule_blocked::RULE,
    &shoot_versions::version_expiring::RULE,
    &shoot_versions::version_expired_in_use::RULE,
    &shoot_versions::version_deprecated::RULE,
    &shoot_versions::version_preview::RULE,
    &shoot_versions::next_minor::RULE,
    &shoot_versions::kubernetes_version_dropped::RULE,
    &maintenance_preconditions::RULE,
    &ca_certificates_expiring::RULE,
];

pub(crate) const PROFILES: &[&Rule] = &[
    &profiles::supported_ambiguous::RULE,
    &profiles::minor_gap::RULE,
    &profiles::forces_shoots::RULE,
    &profiles::bastion_expiry::RULE,
    &profiles::override_forces_shoots::RULE,
    &profiles::dropped_version_listed::RULE,
    &profiles::dropped_version_extended::RULE,
    &profiles::deprecated_without_expiration::RULE,
    &profiles::deprecated_image_without_expiration::RULE,
];
