//! Rules about ControllerDeployments.

pub(super) mod form;
mod helm;
mod legacy;
mod values;
