// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Change, Context, Findings, rule};
use crate::rules::shared::validation::{
    Facts, MALFORMED, MISSING, OUT_OF_RANGE, Part, REPEATED, Section, TOO_LONG, UNFITTING,
    UNSUPPORTED, check as check_form, check_amounts, check_annotations, check_cpu_and_memory,
    check_pod_tolerations, report_repeated,
};
use garden_gate_model::api::kubernetes::autoscaler_gates;
use garden_gate_model::api::{GardenerVersion, Seed};

rule! {
    page: include_str!("settings_form.md"),
    id: "seed/settings-form",
    summary: "rejects invalid settings of a Seed",
    phase: Static,
    level: Deny,
    entry_point: Review,
    scopes: [Seed [Create, Update]],
    findings: {
        MALFORMED, MISSING, OUT_OF_RANGE, REPEATED, TOO_LONG, UNFITTING, UNSUPPORTED,
        ZONE = "seed/zone-unknown": "a setting names a zone that the Seed does not have",
        GATE = "seed/feature-gate-unknown": "the vertical pod autoscaler does not have the feature gate",
    },
    fixes: Safe,
    check: Judge(check),
}

const SECTION: Section =
    Section { kind: "Seed", at: &["spec", "settings"], except: &["PodToleration"] };

fn check(context: &Context<'_>, _: Change<'_, Seed>, findings: &mut Findings) {
    let seed = Part::whole(context.new_opened());
    let Some(settings) = seed.at(SECTION.at) else {
        return;
    };
    check_form(SECTION, context.new_opened(), Facts::without_shoot(context), findings);
    let zones = seed.texts_at(&["spec", "provider", "zones"]);
    let zones: Vec<String> = zones.into_iter().map(|(_, zone)| zone).collect();
    check_reservation(&settings, findings);
    if let Some(balancers) = settings.at(&["loadBalancerServices"]) {
        check_balancers(&balancers, &zones, findings);
    }
    check_zones(&settings, &zones, findings);
    if let Some(autoscaler) = settings.at(&["verticalPodAutoscaler"]) {
        check_autoscaler(&autoscaler, context.config.gardener_version, findings);
    }
}

fn check_reservation(settings: &Part<'_>, findings: &mut Findings) {
    for config in settings.items_at(&["excessCapacityReservation", "configs"]) {
        if let Some(resources) = config.at(&["resources"]) {
            check_amounts(&resources, findings);
        }
        if let Some(tolerations) = config.at(&["tolerations"]) {
            check_pod_tolerations(&tolerations, findings);
        }
    }
}

fn check_balancers(balancers: &Part<'_>, zones: &[String], findings: &mut Findings) {
    let path = balancers.path();
    check_annotations(balancers, path.child("annotations"), findings);
    let by_zone = balancers.items_at(&["zones"]);
    if zones.len() <= 1 && !by_zone.is_empty() {
        let message = "load balancers are set by zone, and the Seed has not several zones";
        let help = "remove it, or list the zones in `spec.provider.zones`";
        let field = path.child("zones");
        findings.forbid(&UNFITTING, field, message).help(help);
    }
    let mut known = Vec::new();
    for zone in &by_zone {
        let name = zone.text_at(&["name"]);
        let field = || zone.path().child("name");
        if !zones.contains(&name) {
            let message = format!("the Seed has no zone `{name}`");
            let help = match zones {
                [] => "list its zones in `spec.provider.zones`".to_owned(),
                _ => format!("use one of {}", zones.join(", ")),
            };
            findings.not_found(&ZONE, field(), message).help(help);
        }
        if known.contains(&name) {
            report_repeated(format_args!("zone `{name}`"), field(), findings);
        }
        known.push(name);
        check_annotations(zone, zone.path().child("annotations"), findings);
    }
}

fn check_zones(settings: &Part<'_>, zones: &[String], findings: &mut Findings) {
    let mut forbid = |part: &Part<'_>, message: &str| {
        let help = "remove it, or list the zones in `spec.provider.zones`";
        let field = part.path().clone();
        findings.forbid(&UNFITTING, field, message).help(help);
    };
    if let Some(selection) = settings.at(&["zoneSelection"])
        && zones.is_empty()
    {
        forbid(&selection, "zones are chosen, and the Seed lists none");
    }
    if let Some(routing) = settings.at(&["topologyAwareRouting", "enabled"])
        && routing.flag_at(&[]) == Some(true)
        && zones.len() <= 1
    {
        let message = "traffic can stay in its zone only where the Seed has several";
        forbid(&routing, message);
    }
}

fn check_autoscaler(autoscaler: &Part<'_>, gardener: GardenerVersion, findings: &mut Findings) {
    if let Some(most) = autoscaler.at(&["maxAllowed"]) {
        check_cpu_and_memory(&most, findings);
    }
    let gates = autoscaler.at(&["featureGates"]).map(|it| it.entries());
    let known = autoscaler_gates(gardener);
    for (gate, value) in gates.into_iter().flatten() {
        if !known.contains(&gate.as_str()) {
            findings.report_lazily(&GATE, |findings| {
                let message = format!("the vertical pod autoscaler has no feature gate `{gate}`");
                let field = autoscaler.path().child("featureGates").child_called(&gate);
                findings
                    .invalid(&GATE, field, message)
                    .at(value.path())
                    .help(format!("it has `{}`", known.join("`, `")));
            });
        }
    }
}
