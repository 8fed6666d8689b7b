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
type Check = (&'static Rule, fn(&Input<'_>, &mut CheckReport), &'static [&'static str]);

/// The rules that concern only drains of nodes.
const OF_DRAINS: [&Rule; 5] = [
    &disruption_budget_blocks::RULE,
    &disruption_budgets_overlap::RULE,
    &pod_without_controller::RULE,
    &single_replica::RULE,
    &local_storage::RULE,
];

const CONTROLLERS: &[&str] =
    &["deployments", "statefulsets", "replicasets", "replicationcontrollers", "pods"];

const WEBHOOKS: &[&str] = &["validatingwebhookconfigurations", "mutatingwebhookconfigurations"];

/// The checks in the order of reports.
const CHECKS: [Check; 10] = [
    (&disruption_budget_blocks::RULE, disruption_budget_blocks::check, &["poddisruptionbudgets"]),
    (
        &disruption_budgets_overlap::RULE,
        disruption_budgets_overlap::check,
        &["poddisruptionbudgets", "pods"],
    ),
    (&pod_without_controller::RULE, pod_without_controller::check, &["pods"]),
    (&node_selector_unsatisfied::RULE, node_selector_unsatisfied::check, CONTROLLERS),
    (
        &volume_in_removed_zone::RULE,
        volume_in_removed_zone::check,
        &["persistentvolumes", "persistentvolumeclaims"],
    ),
    (&topology_spread_unsatisfiable::RULE, topology_spread_unsatisfiable::check, CONTROLLERS),
    (&api_removed::RULE, api_removed::check, &["metrics"]),
    (webhooks::RULE, webhooks::check, WEBHOOKS),
    (&single_replica::RULE, single_replica::check, CONTROLLERS),
    (&local_storage::RULE, local_storage::check, &["pods", "persistentvolumes"]),
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
        unread: workload.unread.clone(),
        is_empty: workload.is_empty(),
    };
    let drains_nothing = change.is_ok_and(|it| !it.may_drain);
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
        for resource in needs {
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
