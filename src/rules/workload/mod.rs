//! Rules about workload of Shoot clusters.

pub(super) mod critical_component;
pub(super) mod no_cleanup;
