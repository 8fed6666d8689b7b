// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, FieldPath, Findings, Write, rule};
use crate::rules::shoot::seed::addresses::{conflicts, not_a_cidr, with_defaults};
use crate::rules::shoot::seed::placement::seed_of;
use garden_gate_model::api::{Seed, Shoot, Versions};
use garden_gate_text::go::Network;

rule! {
    page: include_str!("networks_vs_seed.md"),
    id: "shoot/networks-vs-seed",
    summary: "rejects missing, overlapping or reserved CIDRs of a Shoot on its seed",
    phase: Admission,
    level: Deny,
    scopes: [Shoot [Create, Update] [Itself, Binding]],
    reads: [Seed],
    only_if: Changed,
    findings: {
        OVERLAP = "shoot/networks-overlap": "two CIDRs of the Shoot overlap",
        MISSING = "shoot/networks-missing": "the Shoot is on a seed, but has no CIDR for pods or services",
        CONFLICT = "shoot/networks-vs-seed": "a CIDR of the Shoot overlaps a reserved one or an IPv6 CIDR of the seed",
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, shoot: Write<'_, Shoot>, findings: &mut Findings) {
    let new = shoot.new;
    let ranges = &new.networking();
    let path = FieldPath::new("spec.networking");
    let Some(seed) = seed_of(context, new, findings) else {
        if !context.runs(WITHOUT_SEED) {
            return;
        }
        let own = (ranges.pods.as_ref(), ranges.services.as_ref());
        return check_overlaps(shoot.old, new, own, findings);
    };
    let (pods, services) = with_defaults(ranges, new.is_workerless(), &seed.spec.networks);
    check_overlaps(shoot.old, new, (pods, services), findings);
    check_presence(new, pods, services, findings);
    let is_new = shoot.old.and_then(Shoot::seed_name) != new.seed_name();
    if !is_new || !ranges.has("IPv4") {
        return;
    }
    for (field, range) in [("nodes", ranges.nodes.as_ref()), ("services", services), ("pods", pods)]
    {
        check_range(range.into_iter(), &path.child(field), &seed, findings);
    }
    check_status(shoot, &seed, findings);
}

/// The versions that compare the ranges of a Shoot also before it has a seed.
const WITHOUT_SEED: Versions = Versions::since(146);

/// Checks that the ranges of a Shoot are disjoint.
fn check_overlaps(
    old: Option<&Shoot>,
    shoot: &Shoot,
    (pods, services): (Option<&String>, Option<&String>),
    findings: &mut Findings,
) {
    let networking = &shoot.networking();
    if !networking.has("IPv4") {
        return;
    }
    let stored = old.map(Shoot::networking);
    let is_kept = |field: &str| {
        stored.as_ref().is_some_and(|it| match field {
            "services" => it.services.is_some(),
            _ => it.pods.is_some(),
        })
    };
    let written = [("services", services), ("pods", pods), ("nodes", networking.nodes.as_ref())];
    let path = |field| FieldPath::new("spec.networking").child(field);
    let mut ranges = Vec::new();
    for (field, range) in written {
        let Some(range) = range else { continue };
        match Network::read(range) {
            Some(network) => ranges.push((field, range, network)),
            None => {
                findings
                    .invalid(&OVERLAP, path(field), not_a_cidr(range))
                    .value(range.as_str())
                    .help("write a CIDR, such as `100.64.0.0/13`");
            }
        }
    }
    for (index, (field, range, network)) in ranges.iter().enumerate() {
        let others = ranges.iter().skip(index + 1);
        let overlapped: Vec<String> = others
            .filter(|(_, _, other)| network.intersects(other))
            .map(|(field, range, _)| format!("`{range}`, the range of the {field}"))
            .collect();
        if overlapped.is_empty() {
            continue;
        }
        let message = format!("`{range}` overlaps {}", overlapped.join(", and "));
        let is_free = |it: &&Network| {
            let others = ranges.iter().filter(|(other, _, _)| other != field);
            others.copied().all(|(_, _, other)| !other.intersects(it))
        };
        let help = match SUGGESTED.iter().find(is_free) {
            _ if is_kept(field) => {
                format!("the range of the {field} is immutable; write another range of the nodes")
            }
            Some(free) if !network.is_ipv6() => {
                format!("write a range that overlaps none, such as `{free}`")
            }
            _ => "write a range that overlaps none".to_owned(),
        };
        findings.invalid(&OVERLAP, path(field), message).value(range.as_str()).help(help);
    }
}

/// Suggested ranges for pods and services: those in Gardener's documentation, and others of that size.
const SUGGESTED: [Network; 3] = [
    Network::ipv4([100, 64, 0, 0], 13),
    Network::ipv4([100, 96, 0, 0], 13),
    Network::ipv4([10, 96, 0, 0], 13),
];

fn check_presence(
    shoot: &Shoot,
    pods: Option<&String>,
    services: Option<&String>,
    findings: &mut Findings,
) {
    let (ranges, workerless) = (shoot.networking(), shoot.is_workerless());
    let needs_pods = !workerless && ranges.has("IPv4");
    // Gardener generates an IPv6 range for the services of a Shoot without worker pools if none is set.
    let needs_services = ranges.has("IPv4");
    let missing = [("pods", needs_pods, pods), ("services", needs_services, services)];
    for (field, _, _) in missing.iter().filter(|(_, needed, range)| *needed && range.is_none()) {
        let path = FieldPath::new("spec.networking").child(field);
        let message = format!("a Shoot on a seed needs an address range for {field}");
        findings.required(&MISSING, path, message).help(format!("set spec.networking.{field}"));
    }
}

fn check_range<'a>(
    ranges: impl Iterator<Item = &'a String>,
    path: &FieldPath,
    seed: &Seed,
    findings: &mut Findings,
) {
    for range in ranges {
        for conflict in conflicts(range, &seed.spec.networks) {
            findings
                .invalid(&CONFLICT, path.clone(), conflict)
                .value(range.clone())
                .help("choose another range, or another seed");
        }
    }
}

/// Checks the ranges in the stored status, which move with the Shoot. The API server ignores the status in requests.
fn check_status(Write { new, old }: Write<'_, Shoot>, seed: &Seed, findings: &mut Findings) {
    let Some(ranges) = old.and_then(|old| old.status.networking.as_ref()) else {
        return;
    };
    let all = [
        ("nodes", &ranges.nodes, false),
        ("services", &ranges.services, true),
        ("pods", &ranges.pods, !new.is_workerless()),
    ];
    if all.iter().all(|(_, ranges, _)| ranges.is_empty()) {
        return;
    }
    for (field, ranges, needed) in all {
        let path = FieldPath::new("status.networking").child(field);
        if needed && ranges.is_empty() {
            let message = format!("no address range of the {field} was observed yet");
            findings
                .required(&MISSING, path.clone(), message)
                .help("wait until the Shoot is reconciled");
        }
        check_range(ranges.iter(), &path, seed, findings);
    }
}
