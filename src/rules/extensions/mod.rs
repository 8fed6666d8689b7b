//! Rules for what the admission components of extensions decide.

mod aws;
mod calico;
mod cidr;
mod cilium;
mod component;
mod controller_fails;
mod decoding;
mod entry;
mod failure;
mod networking_filter;
mod place;
mod provider_profiles;
mod refusal;
mod registry_cache;
mod registry_mirror;
mod undecodable;

pub(in crate::rules) use cidr::{Cidr, check_disjoint};
pub(in crate::rules) use component::Component;
pub(in crate::rules) use failure::{CommonFindings, Failure};
pub(in crate::rules) use place::Place;

use crate::admission::{Kind, Rule};
use crate::api::extensions::Extension;

pub(in crate::rules) const RULES: &[&Rule] = &[
    &undecodable::RULE,
    &controller_fails::RULE,
    &aws::cloudprofile::RULE,
    &aws::namespacedcloudprofile::RULE,
    &aws::seed::RULE,
    &aws::shoot::RULE,
    &calico::shoot::RULE,
    &cilium::shoot::RULE,
    &networking_filter::shoot::RULE,
    &registry_cache::shoot::RULE,
    &registry_mirror::shoot::RULE,
];

/// Reports whether an extension has a rule of its own for objects of a kind.
#[must_use]
pub(crate) fn has_own_rule(extension: &Extension, kind: Kind) -> bool {
    let mut rules = RULES.iter();
    rules.any(|rule| {
        let own = rule
            .id
            .split_once('/')
            .is_some_and(|(name, _)| name == extension.name);
        own && rule.kinds().contains(&kind)
    })
}
