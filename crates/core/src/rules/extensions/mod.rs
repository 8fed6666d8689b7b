// SPDX-License-Identifier: Apache-2.0
//! Rules for what the admission components of extensions decide.

mod alicloud;
mod auditing;
mod aws;
mod azure;
mod backups;
mod calico;
mod cert_service;
mod cidr;
mod cilium;
mod component;
mod controller_fails;
mod decoding;
mod dns_service;
mod entry;
mod failure;
mod gcp;
mod lakom;
mod networking_filter;
mod openstack;
mod problemdetector;
mod provider_profiles;
mod provider_shoots;
mod refusal;
mod registry_cache;
mod registry_mirror;
mod resources;
mod rsyslog_relp;
mod undecodable;

pub(crate) use cidr::{Cidr, ShootCidrs, check_disjoint};
pub(crate) use component::Component;
pub(crate) use decoding::{ExpectedHeader, wrong_header};
pub(crate) use entry::JudgedEntry;
pub(crate) use failure::{CommonFindings, Failure};

use crate::admission::{Kind, Rule};
use garden_gate_model::api::extensions::Extension;

pub(crate) const RULES: &[&Rule] = &[
    &undecodable::RULE,
    &controller_fails::RULE,
    &auditing::shoot::RULE,
    &alicloud::cloudprofile::RULE,
    &alicloud::namespacedcloudprofile::RULE,
    &alicloud::seed::RULE,
    &alicloud::shoot::RULE,
    &aws::cloudprofile::RULE,
    &aws::namespacedcloudprofile::RULE,
    &aws::seed::RULE,
    &aws::shoot::RULE,
    &azure::cloudprofile::RULE,
    &azure::namespacedcloudprofile::RULE,
    &azure::seed::RULE,
    &azure::shoot::RULE,
    &calico::shoot::RULE,
    &cert_service::seed::RULE,
    &cert_service::shoot::RULE,
    &cilium::shoot::RULE,
    &gcp::cloudprofile::RULE,
    &gcp::namespacedcloudprofile::RULE,
    &gcp::seed::RULE,
    &gcp::shoot::RULE,
    &dns_service::shoot::RULE,
    &lakom::shoot::RULE,
    &networking_filter::shoot::RULE,
    &problemdetector::shoot::RULE,
    &openstack::cloudprofile::RULE,
    &openstack::namespacedcloudprofile::RULE,
    &openstack::shoot::RULE,
    &registry_cache::shoot::RULE,
    &registry_mirror::shoot::RULE,
    &rsyslog_relp::shoot::RULE,
];

/// Reports whether an extension has a rule of its own for objects of a kind.
pub fn has_own_rule(extension: &Extension, kind: Kind) -> bool {
    let mut own = RULES.iter().filter(|it| is_of(it, extension));
    own.any(|rule| rule.kinds().contains(&kind))
}

/// Returns the ids of the rules that judge the configurations of an extension.
pub fn own_rules(extension: &Extension) -> Vec<&'static str> {
    let mut own: Vec<&str> =
        RULES.iter().filter(|it| is_of(it, extension)).map(|rule| rule.id).collect();
    if own.is_empty() {
        let general = match extension.admission {
            Some(_) => &undecodable::RULE,
            None => &controller_fails::RULE,
        };
        own.push(general.id);
    }
    own
}

fn is_of(rule: &Rule, extension: &Extension) -> bool {
    let name = rule.id.split_once('/').map(|(name, _)| name);
    name == Some(extension.name)
}
