// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeSet;

use crate::admission::{Change, Context, FieldPath, Findings, Help, Kind, rule};
use crate::rules::shared::validation::Part;
use garden_gate_model::api::{ManagedSeed, Shoot};

rule! {
    page: include_str!("managed_seed.md"),
    id: "shoot/managed-seed",
    summary: "rejects deletion and incompatible changes of a Shoot that is a managed seed",
    phase: Admission,
    level: Deny,
    entry_point: Plugin,
    scopes: [Shoot [Update, Delete]],
    reads: [ManagedSeed],
    findings: {
        DELETED = "shoot/managed-seed-deleted": "a Shoot that is a managed seed is deleted",
        NODES = "shoot/managed-seed-nodes": "the node network of a managed seed is changed",
        ZONE = "shoot/managed-seed-zone": "the Shoot loses a zone of its seed",
        INGRESS = "shoot/managed-seed-ingress": "a Shoot that is a managed seed enables the ingress add-on",
        AUTOSCALER = "shoot/managed-seed-autoscaler": "a Shoot that is a managed seed has no vertical pod autoscaler",
        AMBIGUOUS = "shoot/managed-seed-ambiguous": "the managed seed of the Shoot cannot be determined",
    },
    fixes: Suggestion,
    check: Judge(check),
}

fn check(context: &Context<'_>, shoot: Change<'_, Shoot>, findings: &mut Findings) {
    let Some(old) = shoot.old.filter(|_| context.absence_is_known(Kind::ManagedSeed)) else {
        return;
    };
    let namespace = &context.request.namespace;
    let seeds = context.managed_seeds_of(namespace, &old.metadata.name);
    let what = format_args!("whether the Shoot is a seed");
    let Some(seeds) = findings.known(seeds, &FieldPath::new("metadata.name"), what) else {
        return;
    };
    let seed = match &seeds[..] {
        [] => return,
        [seed] => seed,
        _ => return add_ambiguous("several ManagedSeeds name the Shoot", findings),
    };
    let name = &seed.metadata.name;
    let Some(new) = shoot.new else {
        let message = format!("ManagedSeed `{name}` makes the Shoot a seed");
        let field = FieldPath::new("metadata.name");
        findings.forbid(&DELETED, field, message).help("delete the ManagedSeed first");
        return;
    };
    check_settings(&Part::whole(context.new_opened()), findings);
    check_nodes(new, old, findings);
    match seed.zones() {
        Some(zones) => check_zones(new, old, seed, zones, findings),
        None => {
            let message = format!("the configuration of ManagedSeed `{name}` has no Seed");
            add_ambiguous(&message, findings);
        }
    }
}

fn add_ambiguous(message: &str, findings: &mut Findings) {
    let field = FieldPath::new("metadata.name");
    findings.forbid(&AMBIGUOUS, field, message).help("correct the ManagedSeed first");
}

fn check_settings(shoot: &Part<'_>, findings: &mut Findings) {
    let is_on = |path: &[&'static str]| shoot.flag_at(path) == Some(true);
    if is_on(&["spec", "addons", "nginxIngress", "enabled"]) {
        let field = FieldPath::new("spec.addons.nginxIngress.enabled");
        let message = "the Shoot is a seed, which has an ingress controller of its own";
        findings.invalid(&INGRESS, field, message).value(true).help("turn the add-on off");
    }
    if !is_on(&["spec", "kubernetes", "verticalPodAutoscaler", "enabled"]) {
        let field = FieldPath::new("spec.kubernetes.verticalPodAutoscaler.enabled");
        let message = "the Shoot is a seed, which needs the vertical pod autoscaler";
        findings.invalid(&AUTOSCALER, field, message).value(false).help("turn it on");
    }
}

fn check_nodes(new: &Shoot, old: &Shoot, findings: &mut Findings) {
    let [now, before] = [new, old].map(|it| it.spec.networking.as_ref()?.nodes.as_deref());
    if let Some(before) = before.filter(|_| now != before) {
        let field = FieldPath::new("spec.networking.nodes");
        let message = format!("the Shoot is a seed, whose nodes stay in `{before}`");
        findings
            .invalid(&NODES, field, message)
            .value(now)
            .help(Help::restore("leave it as it is"));
    }
}

fn check_zones(
    new: &Shoot,
    old: &Shoot,
    seed: &ManagedSeed,
    zones: &[String],
    findings: &mut Findings,
) {
    let [kept, before] = [new, old].map(|shoot| {
        let pools = shoot.spec.provider.workers.iter();
        pools.flat_map(|it| &it.zones).collect::<BTreeSet<_>>()
    });
    for zone in before.difference(&kept).filter(|it| zones.contains(it)) {
        // The field name in Gardener's message.
        let field = FieldPath::new("spec.providers.workers");
        let place = FieldPath::new("spec.provider.workers");
        let name = &seed.metadata.name;
        let message =
            format!("the Shoot leaves zone `{zone}`, which is one of ManagedSeed `{name}`");
        findings
            .forbid(&ZONE, field, message)
            .value(zone.as_str())
            .at(&place)
            .help("keep a pool in it, or remove the zone from the ManagedSeed first");
    }
}
