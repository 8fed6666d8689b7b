//! ExposureClasses.

pub(in crate::rules) mod exposureclass_missing;
pub(in crate::rules) mod exposureclass_name_invalid;
pub(in crate::rules) mod exposureclass_scheduling;
