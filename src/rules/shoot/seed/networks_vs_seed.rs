use crate::compat::Network;
use crate::engine::{Change, Context, FieldPath, Findings, rule};
use crate::model::{Seed, Shoot};
use crate::rules::shoot::seed::addresses::{conflicts, with_defaults};
use crate::rules::shoot::seed::placement::{seed_of, status};

rule! {
    /// ## What it checks
    /// The address ranges of a Shoot with IPv4 do not overlap each other. Once the Shoot is on a seed, it has a range for
    /// services and, unless it has no worker pools, for pods. When it gets a seed, no range overlaps one that Gardener
    /// reserves, and no IPv6 range overlaps one of the seed. IPv4 ranges may overlap those of the seed. The ranges in
    /// `status.networking` count too, if there are any.
    ///
    /// ## Why
    /// The control plane reaches nodes, pods and services of the Shoot from the seed.
    ///
    /// ## Applies to
    /// Shoots, on CREATE and UPDATE, the subresource `binding` included.
    ///
    /// ## Example
    /// ```yaml
    /// spec:
    ///   seedName: aws-eu1
    ///   networking:
    ///     pods: 241.0.0.0/16   # reserved
    /// ```
    ///
    /// ## How to fix
    /// Choose ranges outside of `240.0.0.0/8` to `244.0.0.0/8` and of those of the seed, or a seed with other ranges.
    ///
    /// ## Gardener
    /// validateShootNetworks in `plugin/pkg/shoot/validator/admission.go`, with `pkg/utils/validation/cidr/disjoint.go`
    /// (403).
    id: "shoot/networks-vs-seed",
    summary: "the address ranges of a Shoot fit its seed",
    phase: Admission,
    level: Deny,
    scopes: [Shoot [Create, Update] [Itself, Binding]],
    reads: [Seed],
    only_if: Changed,
    findings: {
        OVERLAP = "shoot/networks-overlap": "two address ranges of the Shoot overlap",
        MISSING = "shoot/networks-missing": "the Shoot is on a seed, but has no range for pods or services",
        CONFLICT = "shoot/networks-vs-seed": "an address range of the Shoot overlaps a reserved one or an IPv6 range of the seed",
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, shoot: Change<'_, Shoot>, findings: &mut Findings) {
    let Some(new) = shoot.new else { return };
    let ranges = &new.networking();
    let path = FieldPath::new("spec.networking");
    let Some(seed) = seed_of(context, new, findings) else {
        let own = (ranges.pods.as_ref(), ranges.services.as_ref());
        return check_overlaps(new, own, &path, findings);
    };
    let (pods, services) = with_defaults(ranges, new.is_workerless(), &seed.spec.networks);
    check_overlaps(new, (pods, services), &path, findings);
    check_presence(new, (pods, services), findings);
    let is_new = shoot.old.and_then(Shoot::seed_name) != new.seed_name();
    if !is_new || !ranges.has("IPv4") {
        return;
    }
    for (field, range) in [
        ("nodes", ranges.nodes.as_ref()),
        ("services", services),
        ("pods", pods),
    ] {
        check_range(range.into_iter(), &path.child(field), &seed, findings);
    }
    check_status(shoot, new, &seed, findings);
}

/// Ranges of one Shoot must be disjoint.
fn check_overlaps(
    shoot: &Shoot,
    (pods, services): (Option<&String>, Option<&String>),
    path: &FieldPath,
    findings: &mut Findings,
) {
    let networking = &shoot.networking();
    if !networking.has("IPv4") {
        return;
    }
    let ranges = [services, pods, networking.nodes.as_ref()];
    let [services, pods, nodes] = ranges.map(|range| Some((range?, Network::read(range?))));
    let pairs = [
        ("services", services, "pods", pods),
        ("pods", pods, "nodes", nodes),
        ("services", services, "nodes", nodes),
    ];
    for (field, range, other_field, other) in pairs {
        let (Some((range, network)), Some((other, other_network))) = (range, other) else {
            continue;
        };
        let message = match (network, other_network) {
            (Some(network), Some(other_network)) if network.intersects(&other_network) => {
                format!("`{range}` overlaps `{other}`, the range of the {other_field}")
            }
            (Some(_), Some(_)) => continue,
            _ => format!(
                "`{range}` or `{other}`, the range of the {other_field}, is not an address range"
            ),
        };
        findings
            .invalid(&OVERLAP, path.child(field), message)
            .value(range.clone())
            .help("choose another range");
    }
}

fn check_presence(
    shoot: &Shoot,
    (pods, services): (Option<&String>, Option<&String>),
    findings: &mut Findings,
) {
    let (ranges, workerless) = (shoot.networking(), shoot.is_workerless());
    let needs_pods = !workerless && ranges.has("IPv4");
    // An IPv6 range for the services of a Shoot without worker pools is made up when there is none.
    let needs_services = ranges.has("IPv4");
    let missing = [
        ("pods", needs_pods, pods),
        ("services", needs_services, services),
    ];
    for (field, _, _) in missing
        .iter()
        .filter(|(_, needed, range)| *needed && range.is_none())
    {
        let path = FieldPath::new("spec.networking").child(field);
        let message = format!("a Shoot on a seed needs an address range for {field}");
        findings
            .required(&MISSING, path, message)
            .help(format!("set spec.networking.{field}"));
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

/// What was observed moves with the Shoot.
fn check_status(shoot: Change<'_, Shoot>, new: &Shoot, seed: &Seed, findings: &mut Findings) {
    let Some(ranges) = status(shoot).and_then(|status| status.networking.as_ref()) else {
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
