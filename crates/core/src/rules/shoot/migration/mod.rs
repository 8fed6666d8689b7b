// SPDX-License-Identifier: Apache-2.0
//! Migration of a control plane from one seed to another.

mod delete_during_migration;
mod live_migration;
mod migration_prerequisites;
mod spec_change_during_migration;

use crate::admission::Rule;

pub(crate) const RULES: &[&Rule] = &[
    &migration_prerequisites::RULE,
    &spec_change_during_migration::RULE,
    &delete_during_migration::RULE,
    &live_migration::RULE,
];
