// SPDX-License-Identifier: Apache-2.0
//! The update strategy of worker pools.

pub(super) mod update_strategy_transition;
pub(crate) mod worker_update_strategy_default;
pub(super) mod worker_update_strategy_unsupported;
