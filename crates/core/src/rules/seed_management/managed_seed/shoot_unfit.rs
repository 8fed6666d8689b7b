// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeSet;

use serde_json::Value;

use crate::admission::{Change, Context, FieldPath, Findings, Operation, rule};
use crate::rules::seed_management::completed::{Completed, at};
use crate::rules::seed_management::seed_template::{IN_USE, judge_seed};
use crate::rules::seed_management::shoot_base::{base, shoot_name};
use crate::rules::shared::lists::list;
use crate::rules::shared::validation::{MISSING, Part};
use garden_gate_model::api::{GARDEN_NAMESPACE, Kind, Named, SeedBase, ShootUse};

rule! {
    page: include_str!("shoot_unfit.md"),
    id: "managedseed/shoot-unfit",
    summary: "rejects a ManagedSeed whose Shoot cannot be a Seed, or not the configured one",
    phase: Admission,
    level: Deny,
    entry_point: Review,
    scopes: [ManagedSeed [Create, Update]],
    reads: [ManagedSeed, Secret, Shoot],
    findings: {
        MISSING,
        NAMESPACE = "managedseed/namespace": "a ManagedSeed is not in namespace `garden`",
        UNFIT = "managedseed/shoot-unfit": "the Shoot of a ManagedSeed cannot be a Seed",
        TAKEN = "managedseed/shoot-taken": "another ManagedSeed has the same Shoot",
        DIFFERENT = "managedseed/seed-differs-from-shoot": "the Seed of a ManagedSeed differs from its Shoot",
    },
    check: Judge(check),
}

const SEED: &str = "spec.gardenlet.config.seedConfig";

fn check(context: &Context<'_>, _: Change<'_, Named>, findings: &mut Findings) {
    if context.request.namespace != GARDEN_NAMESPACE {
        let field = FieldPath::new("metadata.namespace");
        let message = format!("a ManagedSeed can only be in namespace `{GARDEN_NAMESPACE}`");
        let help = format!("use namespace `{GARDEN_NAMESPACE}`");
        findings.invalid(&NAMESPACE, field, message).help(help);
        return;
    }
    // The rule about the Shoot reports a missing one.
    let (Ok(Some(shoot)), Some(objects)) = (base(context), Completed::of(context)) else {
        return;
    };
    if shoot_name(context).is_empty() {
        return;
    }
    let Some(base) = shoot.seed_base.as_deref() else {
        return;
    };
    check_shoot(shoot, base, findings);
    check_others(context, shoot, findings);
    let path = ["spec", "gardenlet", "config", "seedConfig"];
    let [new, old] = objects.at(&path);
    let is_new = context.request.operation == Operation::Create;
    if new.is_null() || !is_new && old.is_null() {
        let message = match new {
            Value::Null => "the configuration has no Seed",
            _ => "the configuration had no Seed, so that it cannot be updated",
        };
        let field = FieldPath::new(SEED);
        findings.required(&MISSING, field, message).help("set `seedConfig`");
        return;
    }
    objects.parts(|new, _| {
        if let Some(spec) = new.at(&["spec", "gardenlet", "config", "seedConfig", "spec"]) {
            check_seed(&spec, base, findings);
        }
    });
    check_zones([new, old], base, findings);
    if !is_new {
        let name = context.request.name.as_str();
        judge_seed(context, (name, [new, old]), IN_USE, &FieldPath::new(SEED), findings);
    }
}

fn check_shoot(shoot: &ShootUse, base: &SeedBase, findings: &mut Findings) {
    let name = &shoot.name.name;
    let mut refuse = |why: &str, help: &'static str| {
        let field = FieldPath::new("spec.shoot.name");
        let message = format!("Shoot `{name}` {why}");
        findings.invalid(&UNFIT, field, message).value(&**name).help(help);
    };
    let is_empty = base.domain.as_deref().is_none_or(str::is_empty);
    if is_empty && base.is_stored {
        refuse("has no domain", "name a Shoot with `spec.dns.domain`");
    }
    if shoot.has_ingress {
        refuse(
            "has the add-on `nginxIngress`, and a Seed its own ingress controller",
            "disable it",
        );
    }
    if !base.settings.has_autoscaler {
        refuse(
            "has no vertical pod autoscaler, which a Seed needs",
            "set `spec.kubernetes.verticalPodAutoscaler.enabled` of the Shoot",
        );
    }
    if base.is_workerless {
        refuse("has no workers", "name a Shoot with workers");
    }
}

