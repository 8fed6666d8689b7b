//! Rules about ShootStates.

pub(super) mod deletion_not_confirmed;
