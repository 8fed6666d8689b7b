//! Rules about ShootStates.

mod deletion_not_confirmed;

use crate::admission::Rule;

pub(in crate::rules) const RULES: &[&Rule] = &[&deletion_not_confirmed::RULE];
