// SPDX-License-Identifier: Apache-2.0
//! ExposureClasses.

mod exposureclass_missing;
mod exposureclass_name_invalid;
pub(crate) mod exposureclass_scheduling;

use crate::admission::Rule;

pub(crate) const RULES: &[&Rule] = &[
    &exposureclass_scheduling::RULE,
    &exposureclass_name_invalid::RULE,
    &exposureclass_missing::RULE,
];
