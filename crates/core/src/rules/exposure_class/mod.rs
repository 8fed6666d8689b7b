// SPDX-License-Identifier: Apache-2.0
//! Rules about ExposureClasses.

mod form;
mod immutable_fields;

use crate::admission::Rule;

pub(crate) const RULES: &[&Rule] = &[&form::RULE, &immutable_fields::RULE];
