// SPDX-License-Identifier: Apache-2.0
//! Rules about ManagedSeedSets.

pub(super) mod form;
pub(super) mod shoot_template;
