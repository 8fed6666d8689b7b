//! Advice: what nobody refuses and somebody will regret. Off in profile `gardener`.
//!
//! Advice is given where a write brings something about, not again with every later one; only what a date or maintenance will
//! bring about is told until it is seen to.

pub(super) mod bastion_expiry;
pub(super) mod forces_shoots;
pub(super) mod hibernation_schedule_blocked;
pub(super) mod minor_gap;
pub(super) mod override_forces_shoots;
pub(super) mod prefix_resolves_on_every_write;
pub(super) mod supported_ambiguous;
pub(super) mod version_deprecated;
pub(super) mod version_expired_in_use;
pub(super) mod version_expiring;
pub(super) mod version_preview;

mod versions_in_use;
