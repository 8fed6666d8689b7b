// SPDX-License-Identifier: Apache-2.0
//! Properties of a Shoot that its seed must support.

pub(super) mod access_restrictions;
pub(super) mod networks_vs_seed;
pub(super) mod seed_access_restrictions;
pub(super) mod seed_capacity;
pub(super) mod seed_taints_not_tolerated;
