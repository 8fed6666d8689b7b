//! Rules for shoot-networking-filter.

pub(super) mod shoot;
