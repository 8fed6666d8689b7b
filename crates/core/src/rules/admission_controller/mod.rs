// SPDX-License-Identifier: Apache-2.0
//! Rules for what gardener-admission-controller decides about configurations of API servers.

mod audit_policy;
mod authentication;
mod authorization;
mod configured;
mod expression;
mod findings;
mod problem;
mod purpose;
mod resource_size;

pub use purpose::{AUDIT_POLICY, AUTHENTICATION, AUTHORIZATION, Purpose, config_maps_of};

use crate::admission::Rule;

pub(crate) const RULES: &[&Rule] =
    &[&audit_policy::RULE, &authentication::RULE, &authorization::RULE, &resource_size::RULE];
