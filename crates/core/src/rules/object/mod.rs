// SPDX-License-Identifier: Apache-2.0
//! Rules about the syntax of any object, which an API server checks before its meaning.

mod duplicate;
mod finalizer_added;
pub(crate) mod hint;
mod identity_changed;
pub(crate) mod listed;
mod metadata_malformed;
mod namespace_missing;
mod repeated_field;
mod resource_quota_exceeded;
mod silence;
mod unknown_field;
mod unknown_kind;
pub(crate) mod wrong_type;

use crate::admission::Rule;

pub(crate) const RULES: &[&Rule] = &[
    &unknown_kind::RULE,
    &unknown_field::RULE,
    &repeated_field::RULE,
    &wrong_type::RULE,
    &identity_changed::RULE,
    &metadata_malformed::RULE,
    &namespace_missing::RULE,
    &finalizer_added::RULE,
    &duplicate::RULE,
    &resource_quota_exceeded::RULE,
    &silence::RULE,
];
