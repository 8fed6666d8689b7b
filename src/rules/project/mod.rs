//! Rules about Projects.

pub(in crate::rules) mod deletion_not_confirmed;
pub(in crate::rules) mod form;
mod guarded_parts;
pub(in crate::rules) mod immutable_fields;
mod members;
pub(in crate::rules) mod members_verb;
pub(in crate::rules) mod namespace_taken;
pub(in crate::rules) mod owner_defaulting;
pub(in crate::rules) mod owner_verb;
pub(in crate::rules) mod status_form;
pub(in crate::rules) mod tolerations_invalid;
pub(in crate::rules) mod whitelist_verb;

use crate::engine::Rule;

pub(in crate::rules) const RULES: &[&Rule] = &[
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
