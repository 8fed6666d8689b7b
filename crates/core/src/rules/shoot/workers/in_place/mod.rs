// SPDX-License-Identifier: Apache-2.0
//! Worker pools that are updated in place.

pub(super) mod in_place_feature_gate;
pub(super) mod in_place_immutable;
pub(super) mod in_place_immutable_while_switching;
pub(super) mod in_place_node_local_dns_toggle;
pub(super) mod in_place_operations;
pub(super) mod in_place_update_pending;
pub(super) mod in_place_versions;
