//! Checks and lookups that several rules share.

pub(in crate::rules) mod confirmation;
pub(in crate::rules) mod custom_verbs;
pub(in crate::rules) mod effective_profile;
pub(in crate::rules) mod lists;
pub(in crate::rules) mod owning_project;
pub(in crate::rules) mod profiles;
pub(crate) mod references;
pub(in crate::rules) mod reported_path;
pub(in crate::rules) mod reserved_ranges;
pub(in crate::rules) mod rotation;
pub(in crate::rules) mod tolerations;
pub(crate) mod validation;
