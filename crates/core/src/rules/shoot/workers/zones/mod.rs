// SPDX-License-Identifier: Apache-2.0
//! Distribution of worker pools over zones.

pub(super) mod worker_surge_below_zones;
pub(super) mod worker_zone_maximum_lowered;
pub(super) mod worker_zones_changed;
pub(super) mod zone_shares;
