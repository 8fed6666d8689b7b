// SPDX-License-Identifier: Apache-2.0
//! What Gardener itself does with objects: defaults, versions, updates of nodes, labels and the health of webhooks.

pub mod defaults;
pub mod extensions;
pub mod rolling_update;
pub mod server_configuration;
pub mod status;
pub mod version;
pub mod webhooks;
