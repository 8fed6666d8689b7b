// SPDX-License-Identifier: Apache-2.0
//! Zones of the control plane.

pub(super) mod control_plane_zones_invalid;
pub(super) mod control_plane_zones_vs_seed;
pub(super) mod seed_zones_for_zone_ha;
