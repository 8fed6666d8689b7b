// SPDX-License-Identifier: Apache-2.0
use std::collections::{BTreeMap, BTreeSet};
use std::slice;

use super::input::Input;
use crate::admission::rule;
use crate::rules::shared::lists::first;
use crate::workload::{CheckReport, LabelValue, NodeProfile, POOL, Truth};

rule! {
    page: include_str!("node_selector_unsatisfied.md"),
    id: "workload/node-selector-unsatisfied",
    summary: "warns about node selectors that no worker pool satisfies after a change",
    phase: Admission,
    level: { documented: Warn, gardener: Off },
    entry_point: Plan,
    scopes: [Pod [Create]; Deployment [Update]; StatefulSet [Update]],
    findings: {
        REMOVED = "workload/node-selector-unsatisfied": "only nodes that the change removes satisfy the node selector of pods",
        NEVER = "workload/node-selector-of-no-pool": "no worker pool satisfies the node selector of pods",
    },
    check: External,
}

/// The label with the name of a node, which its successor does not have.
const HOSTNAME: &str = "kubernetes.io/hostname";
/// Maximum number of labels that are compared.
const COMPARISONS: usize = 10_000_000;
/// Maximum number of pools or labels in a message.
const NAMED: usize = 3;

pub(super) fn check(input: &Input<'_>, report: &mut CheckReport) {
    let with = input.drained().filter_map(|it| Some((it, it.spec.node_requirements()?)));
    let with: Vec<_> = with.collect();
    if with.is_empty() {
        return;
    }
    let change = match input.change {
        Ok(change) => change,
        Err(why) => {
            return report.unknown_fact(format!("the worker pools after the change: {why}"));
        }
    };
    if change.before.is_some() && !change.changes_nodes() {
        report.passed += with.len();
        return;
    }
    let after = change.after.profiles();
    let before = change.before.as_ref().map(|it| it.profiles()).unwrap_or_default();
    let keys = change.label_keys();
    let nodes = labels_by_pool(input, &change.drained);
    let mut left = COMPARISONS;
    for (set, requirements) in with {
        let profiles =
            before.len() + after.len() + nodes.values().map(BTreeSet::len).sum::<usize>();
        let Some(rest) = left.checked_sub(profiles.saturating_mul(requirements.count())) else {
            return report
                .unknown_fact("node selectors of all pods: they have too many labels to compare");
        };
        left = rest;
        let met_by = |profile: &NodeProfile| {
            let by_shoot = requirements.met_by(|key| profile.value(key, &keys));
            if by_shoot != Truth::Unknown {
                return by_shoot;
            }
            // A node that stays shows what other components add.
            let nodes = nodes.get(profile.pool()).into_iter().flatten();
            let is_met = nodes.filter(|it| profile.may_be_of(it)).any(|labels| {
                let value = |key: &str| match profile.value(key, &keys) {
                    LabelValue::Unknown if key != HOSTNAME => of_node(labels, key),
                    known => known,
                };
                requirements.met_by(value) == Truth::Yes
            });
            if is_met { Truth::Yes } else { Truth::Unknown }
        };
        let best = |profiles: &BTreeSet<NodeProfile>| {
            profiles.iter().map(met_by).max().unwrap_or(Truth::No)
        };
        match (best(&before), best(&after)) {
            (_, Truth::Yes) => report.pass(),
            (Truth::Yes, Truth::No) => {
                let pools = before.iter().filter(|it| met_by(it) == Truth::Yes);
                let pools: BTreeSet<&str> = pools.map(NodeProfile::pool).collect();
                let message = format!(
                    "runs on nodes of pool {} only, and stays pending after the change, which removes them or their labels",
                    first(&pools, NAMED)
                );
                let fix = format!(
                    "add the required labels ({}) to another pool, or change the node selector",
                    first(requirements.keys(), NAMED)
                );
                report.error(&REMOVED, &set.object, message, fix);
            }
            (Truth::No, Truth::No) => {
                let message = format!(
                    "requires labels ({}) that no worker pool satisfies, neither before nor after the change",
                    first(requirements.keys(), NAMED)
                );
                let fix = "add the labels to a worker pool, or change the node selector";
                report.warn(&NEVER, &set.object, message, fix);
            }
            _ => report.unknown(
                &set.object,
                format!(
                    "whether nodes after the change satisfy its node selector ({}), since the Shoot does not have all of the labels; add Nodes to the input",
                    first(requirements.keys(), NAMED)
                ),
            ),
        }
    }
}

/// Returns the distinct labels of the nodes of each pool that is not drained.
fn labels_by_pool<'a>(
    input: &Input<'a>,
    drained: &BTreeSet<String>,
) -> BTreeMap<&'a str, BTreeSet<&'a BTreeMap<String, String>>> {
    let mut pools: BTreeMap<&str, BTreeSet<_>> = BTreeMap::new();
    for node in input.workload.nodes.values() {
        let labels = &node.metadata.labels;
        if let Some(pool) = labels.get(POOL).filter(|it| !drained.contains(*it)) {
            pools.entry(pool).or_default().insert(labels);
        }
    }
    pools
}

fn of_node<'a>(labels: &'a BTreeMap<String, String>, key: &str) -> LabelValue<'a> {
    labels.get(key).map_or(LabelValue::Absent, |it| LabelValue::Is(slice::from_ref(it)))
}
