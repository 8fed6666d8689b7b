//! Rules about ControllerRegistrations.

pub(super) mod form;
pub(super) mod immutable_fields;
pub(super) mod references;
