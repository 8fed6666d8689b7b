//! Rules for registry-mirror.

pub(super) mod shoot;
