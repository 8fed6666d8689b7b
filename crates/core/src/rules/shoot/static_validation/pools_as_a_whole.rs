// SPDX-License-Identifier: Apache-2.0
use std::collections::{BTreeMap, BTreeSet};

use crate::admission::{Context, FieldPath, Findings, Help, Write, rule};
use crate::rules::shared::validation::Part;
use crate::rules::shoot::static_validation::{pools, received};
use garden_gate_model::api::Shoot;

rule! {
    page: include_str!("pools_as_a_whole.md"),
    id: "shoot/pools-as-a-whole",
    summary: "rejects worker pools without capacity for system components",
    phase: Static,
    level: Deny,
    entry_point: Review,
    scopes: [Shoot [Create, Update] [Itself, Binding]],
    findings: {
        NOWHERE = "shoot/no-pool-for-system-components": "no worker pool allows system components",
        FEW = "shoot/pool-maximum-below-zones": "a worker pool has a maximum below its number of zones",
        ZONES = "shoot/system-components-outside-control-plane-zones": "a pool allows system components outside the control-plane zones" since 142,
        ELSEWHERE = "shoot/system-components-outside-control-plane": "a pool next to the control-plane pool allows system components" until 141,
        CONTROL_PLANES = "shoot/two-control-plane-pools": "more than one worker pool runs the control plane",
    },
    fixes: Suggestion,
    check: Judge(check),
}

/// A pool with the fields that these checks need.
struct Pool<'a> {
    part: Part<'a>,
    zones: Vec<String>,
    maximum: f64,
    is_for_system: bool,
    is_control_plane: bool,
}

impl<'a> Pool<'a> {
    fn of(part: Part<'a>) -> Self {
        let zones = part.texts_at(&["zones"]).into_iter().map(|(_, zone)| zone);
        Self {
            zones: zones.collect(),
            maximum: part.number_at(&["maximum"]).unwrap_or_default(),
            // `true` is the default only if the whole section is absent.
            is_for_system: part
                .at(&["systemComponents"])
                .is_none_or(|it| it.flag_at(&["allow"]) == Some(true)),
            is_control_plane: part.at(&["controlPlane"]).is_some(),
            part,
        }
    }
}

fn check(context: &Context<'_>, shoot: Write<'_, Shoot>, findings: &mut Findings) {
    let (received, facts) = received(context, shoot.new);
    if facts.workerless {
        return;
    }
    let pools: Vec<Pool<'_>> = pools(&received).into_iter().map(Pool::of).collect();
    check_sizes(&pools, findings);
    check_control_plane(&pools, findings);
}

fn check_sizes(pools: &[Pool<'_>], findings: &mut Findings) {
    let active: Vec<&Pool<'_>> =
        pools.iter().filter(|it| it.is_for_system && it.maximum != 0.0).collect();
    if active.is_empty() {
        let message = "no pool with a maximum above 0 may run components of the system";
        let field = FieldPath::new("spec.provider.workers");
        let help = "raise a maximum, or set `systemComponents.allow: true` on a pool";
        findings.forbid(&NOWHERE, field, message).help(help);
    }
    let mut places = BTreeMap::<BTreeSet<&String>, Vec<&Pool<'_>>>::new();
    for pool in active {
        places.entry(pool.zones.iter().collect()).or_default().push(pool);
    }
    for pools in places.values() {
        let suffices = |it: &&Pool<'_>| it.maximum >= it.zones.len() as f64;
        let Some(last) = pools.last().filter(|_| !pools.iter().any(suffices)) else {
            continue;
        };
        let message = format!(
            "the pool has {} zones, but at most {} machines",
            last.zones.len(),
            last.maximum
        );
        let field = last.part.path().child("maximum");
        let help = "raise the maximum to the number of zones, or use fewer zones";
        findings.forbid(&FEW, field, message).help(help);
    }
}

fn check_control_plane(pools: &[Pool<'_>], findings: &mut Findings) {
    let own = || pools.iter().filter(|it| it.is_control_plane);
    for pool in own().skip(1) {
        let message = "another pool runs the control plane already";
        let field = pool.part.path().child("controlPlane");
        findings.invalid(&CONTROL_PLANES, field, message).help("keep one of them");
    }
    if own().next().is_none() {
        return;
    }
    let zones: BTreeSet<&String> = own().flat_map(|it| &it.zones).collect();
    let others = pools.iter().filter(|it| !it.is_control_plane && it.is_for_system);
    for pool in others {
        let field = pool.part.path().child("systemComponents");
        let message = "only the control plane's pool may run components of the system";
        findings
            .invalid(&ELSEWHERE, field.clone(), message)
            .help(Help::set("set `systemComponents.allow: false`", false).at("allow"));
        if pool.zones.iter().all(|zone| zones.contains(zone)) {
            continue;
        }
        let message = "the pool may run components of the system, but has zones that the control plane's pool lacks";
        let help = "use zones of the control plane's pool, or set `systemComponents.allow: false`";
        findings.invalid(&ZONES, field, message).help(help);
    }
}
