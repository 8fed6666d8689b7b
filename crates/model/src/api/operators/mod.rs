// SPDX-License-Identifier: Apache-2.0
//! The kinds that operators of a landscape write: backups, extensions, credentials, bastions and gardenlets.

pub(crate) mod backup;
pub(crate) mod bastion;
pub(crate) mod controllers;
pub(crate) mod deployments;
pub(crate) mod gardenlet;
pub(crate) mod gardenlet_configuration;
mod gardenlet_controllers;
pub(crate) mod internal_secret;
pub(crate) mod managed_seeds;
mod pods;
pub(crate) mod shoot_state;
pub(crate) mod workload_identity;
