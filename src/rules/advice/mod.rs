//! Advice: warnings about valid changes with unwanted consequences. Off in profile `gardener`.
//!
//! Advice is reported for the write that causes a problem, not for later ones. Only problems that a date or maintenance will
//! cause are reported until they are fixed.

mod bastion_expiry;
mod ca_certificates_expiring;
mod deprecated_image_without_expiration;
mod deprecated_without_expiration;
mod dropped_version_extended;
mod dropped_version_listed;
mod forces_shoots;
mod hibernation_schedule_blocked;
mod kubernetes_version_dropped;
mod maintenance_preconditions;
pub(in crate::rules) mod minor_gap;
mod next_minor;
mod override_forces_shoots;
pub(in crate::rules) mod prefix_resolves_on_every_write;
mod supported_ambiguous;
mod version_deprecated;
mod version_expired_in_use;
mod version_expiring;
mod version_preview;
mod versions_in_use;

use crate::admission::Rule;

pub(crate) use ca_certificates_expiring::{CA_VALIDITIES, is_rotated};
pub(crate) use maintenance_preconditions::PRECONDITIONS;

pub(in crate::rules) const SHOOTS: &[&Rule] = &[
    &prefix_resolves_on_every_write::RULE,
    &hibernation_schedule_blocked::RULE,
    &version_expiring::RULE,
    &version_expired_in_use::RULE,
    &version_deprecated::RULE,
    &version_preview::RULE,
    &next_minor::RULE,
    &kubernetes_version_dropped::RULE,
    &maintenance_preconditions::RULE,
    &ca_certificates_expiring::RULE,
];

pub(in crate::rules) const PROFILES: &[&Rule] = &[
    &supported_ambiguous::RULE,
    &minor_gap::RULE,
    &forces_shoots::RULE,
    &bastion_expiry::RULE,
    &override_forces_shoots::RULE,
    &dropped_version_listed::RULE,
    &dropped_version_extended::RULE,
    &deprecated_without_expiration::RULE,
    &deprecated_image_without_expiration::RULE,
];
