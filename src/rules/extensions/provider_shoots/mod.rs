//! Checks of Shoots that the admission components of several providers share.

mod dns;
mod feature_gates;
mod network;
mod node_template;
mod pools_update;
mod profile;
mod required;
mod syntax;

pub(in crate::rules) use dns::DnsCredentials;
pub(in crate::rules) use feature_gates::check_feature_gates;
pub(in crate::rules) use network::{check_overlay, report_undecodable_network};
pub(in crate::rules) use node_template::{CAPACITIES, check_node_template};
pub(in crate::rules) use pools_update::check_pools_update;
pub(in crate::rules) use profile::decode_profile;
pub(in crate::rules) use required::RequiredConfiguration;
pub(in crate::rules) use syntax::Syntax;
