// SPDX-License-Identifier: Apache-2.0
//! Seed selectors of Shoots and CloudProfiles.

pub(super) mod cp_seed_selector;
pub(super) mod seed_selector_change;
pub(super) mod seed_selector_invalid;
