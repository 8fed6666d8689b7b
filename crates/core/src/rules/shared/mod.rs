// SPDX-License-Identifier: Apache-2.0
//! Checks and lookups that several rules share.

pub(crate) mod confirmation;
pub(crate) mod custom_verbs;
pub(crate) mod effective_profile;
pub(crate) mod lists;
pub(crate) mod owning_project;
pub(crate) mod profiles;
pub(crate) mod references;
pub(crate) mod reported_path;
pub(crate) mod reserved_ranges;
pub(crate) mod rotation;
pub(crate) mod tolerations;
pub(crate) mod validation;
