//! ExposureClasses.

mod exposureclass_missing;
mod exposureclass_name_invalid;
pub(in crate::rules) mod exposureclass_scheduling;

use crate::admission::Rule;

pub(in crate::rules) const RULES: &[&Rule] = &[
    &exposureclass_scheduling::RULE,
    &exposureclass_name_invalid::RULE,
    &exposureclass_missing::RULE,
];
