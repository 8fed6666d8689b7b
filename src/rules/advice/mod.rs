//! Advice: what nobody refuses and somebody will regret. Off in profile `gardener`.
//!
//! Advice is given where a write brings something about, not again with every later one.

pub(super) mod bastion_expiry;
pub(super) mod forces_shoots;
pub(super) mod minor_gap;
pub(super) mod override_forces_shoots;
pub(super) mod supported_ambiguous;
