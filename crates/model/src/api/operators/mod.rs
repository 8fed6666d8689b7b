//! The kinds that operators of a landscape write: backups, extensions, credentials and bastions.

pub(crate) mod backup;
pub(crate) mod bastion;
pub(crate) mod controllers;
pub(crate) mod deployments;
pub(crate) mod internal_secret;
pub(crate) mod shoot_state;
pub(crate) mod workload_identity;
