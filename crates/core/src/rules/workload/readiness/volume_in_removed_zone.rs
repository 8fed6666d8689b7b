// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeSet;

use super::input::Input;
use crate::admission::rule;
use crate::workload::{CheckReport, ObjectName, PodSet, Volume, is_zone_key};

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
    let wanted = claims_of_pods(input);
    if workload.volumes.is_empty() && workload.claims.is_empty() && wanted.is_empty() {
        return;
    }
    let change = match input.change {
        Ok(change) => change,
        Err(why) => return report.unknown_fact(format!("the removed zones: {why}")),
    };
    let removed = change.removed_zones();
    let after = change.after.zones();
    for (name, volume) in &workload.volumes {
        let zones = zones(volume);
        let is_in = |known| zones.iter().any(|it| change.after.is_zone(it, known));
        if volume.is_unused() || !is_in(&removed) || is_in(&after) {
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
    for (set, claim) in wanted {
        let why =
            format!("the zone of its PersistentVolumeClaim `{claim}`, which is not in the input");
        report.unknown(&set.object, why);
    }
}

/// Returns the claims that pods use and that the input lacks, one for each set of pods.
fn claims_of_pods<'a>(input: &'a Input<'_>) -> Vec<(&'a PodSet<'a>, &'a str)> {
    let claims = &input.workload.claims;
    let lacks = |namespace: &str, name: &str| {
        let (kind, name) = ("PersistentVolumeClaim".to_owned(), name.to_owned());
        !claims.contains_key(&ObjectName { kind, namespace: namespace.to_owned(), name })
    };
    let mut missing = Vec::new();
    for set in input.drained() {
        let namespace = set.object.namespace.as_str();
        let specs = set.pods.iter().map(|it| &it.spec);
        let specs = specs.chain(set.pods.is_empty().then_some(set.spec));
        let volumes = specs.flat_map(|it| &it.volumes);
        let named = volumes.filter_map(|it| it.persistent_volume_claim.as_ref());
        let named = named.map(|it| it.claim_name.as_str()).find(|it| lacks(namespace, it));
        let controller = input.workload.controllers.get(&set.object);
        let templates = controller.into_iter().flat_map(|it| &it.spec.volume_claim_templates);
        let template = templates
            .map(|it| it.metadata.name.as_str())
            .find(|template| lacks(namespace, &format!("{template}-{}-0", set.object.name)));
        missing.extend(named.or(template).map(|claim| (set, claim)));
    }
    missing
}

/// Returns the zones in which a volume can be attached; empty if it can be attached anywhere.
fn zones(volume: &Volume) -> BTreeSet<&str> {
    let mut zones = BTreeSet::new();
    for term in &volume.spec.node_affinity.required.node_selector_terms {
        let of_zones =
            term.match_expressions.iter().filter(|it| it.operator == "In" && is_zone_key(&it.key));
        let values = of_zones.map(|it| it.values.iter().map(String::as_str).collect());
        let Some(common) = values.reduce(|all: BTreeSet<&str>, it| &all & &it) else {
            // Terms are alternatives.
            return BTreeSet::new();
        };
        zones.extend(common);
    }
    if volume.spec.node_affinity.required.node_selector_terms.is_empty() {
        let labels = volume.metadata.labels.iter().filter(|(key, _)| is_zone_key(key));
        // Old volumes of several zones have all of them in the label.
        zones.extend(labels.flat_map(|(_, value)| value.split("__")));
    }
    zones
}
