//! Rules for shoot-lakom-service.

pub(super) mod shoot;
