//! ExposureClasses.

rules! {
    RULES:
    exposureclass_scheduling,
    exposureclass_name_invalid,
    exposureclass_missing,
}
