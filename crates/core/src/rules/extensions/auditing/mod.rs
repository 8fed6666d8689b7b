//! Rules for auditing.

pub(super) mod shoot;
