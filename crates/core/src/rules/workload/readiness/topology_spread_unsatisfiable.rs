use std::collections::BTreeSet;

use super::input::Input;
use crate::admission::rule;
use crate::workload::{CheckReport, ClusterChange, ObjectName, PodSet, Spread, ZONE};

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
    let pods = set.replicas.unwrap_or(set.pods.len() as u64).max(1);
    let skew = u64::try_from(spread.max_skew).unwrap_or_default().max(1);
    let wanted = spread.min_domains.and_then(|it| u64::try_from(it).ok()).unwrap_or(1);
    let Some(domains) = domains(input, key) else {
        if wanted > 1 {
            let why = match input.change {
                Err(why) if key == ZONE => why.to_owned(),
                Ok(_) if key == ZONE => "a worker pool has no zones".to_owned(),
                _ => "the input has no Nodes, or the change removes some".to_owned(),
            };
            report.unknown(&set.object, format!("the number of values of `{key}`: {why}"));
        }
        return;
    };
    let most = skew.saturating_mul(domains);
    if domains < wanted && pods > most {
        let message = format!(
            "requires {wanted} values of `{key}` on nodes with `minDomains`; there are {domains} after the change, so that {} of {pods} pods stay pending",
            pods - most
        );
        let fix = format!("set `minDomains: {}`, or keep a zone for each domain", domains.max(1));
        return report.error(&AFTER, &set.object, message, fix);
    }
    check_removed_zones(input, (&set.object, pods), spread, most, report);
}

/// Checks a constraint on zones during the removal of zones.
///
/// With `nodeTaintsPolicy: Ignore`, the default, a zone whose nodes are drained still counts, with no pods.
fn check_removed_zones(
    input: &Input<'_>,
    (object, pods): (&ObjectName, u64),
    spread: &Spread,
    most: u64,
    report: &mut CheckReport,
) {
    let removed = input.change.map(ClusterChange::removed_zones).unwrap_or_default();
    let counts = spread.topology_key == ZONE && spread.node_taints_policy != "Honor";
    if removed.is_empty() || !counts || pods <= most {
        return;
    }
    let zones: Vec<String> = removed.iter().map(|it| format!("`{it}`")).collect();
    let message = format!(
        "is spread over zones with `maxSkew: {}`; while the nodes of zone {} are drained, they still count, so that up to {} of {pods} pods stay pending",
        spread.max_skew,
        zones.join(", "),
        pods - most
    );
    let fix = "set `nodeTaintsPolicy: Honor` in the constraint, so that drained nodes do not count";
    report.warn(&DURING, object, message, fix);
}

/// Returns the number of values of a topology key after the change; `None` if it is unknown.
fn domains(input: &Input<'_>, key: &str) -> Option<u64> {
    if key == ZONE
        && let Ok(change) = input.change
    {
        let has_zones = change.after.pools.iter().all(|it| !it.zones.is_empty());
        return has_zones.then(|| change.after.zones().len() as u64);
    }
    let nodes = &input.workload.nodes;
    if nodes.is_empty() || input.change.is_ok_and(|it| it.removes_nodes()) {
        return None;
    }
    let values = nodes.values().filter_map(|it| it.metadata.labels.get(key));
    Some(values.collect::<BTreeSet<_>>().len() as u64)
}
