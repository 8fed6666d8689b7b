//! Every rule, in the order in which they run: first those that change objects, then those that judge them.

pub mod catalogue;
mod namespaced_cloud_profile;
mod project;
mod shoot;
mod tolerations;
mod verbs;

use crate::engine::Rule;

/// All rules. Mutating rules come first, in the order of Gardener's plugins; they build on each other.
pub static ALL: &[&Rule] = &[
    &shoot::tolerations_default::RULE,
    &shoot::exposureclass_scheduling::RULE,
    &project::owner_defaulting::RULE,
    &shoot::tolerations_invalid::RULE,
    &shoot::toleration_not_whitelisted::RULE,
    &shoot::self_hosted_verb::RULE,
    &project::tolerations_invalid::RULE,
    &project::immutable_fields::RULE,
    &project::whitelist_verb::RULE,
    &project::members_verb::RULE,
    &project::owner_verb::RULE,
    &namespaced_cloud_profile::kubernetes_verb::RULE,
    &namespaced_cloud_profile::machineimages_verb::RULE,
    &namespaced_cloud_profile::providerconfig_verb::RULE,
];

/// The rule with this id.
#[must_use]
pub fn find(id: &str) -> Option<&'static Rule> {
    ALL.iter().copied().find(|rule| rule.id == id)
}
