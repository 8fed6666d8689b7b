use std::collections::BTreeSet;

use super::input::Input;
use crate::admission::rule;
use crate::workload::{CheckReport, Volume, is_zone_key};

rule! {
    page: include_str!("volume_in_removed_zone.md"),
    id: "workload/volume-in-removed-zone",
    summary: "warns about volumes in a zone that no worker pool has after a change",
    phase: Admission,
    level: { documented: Warn, gardener: Off },
    entry_point: Plan,
    scopes: [Pod [Create]; PersistentVolumeClaim [Update]],
    findings: { ZONE = "workload/volume-in-removed-zone": "a volume can only be attached in zones that are removed" },
    check: External,
}

pub(super) fn check(input: &Input<'_>, report: &mut CheckReport) {
    let workload = input.workload;
    if workload.volumes.is_empty() && workload.claims.is_empty() {
        return;
    }
    let change = match input.change {
        Ok(change) => change,
        Err(why) => return report.unknown_fact(format!("the removed zones: {why}")),
    };
    let removed = change.removed_zones();
    let before = change.before.as_ref().unwrap_or(&change.after);
    for (name, volume) in &workload.volumes {
        let zones = zones(volume);
        let is_lost = !zones.is_empty() && zones.iter().all(|it| before.is_zone(it, &removed));
        if !is_lost {
            report.pass();
            continue;
        }
        let claim = volume.spec.claim_ref.as_ref().map_or_else(String::new, |claim| {
            format!(" of PersistentVolumeClaim {}/{}", claim.namespace, claim.name)
        });
        let zones: Vec<String> = zones.iter().map(|it| format!("`{it}`")).collect();
        let message = format!(
            "can only be attached in zone {}, which no worker pool has after the change; the pods{claim} stay pending",
            zones.join(", ")
        );
        let fix =
            "keep a pool in the zone, or restore a snapshot of the volume in another zone first";
        report.error(&ZONE, name, message, fix);
    }
    if removed.is_empty() {
        return;
    }
    let known: BTreeSet<&str> = workload.volumes.keys().map(|it| it.name.as_str()).collect();
    for (name, claim) in &workload.claims {
        let volume = claim.spec.volume_name.as_str();
        if volume.is_empty() {
            report.unknown(name, "the zone of its volume, whose name is not in the manifest");
        } else if !known.contains(volume) {
            report.unknown(
                name,
                format!("the zone of its volume `{volume}`, which is not in the input"),
            );
        }
    }
}

/// Returns the zones in which a volume can be attached; empty if it can be attached anywhere.
fn zones(volume: &Volume) -> BTreeSet<&str> {
    let mut zones = BTreeSet::new();
    for term in &volume.spec.node_affinity.required.node_selector_terms {
        let mut of_zones =
            term.match_expressions.iter().filter(|it| it.operator == "In" && is_zone_key(&it.key));
        let Some(expression) = of_zones.next() else {
            // Terms are alternatives.
            return BTreeSet::new();
        };
        zones.extend(expression.values.iter().map(String::as_str));
    }
    zones
}
