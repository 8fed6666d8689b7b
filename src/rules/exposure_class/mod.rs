//! Rules about ExposureClasses.

rules! {
    RULES:
    form,
    immutable_fields,
}
