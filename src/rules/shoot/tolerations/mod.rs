//! Tolerations of the taints of seeds.

mod toleration_not_whitelisted;
pub(in crate::rules) mod tolerations_default;
mod tolerations_invalid;

use super::exposure::exposureclass_scheduling;
use crate::engine::{Context, Rule};

pub(in crate::rules) const RULES: &[&Rule] = &[
    &tolerations_default::RULE,
    &tolerations_invalid::RULE,
    &toleration_not_whitelisted::RULE,
];

/// Whether a new Shoot lacks default tolerations because its Project or its ExposureClass is not known.
pub(in crate::rules::shoot) fn are_incomplete(context: &Context<'_>) -> bool {
    let rules = [&tolerations_default::RULE, &exposureclass_scheduling::RULE];
    rules
        .into_iter()
        .any(|rule| context.is_undetermined(rule.id))
}
