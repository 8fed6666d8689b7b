//! Tolerations of the taints of seeds.

use super::exposure::exposureclass_scheduling;
use crate::engine::Context;

rules! {
    RULES:
    tolerations_default,
    tolerations_invalid,
    toleration_not_whitelisted,
}

/// Whether a new Shoot lacks default tolerations because its Project or its ExposureClass is not known.
pub(in crate::rules::shoot) fn are_incomplete(context: &Context<'_>) -> bool {
    let rules = [&tolerations_default::RULE, &exposureclass_scheduling::RULE];
    rules.into_iter().any(|rule| context.is_undetermined(rule))
}
