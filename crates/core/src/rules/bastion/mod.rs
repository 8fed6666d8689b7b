// SPDX-License-Identifier: Apache-2.0
//! Rules about Bastions.

mod form;
mod immutable_fields;
mod shoot_unusable;

use crate::admission::Rule;

pub(crate) const RULES: &[&Rule] = &[&shoot_unusable::RULE, &form::RULE, &immutable_fields::RULE];
