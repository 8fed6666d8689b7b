// SPDX-License-Identifier: Apache-2.0
//! Checks of the workload of a Shoot cluster before a change.
//!
//! Each rule evaluates a whole snapshot. A fact that the snapshot lacks is reported as unknown and never counts as passed.

mod api_removed;
mod disruption_budget_blocks;
mod disruption_budgets_overlap;
mod input;
mod local_storage;
mod node_selector_unsatisfied;
mod pod_without_controller;
mod single_replica;
#[cfg(test)]
mod tests;
mod topology_spread_unsatisfiable;
mod volume_in_removed_zone;
mod webhooks;

use crate::admission::Rule;
use crate::config::{Config, Level};
use crate::workload::{CheckReport, ClusterChange, Readiness, Workload};

use input::Input;

pub(crate) const RULES: &[&Rule] = &[
    &disruption_budget_blocks::RULE,
    &disruption_budgets_overlap::RULE,
    &pod_without_controller::RULE,
    &local_storage::RULE,
    &single_replica::RULE,
    &topology_spread_unsatisfiable::RULE,
    &node_selector_unsatisfied::RULE,
    &volume_in_removed_zone::RULE,
    &api_removed::RULE,
];

/// A rule with its check, and the resources that it needs.
type Check = (&'static Rule, fn(&Input<'_>, &mut CheckReport), Needs);

/// The resources that a check needs, in groups.
type Needs = &'static [&'static [&'static str]];

/// The rules that concern only drains of nodes.
const OF_DRAINS: [&Rule; 5] = [
    &disruption_budget_blocks::RULE,
    &disruption_budgets_overlap::RULE,
    &pod_without_controller::RULE,
    &single_replica::RULE,
    &local_storage::RULE,
];

/// The pods, and the controllers that create or own them.
const PODS: &[&str] = &[
    "pods",
    "deployments",
    "statefulsets",
    "replicasets",
    "replicationcontrollers",
    "daemonsets",
    "jobs",
    "cronjobs",
];
const BUDGETS: &[&str] = &["poddisruptionbudgets"];
const NODES: &[&str] = &["nodes"];
const VOLUMES: &[&str] = &["persistentvolumes"];
const CLAIMS: &[&str] = &["persistentvolumeclaims"];
const WEBHOOKS: &[&str] = &["validatingwebhookconfigurations", "mutatingwebhookconfigurations"];
const METRICS: &[&str] = &["metrics"];

/// The checks in the order of reports.
const CHECKS: [Check; 10] = [
    (&disruption_budget_blocks::RULE, disruption_budget_blocks::check, &[BUDGETS, PODS]),
    (&disruption_budgets_overlap::RULE, disruption_budgets_overlap::check, &[BUDGETS, PODS]),
    (&pod_without_controller::RULE, pod_without_controller::check, &[&["pods"]]),
    (&node_selector_unsatisfied::RULE, node_selector_unsatisfied::check, &[PODS, NODES]),
    (&volume_in_removed_zone::RULE, volume_in_removed_zone::check, &[VOLUMES, CLAIMS, PODS]),
    (&topology_spread_unsatisfiable::RULE, topology_spread_unsatisfiable::check, &[PODS, NODES]),
    (
        &api_removed::RULE,
        api_removed::check,
        &[PODS, BUDGETS, NODES, VOLUMES, CLAIMS, WEBHOOKS, METRICS],
    ),
    (webhooks::RULE, webhooks::check, &[WEBHOOKS]),
    (&single_replica::RULE, single_replica::check, &[PODS]),
    (&local_storage::RULE, local_storage::check, &[PODS, VOLUMES]),
];

/// Checks a workload before a change of its cluster.
///
/// Without the change, the reason why it is unknown; checks that need it report that.
pub fn readiness(
    workload: &Workload,
    change: Result<&ClusterChange, &str>,
    config: &Config,
) -> Readiness {
    let input = Input::new(workload, change);
    let mut readiness = Readiness {
        checks: Vec::new(),
        disabled: Vec::new(),
        not_needed: Vec::new(),
        unread: workload.all_unread(),
    };
    let drains_nothing = change.is_ok_and(|it| !it.may_drain());
    for (rule, check, needs) in CHECKS {
        if !rule.is_on(config) {
            readiness.disabled.push(rule);
            continue;
        }
        if drains_nothing && OF_DRAINS.iter().any(|it| it.id == rule.id) {
            readiness.not_needed.push(rule);
            continue;
        }
        let mut report = CheckReport::new(rule);
        for resource in needs.iter().copied().flatten() {
            if let Some(why) = workload.unlisted.get(*resource) {
                report.unknown_fact(format!("{resource} of the cluster: {why}"));
            }
        }
        check(&input, &mut report);
        report
            .problems
            .retain(|problem| config.level(rule.id, problem.finding.id, rule.levels) != Level::Off);
        readiness.checks.push(report);
    }
    readiness
}
