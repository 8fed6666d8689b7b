//! Every rule, in the order in which they run: first those that change objects, then those that judge them.

mod advice;
mod audit;
mod binding;
mod cloud_profile;
mod exposure_class;
mod namespaced_cloud_profile;
mod object;
mod project;
mod quota;
mod seed;
pub(crate) mod shared;
mod shoot;
mod shoot_state;
mod webhook_config;
mod workload;

pub(crate) use audit::{BLOCKED, IMPOSSIBLE, MAINTENANCE_FAILS};
pub use shared::references::named_in;
pub use shoot::operation::cleaned_up;

use crate::config::KnownIds;
use crate::engine::{EntryPoint, OnlyIf, Rule};

/// The lists of the folders, in the order in which they run.
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
    project::RULES,
    cloud_profile::RULES,
    advice::PROFILES,
    namespaced_cloud_profile::RULES,
    seed::RULES,
    shoot_state::RULES,
    binding::RULES,
    exposure_class::RULES,
    quota::RULES,
    audit::RULES,
    webhook_config::RULES,
    workload::RULES,
];

/// The rules that change objects, in the order of Gardener's plugins: they build on each other.
const MUTATING: &[&Rule] = &[
    &shoot::tolerations::tolerations_default::RULE,
    &shoot::exposure::exposureclass_scheduling::RULE,
    &shoot::hibernation::wake_up_tasks::RULE,
    &shoot::refilled_fields::RULE,
    &shoot::dns::dns_default::RULE,
    &shoot::deletion::deletion_confirmed_by::RULE,
    &shoot::dropped_fields::RULE,
    &shoot::workers::worker_update_strategy_default::RULE,
    &advice::prefix_resolves_on_every_write::RULE,
    &shoot::versions::kubernetes_version_default::RULE,
    &shoot::images::worker_architecture_default::RULE,
    &shoot::images::machine_image_default::RULE,
    &project::owner_defaulting::RULE,
    &cloud_profile::new_version_expired::RULE,
    &cloud_profile::drop_inactive_versions::RULE,
    &namespaced_cloud_profile::new_version_expired::RULE,
    &namespaced_cloud_profile::drop_inactive_versions::RULE,
];

/// All rules: first those that change objects, then those of each folder that judge.
pub static ALL: &[&Rule] = &in_order::<{ count() }>();

const fn count() -> usize {
    let (mut count, mut folder) = (0, 0);
    while folder < FOLDERS.len() {
        count += FOLDERS[folder].len();
        folder += 1;
    }
    count
}

/// Does not compile if the order of a rule that changes objects is not spelled out.
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
                !(is_conditional && rule.check.mutates()),
                "only rules that judge may have `only_if`"
            );
            if !rule.check.mutates() {
                all[next] = rule;
                next += 1;
            }
            position += 1;
        }
        folder += 1;
    }
    assert!(
        next == COUNT,
        "`MUTATING` is not in keeping with the folders"
    );
    all
}

/// The rules that a server runs: all but those about what an API server has decided before it asks one.
pub fn served() -> impl Iterator<Item = &'static Rule> {
    let is_served =
        |rule: &&Rule| rule.runs_at(EntryPoint::Mutate) || rule.runs_at(EntryPoint::Validate);
    ALL.iter().copied().filter(is_served)
}

/// The rule with this id.
#[must_use]
pub fn find(id: &str) -> Option<&'static Rule> {
    ALL.iter().copied().find(|rule| rule.id == id)
}

/// The ids of all rules and findings: what configuration may name.
#[must_use]
pub fn known_ids() -> KnownIds {
    let findings = ALL.iter().flat_map(|rule| rule.findings);
    KnownIds {
        rules: ALL.iter().map(|rule| rule.id).collect(),
        findings: findings.map(|finding| finding.id).collect(),
    }
}
