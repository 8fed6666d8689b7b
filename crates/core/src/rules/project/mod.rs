// SPDX-License-Identifier: Apache-2.0
//! Rules about Projects.

mod deletion_not_confirmed;
mod form;
mod guarded_parts;
mod immutable_fields;
mod members;
mod members_verb;
mod namespace_taken;
pub(crate) mod owner_defaulting;
mod owner_verb;
mod status_form;
mod tolerations_invalid;
mod whitelist_verb;

use crate::admission::Rule;

pub(crate) const RULES: &[&Rule] = &[
    &owner_defaulting::RULE,
    &form::RULE,
    &namespace_taken::RULE,
    &status_form::RULE,
    &tolerations_invalid::RULE,
    &immutable_fields::RULE,
    &deletion_not_confirmed::RULE,
    &whitelist_verb::RULE,
    &members_verb::RULE,
    &owner_verb::RULE,
];
