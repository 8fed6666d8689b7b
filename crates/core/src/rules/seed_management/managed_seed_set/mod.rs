//! Rules about ManagedSeedSets.

pub(super) mod form;
pub(super) mod shoot_template;
