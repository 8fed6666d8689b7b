//! Hibernation, and what a Shoot can do while it sleeps.

pub(in crate::rules::shoot) mod encryption;
pub(in crate::rules) mod hibernated_change;
pub(in crate::rules) mod hibernation;
pub(in crate::rules) mod hibernation_constraint;
pub(in crate::rules) mod wake_up_tasks;
