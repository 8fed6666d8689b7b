//! The way of a control plane from one seed to another.

pub(in crate::rules) mod delete_during_migration;
pub(in crate::rules) mod live_migration;
pub(in crate::rules) mod migration_prerequisites;
pub(in crate::rules) mod spec_change_during_migration;

use crate::engine::Rule;

pub(in crate::rules) const RULES: &[&Rule] = &[
    &migration_prerequisites::RULE,
    &spec_change_during_migration::RULE,
    &delete_during_migration::RULE,
    &live_migration::RULE,
];
