// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeSet;

use super::input::Input;
use crate::admission::rule;
use crate::workload::{
    CheckReport, ClusterChange, ClusterState, NodeProfile, PodSet, Spread, Truth, ZONE,
};
use garden_gate_text::go::Selector;

rule! {
    page: include_str!("topology_spread_unsatisfiable.md"),
    id: "workload/topology-spread-unsatisfiable",
    summary: "warns about topology spread constraints that cannot be met after or during a change",
    phase: Admission,
    level: { documented: Warn, gardener: Off },
    entry_point: Plan,
    scopes: [Pod [Create]; Deployment [Update]; StatefulSet [Update]],
    findings: {
        AFTER = "workload/topology-spread-unsatisfiable": "a constraint requires more domains than there are after the change",
        DURING = "workload/topology-spread-waits": "a constraint keeps pods pending until the nodes of a removed zone are gone",
    },
    check: External,
}

pub(super) fn check(input: &Input<'_>, report: &mut CheckReport) {
    for set in input.drained() {
        let is_required = |it: &&Spread| it.when_unsatisfiable != "ScheduleAnyway";
        let mut spreads =
            set.spec.topology_spread_constraints.iter().filter(is_required).peekable();
        if spreads.peek().is_none() {
            continue;
        }
        let before = report.problems.len() + report.unknown.len();
        for spread in spreads {
            check_spread(input, set, spread, report);
        }
        if report.problems.len() + report.unknown.len() == before {
            report.pass();
        }
    }
}

fn check_spread(input: &Input<'_>, set: &PodSet<'_>, spread: &Spread, report: &mut CheckReport) {
    let key = &spread.topology_key;
    let Some(selector) = &spread.label_selector else {
        // It counts no pods.
        return;
    };
    let pods = set.replicas.unwrap_or(set.pods.len() as u64).max(1);
    let skew = u64::try_from(spread.max_skew).unwrap_or_default().max(1);
    let wanted = spread.min_domains.and_then(|it| u64::try_from(it).ok()).unwrap_or(1);
    let Some(Domains { before, after, removed_zones }) = domains(input, set, spread) else {
        if wanted > 1 {
            let why = match input.change {
                Err(why) if key == ZONE => why.to_owned(),
                Ok(_) if key == ZONE => {
                    "a worker pool has no zones, or may have labels that the Shoot does not have"
                        .to_owned()
                }
                _ => "the input has no Nodes, or the change replaces some".to_owned(),
            };
            report.unknown(&set.object, format!("the number of values of `{key}`: {why}"));
        }
        return;
    };
    let most = skew.saturating_mul(after);
    let counts_zone = key == ZONE && spread.node_taints_policy != "Honor";
    if pods <= most || after >= wanted && (removed_zones.is_empty() || !counts_zone) {
        return;
    }
    let compiled = Selector::compile(&selector.match_labels, selector.expressions());
    if !compiled.is_ok_and(|it| it.matches(&set.metadata.labels)) {
        let why = "whether its pods stay pending: the constraint counts other pods";
        return report.unknown(&set.object, why);
    }
    let pending = pods - most;
    if after < wanted {
        let message = format!(
            "requires {wanted} values of `{key}` on nodes with `minDomains`; there are {after} after the change, so that {pending} of {pods} pods stay pending"
        );
        let fix = format!("set `minDomains: {}`, or keep a zone for each domain", after.max(1));
        return if after < before {
            report.error(&AFTER, &set.object, message, fix);
        } else {
            // The pods are pending already.
            report.warn(&AFTER, &set.object, message, fix);
        };
    }
    let message = format!(
        "is spread over zones with `maxSkew: {}`; while the nodes of zone {} are drained, they still count, so that up to {pending} of {pods} pods stay pending",
        spread.max_skew,
        removed_zones.join(", "),
    );
    let fix = "set `nodeTaintsPolicy: Honor` in the constraint, so that drained nodes do not count";
    report.warn(&DURING, &set.object, message, fix);
}

/// The values of a topology key on the nodes that a pod may use.
struct Domains {
    /// The number before the change.
    before: u64,
    /// The number after the change.
    after: u64,
    /// The zones, quoted, that are only there before the change.
    ///
    /// With `nodeTaintsPolicy: Ignore`, the default, a zone whose nodes are drained still counts, with no pods.
    removed_zones: Vec<String>,
}

/// Returns the domains of a constraint; `None` if they are unknown.
fn domains(input: &Input<'_>, set: &PodSet<'_>, spread: &Spread) -> Option<Domains> {
    let key = &spread.topology_key;
    if key == ZONE
        && let Ok(change) = input.change
    {
        let keys = change.label_keys();
        let zones = |state| zones(state, set, spread, &keys);
        let after = zones(&change.after)?;
        let before = change.before.as_ref().map_or(Some(BTreeSet::new()), zones)?;
        let removed = before.difference(&after).map(|it| format!("`{it}`"));
        return Some(Domains {
            before: before.len() as u64,
            after: after.len() as u64,
            removed_zones: removed.collect(),
        });
    }
    let nodes = &input.workload.nodes;
    let is_selective = set.spec.node_requirements().is_some();
    if nodes.is_empty() || is_selective || input.change.is_ok_and(ClusterChange::changes_nodes) {
        return None;
    }
    let values = nodes.values().filter_map(|it| it.metadata.labels.get(key));
    let count = values.collect::<BTreeSet<_>>().len() as u64;
    Some(Domains { before: count, after: count, removed_zones: Vec::new() })
}

/// Returns the zones of nodes that a pod may use; `None` if they are unknown.
fn zones<'a>(
    state: &'a ClusterState,
    set: &PodSet<'_>,
    spread: &Spread,
    keys: &BTreeSet<&str>,
) -> Option<BTreeSet<&'a str>> {
    let requirements =
        set.spec.node_requirements().filter(|_| spread.node_affinity_policy != "Ignore");
    let mut zones = BTreeSet::new();
    for pool in state.pools_with_nodes() {
        if pool.zones.is_empty() {
            return None;
        }
        for (zone, profile) in pool.zones.iter().zip(NodeProfile::of_pool(pool, &state.region)) {
            let truth =
                requirements.map_or(Truth::Yes, |it| it.met_by(|key| profile.value(key, keys)));
            match truth {
                Truth::Yes => _ = zones.insert(zone.as_str()),
                Truth::No => {}
                Truth::Unknown => return None,
            }
        }
    }
    Some(zones)
}
