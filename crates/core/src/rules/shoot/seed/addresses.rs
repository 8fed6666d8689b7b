// SPDX-License-Identifier: Apache-2.0
//! Compatibility of a Shoot's CIDRs with a seed.

use crate::rules::shared::lists::short;
use crate::rules::shared::reserved_ranges::conflicts_with_reserved;
use garden_gate_model::api::{Networking, SeedNetworks};
use garden_gate_text::go::{Network, networks_intersect};

/// Returns the reason why Gardener refuses the binding after it fills in the seed's default ranges.
///
/// Mirrors defaultShootNetworks in `plugin/pkg/shoot/mutator/admission.go` and validateShootNetworks in
/// `plugin/pkg/shoot/validator/admission.go`. Overlaps of the Shoot's own ranges are refused without a seed.
pub(crate) fn unfit_defaults(
    own: &Networking,
    workerless: bool,
    seed: &SeedNetworks,
) -> Option<String> {
    if !own.has("IPv4") {
        return None;
    }
    let (pods, services) = with_defaults(own, workerless, seed);
    let missing = [("pods", pods, !workerless), ("services", services, true)];
    for (field, range, needed) in missing {
        if needed && range.is_none() {
            return Some(format!("has no default IPv4 range for {field}"));
        }
    }
    let pods = ("pods", pods, own.pods.is_none());
    let services = ("services", services, own.services.is_none());
    let nodes = ("nodes", own.nodes.as_ref(), false);
    let pairs = [(services, pods), (pods, services), (pods, nodes), (services, nodes)];
    pairs.into_iter().find_map(|(filled_in, other)| {
        let ((field, range, is_default), (other_field, other, _)) = (filled_in, other);
        let (range, other) = (range?, other?);
        let overlap = is_default && Network::read(range)?.intersects(&Network::read(other)?);
        overlap.then(|| {
            format!("would fill in {field} `{range}`, which overlap the {other_field} `{other}`")
        })
    })
}

/// Returns the reasons why a range of a Shoot cannot be used on a seed with these networks.
///
/// Mirrors validateOverlapWithSeed in `pkg/utils/validation/cidr/disjoint.go`: IPv4 ranges may overlap those of the seed.
pub(crate) fn conflicts(range: &str, seed: &SeedNetworks) -> Vec<String> {
    let Some(network) = Network::read(range) else {
        return vec![not_a_cidr(range)];
    };
    let mut conflicts = Vec::new();
    if network.is_ipv6() {
        let of_seed = [
            ("services", Some(&seed.services)),
            ("pods", Some(&seed.pods)),
            ("nodes", seed.nodes.as_ref()),
        ];
        for (what, other) in of_seed {
            let Some(other) = other else { continue };
            if networks_intersect(other, range) {
                conflicts.push(format!("`{range}` overlaps `{other}`, the {what} of the seed"));
            }
        }
    }
    conflicts.extend(conflicts_with_reserved(range, &network));
    conflicts
}

/// Returns the message for a range that cannot be parsed.
pub(crate) fn not_a_cidr(range: &str) -> String {
    format!("`{}` is not a valid CIDR", short(range))
}

/// Returns the ranges of pods and services of a Shoot.
///
/// Omitted ones are the seed's defaults for the address family.
pub(crate) fn with_defaults<'a>(
    own: &'a Networking,
    workerless: bool,
    seed: &'a SeedNetworks,
) -> (Option<&'a String>, Option<&'a String>) {
    // Mirrors cidrMatchesIPFamily in `plugin/pkg/shoot/mutator/admission.go`.
    let fits = |range: &&String| match Network::read(range) {
        Some(network) if network.address().is_ipv4() => own.has("IPv4"),
        Some(_) => own.has("IPv6"),
        None => false,
    };
    let fitting = |range: &'a Option<String>| range.as_ref().filter(fits);
    let defaults = &seed.shoot_defaults;
    let pods = || if workerless { None } else { fitting(&defaults.pods) };
    let services = || fitting(&defaults.services);
    (own.pods.as_ref().or_else(pods), own.services.as_ref().or_else(services))
}
