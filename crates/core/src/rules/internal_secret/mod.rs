// SPDX-License-Identifier: Apache-2.0
//! Rules about InternalSecrets.

mod form;
mod immutable_fields;
mod values;

use crate::admission::Rule;

pub(crate) const RULES: &[&Rule] = &[&form::RULE, &immutable_fields::RULE];
