//! Rules for networking-calico.

mod detection;
pub(super) mod shoot;
