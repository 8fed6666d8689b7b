// SPDX-License-Identifier: Apache-2.0
//! Hibernation, and changes of a hibernated Shoot.

mod encryption_change;
mod hibernated_change;
#[expect(clippy::module_inception, reason = "a rule is in the file that is named after its id")]
mod hibernation;
pub(crate) mod hibernation_constraint;
pub(crate) mod wake_up_tasks;

use crate::admission::Rule;

pub(crate) const RULES: &[&Rule] = &[
    &wake_up_tasks::RULE,
    &hibernation::RULE,
    &hibernated_change::RULE,
    &encryption_change::RULE,
    &hibernation_constraint::RULE,
];
