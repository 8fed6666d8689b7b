// SPDX-License-Identifier: Apache-2.0
//! Audit rules: the state of the garden that only `garden-gate audit` reports.
//!
//! They concern state that no single write causes, or that needs all objects of a garden. They never refuse a request. Off in profile `gardener`.

mod constraints;
mod default_changes;
mod exposure_class_unused;
mod hibernation_impossible;
mod image_version_unusable;
mod in_place_update_pending;
mod maintenance_fails;
mod minor_gap;
mod namespaced_cloud_profile_unused;
mod seed_kubernetes_version_dropped;
mod taint_untolerated;
mod toleration_unused;

use crate::admission::Rule;

pub use default_changes::DEFAULT_CHANGES;
pub use maintenance_fails::{BLOCKED, IMPOSSIBLE};

/// The rule about defaults that a later version of Gardener changes.
pub const DEFAULTS: &Rule = &default_changes::RULE;
/// The rule about Shoots whose maintenance fails.
pub const MAINTENANCE_FAILS: &Rule = &maintenance_fails::RULE;

pub(crate) const RULES: &[&Rule] = &[
    &maintenance_fails::RULE,
    &default_changes::RULE,
    &in_place_update_pending::RULE,
    &hibernation_impossible::RULE,
    &constraints::RULE,
    &toleration_unused::RULE,
    &exposure_class_unused::RULE,
    &namespaced_cloud_profile_unused::RULE,
    &taint_untolerated::RULE,
    &image_version_unusable::RULE,
    &minor_gap::RULE,
    &seed_kubernetes_version_dropped::RULE,
];
