// SPDX-License-Identifier: Apache-2.0
//! Checks of Shoots that the admission components of several providers share.

mod begin;
mod dns;
mod feature_gates;
mod network;
mod node_template;
mod pools;
mod pools_update;
mod profile;
mod required;
mod syntax;

pub(crate) use begin::begin;
pub(crate) use dns::DnsCredentials;
pub(crate) use feature_gates::check_feature_gates;
pub(crate) use network::check_overlay;
pub(crate) use node_template::{CAPACITIES, check_node_template};
pub(crate) use pools::{PoolVolumes, check_pool_zones};
pub(crate) use pools_update::check_pools_update;
pub(crate) use profile::decode_profile;
pub(crate) use required::RequiredConfiguration;
pub(crate) use syntax::Syntax;
