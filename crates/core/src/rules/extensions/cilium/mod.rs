//! Rules for networking-cilium.

pub(super) mod shoot;
