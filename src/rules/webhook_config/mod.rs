//! Rules about the webhook configurations of Shoot clusters.

pub(super) mod problematic;
pub(super) mod remediation_preview;
