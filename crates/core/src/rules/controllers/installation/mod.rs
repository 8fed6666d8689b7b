//! Rules about ControllerInstallations.

pub(super) mod form;
pub(super) mod immutable_fields;
