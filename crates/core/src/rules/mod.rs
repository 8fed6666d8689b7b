// SPDX-License-Identifier: Apache-2.0
//! All rules, in the order in which they run: first mutating rules, then validating ones.

mod admission_controller;
mod advice;
mod audit;
mod backup;
mod bastion;
mod binding;
mod cloud_profile;
mod controllers;
mod custom_resource;
mod exposure_class;
mod extensions;
pub mod gardenadm;
mod hardened;
mod internal_secret;
mod namespaced_cloud_profile;
mod object;
mod project;
mod quota;
mod seed;
mod seed_management;
mod shared;
mod shoot;
mod shoot_state;
mod webhook_config;
mod workload;
mod workload_identity;

pub use admission_controller::{
    AUDIT_POLICY, AUTHENTICATION, AUTHORIZATION, Purpose, config_maps_of,
};
pub use advice::{CA_VALIDITIES, PRECONDITIONS, is_rotated};
pub use audit::{BLOCKED, DEFAULT_CHANGES, DEFAULTS, IMPOSSIBLE, MAINTENANCE_FAILS};
pub(crate) use custom_resource::{help as violation_help, message as violation_message};
pub(crate) use extensions::{ExpectedHeader, wrong_header};
pub use extensions::{has_own_rule, own_rules};
pub(crate) use shared::lists::short;
pub use shared::references::{Referred, named_in, referred};
pub use shared::validation::Part;
pub use shoot::hibernation::hibernation_constraint::HIBERNATION_POSSIBLE;
pub use shoot::operation::cleaned_up;
pub use shoot::references::quota_exceeded::EXPIRATION;
pub use workload::readiness;

use std::sync::LazyLock;

use crate::admission::{EntryPoint, EntryPoints, OnlyIf, Rule};
use crate::config::{Config, KnownIds};
use garden_gate_model::api::extensions::SHIPPED;

/// The rules of each module, in the order in which they run.
const FOLDERS: &[&[&Rule]] = &[
    object::RULES,
    shoot::RULES,
    shoot::tolerations::RULES,
    shoot::versions::RULES,
    shoot::images::RULES,
    shoot::machines::RULES,
    shoot::hibernation::RULES,
    shoot::deletion::RULES,
    shoot::exposure::RULES,
    shoot::references::RULES,
    shoot::dns::RULES,
    shoot::workers::RULES,
    shoot::seed::RULES,
    shoot::migration::RULES,
    shoot::static_validation::RULES,
    advice::SHOOTS,
    hardened::RULES,
    project::RULES,
    cloud_profile::RULES,
    advice::PROFILES,
    namespaced_cloud_profile::RULES,
    seed::RULES,
    shoot_state::RULES,
    binding::RULES,
    exposure_class::RULES,
    quota::RULES,
    backup::RULES,
    controllers::RULES,
    internal_secret::RULES,
    workload_identity::RULES,
    bastion::RULES,
    seed_management::RULES,
    custom_resource::RULES,
    extensions::RULES,
    admission_controller::RULES,
    gardenadm::RULES,
    audit::RULES,
    webhook_config::RULES,
    workload::RULES,
    workload::READINESS,
];

/// The mutating rules, in the order of Gardener's plugins: they depend on each other.
const MUTATING: &[&Rule] = &[
    &shoot::tolerations::tolerations_default::RULE,
    &shoot::exposure::exposureclass_scheduling::RULE,
    &shoot::hibernation::wake_up_tasks::RULE,
    &shoot::refilled_fields::RULE,
    &shoot::dns::dns_default::RULE,
    &shoot::deletion::deletion_confirmed_by::RULE,
    &shoot::dropped_fields::RULE,
    &shoot::workers::update_strategy::worker_update_strategy_default::RULE,
    &advice::shoot_versions::prefix_resolves_on_every_write::RULE,
    &shoot::versions::kubernetes_version_default::RULE,
    &shoot::images::worker_architecture_default::RULE,
    &shoot::images::machine_image_default::RULE,
    &project::owner_defaulting::RULE,
    &cloud_profile::new_version_expired::RULE,
    &cloud_profile::drop_inactive_versions::RULE,
    &namespaced_cloud_profile::new_version_expired::RULE,
    &namespaced_cloud_profile::drop_inactive_versions::RULE,
];

/// All rules: first mutating ones, then the validating rules of each module.
pub static ALL: &[&Rule] = &in_order::<{ count() }>();

const fn count() -> usize {
    let (mut count, mut folder) = (0, 0);
    while folder < FOLDERS.len() {
        count += FOLDERS[folder].len();
        folder += 1;
    }
    count
}

/// Orders the rules at compile time.
///
/// A mutating rule without a position in `MUTATING` is a compile error.
const fn in_order<const COUNT: usize>() -> [&'static Rule; COUNT] {
    let mut all = [MUTATING[0]; COUNT];
    let mut next = 0;
    while next < MUTATING.len() {
        all[next] = MUTATING[next];
        next += 1;
    }
    let mut folder = 0;
    while folder < FOLDERS.len() {
        let mut position = 0;
        while position < FOLDERS[folder].len() {
            let rule = FOLDERS[folder][position];
            let is_conditional = matches!(rule.only_if, OnlyIf::Changed);
            assert!(
                !(is_conditional && rule.mutates()),
                "only rules that judge may have `only_if`"
            );
            if !rule.mutates() {
                all[next] = rule;
                next += 1;
            }
            position += 1;
        }
        folder += 1;
    }
    assert!(next == COUNT, "`MUTATING` is not in keeping with the folders");
    all
}

/// All rules but those for decisions of extensions, whose own components run in the landscape.
pub static WITHOUT_EXTENSIONS: LazyLock<Vec<&Rule>> = LazyLock::new(|| {
    let all = ALL.iter().copied();
    all.filter(|rule| rule.entry_points != EntryPoints::Offline).collect()
});

/// Returns the rules that a server runs with this configuration, whatever their levels are.
///
/// These are all but those that an API server checks without webhooks.
pub fn served(config: &Config) -> impl Iterator<Item = &'static Rule> {
    let entry_points = [EntryPoint::Mutate, EntryPoint::Validate];
    let is_served = move |rule: &&Rule| {
        entry_points.iter().any(|entry_point| rule.runs_at(*entry_point, config))
    };
    ALL.iter().copied().filter(is_served)
}

/// Returns the rule with this id.
pub fn find(id: &str) -> Option<&'static Rule> {
    ALL.iter().copied().find(|rule| rule.id == id)
}

/// Returns the ids of all rules and findings, which configuration may name.
pub fn known_ids() -> KnownIds {
    let findings = ALL.iter().flat_map(|rule| rule.findings).map(|finding| finding.id);
    let defined = SHIPPED.iter().map(|it| it.finding);
    KnownIds {
        rules: ALL.iter().map(|rule| rule.id).collect(),
        findings: findings.chain(defined).collect(),
        policies: None,
        extensions: Vec::new(),
    }
}
