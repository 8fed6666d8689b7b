// SPDX-License-Identifier: Apache-2.0
//! Which seed a Shoot names, and who may change that.

pub(super) mod deleting_seed_frozen;
pub(super) mod seed_deleting;
pub(super) mod seed_name_change;
pub(super) mod seed_name_create_unauthorized;
pub(super) mod seed_name_invalid;
pub(super) mod seed_not_found;
