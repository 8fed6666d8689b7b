//! Rules about ExposureClasses.

mod form;
mod immutable_fields;

use crate::admission::Rule;

pub(in crate::rules) const RULES: &[&Rule] = &[&form::RULE, &immutable_fields::RULE];
