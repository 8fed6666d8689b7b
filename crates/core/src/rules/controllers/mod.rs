// SPDX-License-Identifier: Apache-2.0
//! Rules about ControllerRegistrations, ControllerDeployments and ControllerInstallations.

mod deletion;
mod deployment;
mod installation;
mod registration;

use crate::admission::Rule;

pub(crate) const RULES: &[&Rule] = &[
    &registration::form::RULE,
    &registration::immutable_fields::RULE,
    &registration::references::RULE,
    &deployment::form::RULE,
    &deployment::unused::RULE,
    &installation::form::RULE,
    &installation::immutable_fields::RULE,
];
