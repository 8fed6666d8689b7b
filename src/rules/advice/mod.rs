//! Advice: what nobody refuses and somebody will regret. Off in profile `gardener`.
//!
//! Advice is given where a write brings something about, not again with every later one; only what a date or maintenance will
//! bring about is told until it is seen to.

mod bastion_expiry;
mod forces_shoots;
mod hibernation_schedule_blocked;
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

use crate::engine::Rule;

pub(in crate::rules) const SHOOTS: &[&Rule] = &[
    &prefix_resolves_on_every_write::RULE,
    &hibernation_schedule_blocked::RULE,
    &version_expiring::RULE,
    &version_expired_in_use::RULE,
    &version_deprecated::RULE,
    &version_preview::RULE,
    &next_minor::RULE,
];

pub(in crate::rules) const PROFILES: &[&Rule] = &[
    &supported_ambiguous::RULE,
    &minor_gap::RULE,
    &forces_shoots::RULE,
    &bastion_expiry::RULE,
    &override_forces_shoots::RULE,
];
