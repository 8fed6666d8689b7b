// SPDX-License-Identifier: Apache-2.0
//! Rules about ManagedSeeds, ManagedSeedSets and Gardenlets.

mod completed;
mod gardenlet;
mod managed_seed;
mod managed_seed_set;
mod operation;
mod seed_template;
mod shoot_base;

use crate::admission::Rule;

pub(crate) const RULES: &[&Rule] = &[
    &gardenlet::configuration_kind::RULE,
    &gardenlet::dropped_field::RULE,
    &managed_seed::shoot::RULE,
    &gardenlet::form::RULE,
    &gardenlet::deployment::RULE,
    &gardenlet::configuration::RULE,
    &gardenlet::immutable_fields::RULE,
    &gardenlet::name_taken::RULE,
    &managed_seed::form::RULE,
    &managed_seed::shoot_unfit::RULE,
    &managed_seed::delete_in_use::RULE,
    &managed_seed_set::form::RULE,
    &managed_seed_set::shoot_template::RULE,
];
