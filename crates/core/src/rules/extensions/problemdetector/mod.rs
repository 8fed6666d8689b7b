//! Rules for shoot-networking-problemdetector.

pub(super) mod shoot;
