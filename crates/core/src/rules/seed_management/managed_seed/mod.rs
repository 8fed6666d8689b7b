// SPDX-License-Identifier: Apache-2.0
//! Rules about ManagedSeeds.

pub(super) mod delete_in_use;
pub(super) mod form;
pub(super) mod shoot;
pub(super) mod shoot_unfit;
