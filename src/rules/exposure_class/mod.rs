//! Rules about ExposureClasses.

pub(in crate::rules) mod form;
pub(in crate::rules) mod immutable_fields;

use crate::engine::Rule;

pub(in crate::rules) const RULES: &[&Rule] = &[&form::RULE, &immutable_fields::RULE];
