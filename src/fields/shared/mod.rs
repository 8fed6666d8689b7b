//! Fields that several kinds share.

pub(super) mod extensions;
pub(super) mod machines;
pub(super) mod metadata;
pub(super) mod references;
pub(super) mod selectors;
pub(super) mod status;
pub(super) mod taints;
