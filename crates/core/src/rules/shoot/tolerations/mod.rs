// SPDX-License-Identifier: Apache-2.0
//! Tolerations of the taints of seeds.

mod toleration_not_whitelisted;
pub(crate) mod tolerations_default;
mod tolerations_invalid;

use super::exposure::exposureclass_scheduling;
use crate::admission::{Context, Rule};

pub(crate) const RULES: &[&Rule] =
    &[&tolerations_default::RULE, &tolerations_invalid::RULE, &toleration_not_whitelisted::RULE];

/// Reports whether default tolerations may be missing.
///
/// This is the case if the Project or the ExposureClass is unknown.
pub(crate) fn are_incomplete(context: &Context<'_>) -> bool {
    let rules = [&tolerations_default::RULE, &exposureclass_scheduling::RULE];
    rules.into_iter().any(|rule| context.is_undetermined(rule.id))
}
