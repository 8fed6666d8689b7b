//! Advice: what nobody refuses and somebody will regret. Off in profile `gardener`.
//!
//! Advice is given where a write brings something about, not again with every later one; only what a date or maintenance will
//! bring about is told until it is seen to.

mod versions_in_use;

rules! {
    SHOOTS:
    prefix_resolves_on_every_write,
    hibernation_schedule_blocked,
    version_expiring,
    version_expired_in_use,
    version_deprecated,
    version_preview,
    next_minor,
}

rules! {
    PROFILES:
    supported_ambiguous,
    minor_gap,
    forces_shoots,
    bastion_expiry,
    override_forces_shoots,
}
