//! Rules about how any object is written: what an API server says before it looks at what the object means.

pub(in crate::rules) mod finalizer_added;
mod hint;
mod listed;
pub(in crate::rules) mod metadata_malformed;
pub(in crate::rules) mod repeated_field;
pub(in crate::rules) mod resource_quota_exceeded;
pub(in crate::rules) mod silence;
pub(in crate::rules) mod unknown_field;
pub(in crate::rules) mod unknown_kind;
pub(in crate::rules) mod wrong_type;

use crate::engine::Rule;

pub(in crate::rules) const RULES: &[&Rule] = &[
    &unknown_kind::RULE,
    &unknown_field::RULE,
    &repeated_field::RULE,
    &wrong_type::RULE,
    &metadata_malformed::RULE,
    &finalizer_added::RULE,
    &resource_quota_exceeded::RULE,
    &silence::RULE,
];
