// SPDX-License-Identifier: Apache-2.0
//! Rules about ShootStates.

mod deletion_not_confirmed;
mod form;

use crate::admission::Rule;

pub(crate) const RULES: &[&Rule] = &[&deletion_not_confirmed::RULE, &form::RULE];