fn check_others<'a>(context: &Context<'a>, shoot: &'a ShootUse, findings: &mut Findings) {
    let [namespace, name] = [&shoot.name.namespace, &shoot.name.name];
    let field = FieldPath::new("spec.shoot.name");
    let seeds = context.known_managed_seeds_of(namespace, name);
    let names = seeds.map(|it| it.metadata.name.as_str());
    let others: Vec<&str> = names.filter(|it| *it != context.request.name).collect();
    if others.is_empty() && context.absence_is_known(Kind::ManagedSeed) {
        let what = format_args!("which ManagedSeeds have Shoot `{name}`");
        findings.known(context.managed_seeds_of(namespace, name), &field, what);
    }
    if !others.is_empty() {
        let message = format!("Shoot `{name}` is already that of ManagedSeed {}", list(&others));
        findings.invalid(&TAKEN, field, message).value(&**name).help("name another Shoot");
    }
}

/// Mirrors validateSeedSpec in `plugin/pkg/managedseed/validator/admission.go`.
fn check_seed(spec: &Part<'_>, base: &SeedBase, findings: &mut Findings) {
    let mut equal = |path: [&'static str; 2], expected: Option<&str>| {
        let written = spec.text_at(&path);
        if let Some(expected) = expected.filter(|it| *it != written) {
            let field = spec.path().child(path[0]).child(path[1]);
            let message = format!("`{written}` differs from the Shoot, which has `{expected}`");
            findings
                .invalid(&DIFFERENT, field, message)
                .value(written)
                .help(format!("write `{expected}`, or leave it out"));
        }
    };
    let domain = base.domain.as_ref().map(|it| format!("ingress.{it}"));
    equal(["ingress", "domain"], domain.as_deref());
    for (name, range) in ["nodes", "pods", "services"].into_iter().zip(&base.networks) {
        equal(["networks", name], range.as_deref());
    }
    equal(["provider", "type"], Some(&base.provider));
    equal(["provider", "region"], Some(&base.region));
    let is_on = |name| spec.flag_at(&["settings", name, "enabled"]) == Some(true);
    let field = |name| spec.path().child("settings").child(name).child("enabled");
    if is_on("verticalPodAutoscaler") {
        let message = "the Seed uses the vertical pod autoscaler of the Shoot";
        let field = field("verticalPodAutoscaler");
        findings.invalid(&DIFFERENT, field, message).value(true).help("write `false`");
    }
    if is_on("topologyAwareRouting") && base.settings.lacks_topology_hints {
        let message = "the Shoot disables the feature gate `TopologyAwareHints`";
        let field = field("topologyAwareRouting");
        findings.invalid(&DIFFERENT, field, message).value(true).help("write `false`");
    }
}

/// Checks the zones, of an update only the added ones.
fn check_zones(seeds: [&Value; 2], base: &SeedBase, findings: &mut Findings) {
    let [new, old] = seeds.map(|seed| {
        let zones = at(seed, &["spec", "provider", "zones"]).as_array().into_iter().flatten();
        zones.filter_map(Value::as_str).collect::<BTreeSet<_>>()
    });
    let unknown: Vec<&str> =
        new.difference(&old).filter(|it| !base.zones.contains(**it)).copied().collect();
    if !unknown.is_empty() {
        let message = format!("no worker pool of the Shoot is in zone {}", list(&unknown));
        let field = FieldPath::new(SEED).descendant("spec.provider.zones");
        findings
            .invalid(&DIFFERENT, field, message)
            .help(format!("use zones of the Shoot: {}", list(&base.zones)));
    }
}
