//! Fixes of files and of webhook configurations.

pub(crate) mod files;
pub(crate) mod webhooks;
