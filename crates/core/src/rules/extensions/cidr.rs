// SPDX-License-Identifier: Apache-2.0
//! Checks of CIDRs in configurations of extensions. Source: `pkg/utils/validation/cidr` of Gardener.

use core::net::IpAddr;
use std::collections::BTreeMap;

use crate::admission::{ErrorType, FieldPath, FindingKind, Findings, Help};
use crate::rules::shared::lists::short;
use crate::rules::shared::reported_path::ReportedPath;
use garden_gate_model::api::Networking;
use garden_gate_text::go::Network;

/// The CIDRs of a Shoot.
pub(crate) struct ShootCidrs<'a> {
    pub(crate) nodes: Option<Cidr<'a>>,
    pub(crate) pods: Option<Cidr<'a>>,
    pub(crate) services: Option<Cidr<'a>>,
}

impl<'a> ShootCidrs<'a> {
    pub(crate) fn of(networking: &'a Networking) -> Self {
        let cidr = |text: &'a Option<String>, field: &'static str| {
            let place = ReportedPath {
                own: FieldPath::new("networking").child(field),
                real: FieldPath::new("spec.networking").child(field),
            };
            text.as_ref().map(|text| Cidr::new(text, place))
        };
        Self {
            nodes: cidr(&networking.nodes, "nodes"),
            pods: cidr(&networking.pods, "pods"),
            services: cidr(&networking.services, "services"),
        }
    }
}

/// A CIDR in an object.
#[derive(Clone, Debug)]
pub(crate) struct Cidr<'a> {
    text: &'a str,
    network: Option<Network>,
    place: ReportedPath,
}

impl<'a> Cidr<'a> {
    pub(crate) fn new(text: &'a str, place: ReportedPath) -> Self {
        let network = Network::read(text);
        Self { text, network, place }
    }

    /// Returns the field that contains it.
    pub(crate) fn place(&self) -> &ReportedPath {
        &self.place
    }

    /// Returns the CIDR, if it can be parsed.
    pub(crate) fn network(&self) -> Option<&Network> {
        self.network.as_ref()
    }

    /// Reports a string that is no CIDR.
    pub(crate) fn check_parsed(&self, kind: &'static FindingKind, findings: &mut Findings) {
        if self.network.is_none() {
            let message = format!("`{}` is not a valid CIDR", short(self.text));
            self.report(kind, message, "write it like `10.250.0.0/16`", findings);
        }
    }

    /// Reports an address that is not the first one of its network.
    pub(crate) fn check_canonical(&self, kind: &'static FindingKind, findings: &mut Findings) {
        if let Some(network) = self.network.filter(|it| !it.is_canonical()) {
            let message = format!("`{}` has host bits", short(self.text));
            let help = format!("write `{network}`");
            self.report(kind, message, &help, findings);
        }
    }

    /// Reports the CIDRs that are not within this one; those that cannot be parsed are skipped.
    pub(crate) fn check_contains<'c, 'b: 'c>(
        &self,
        inner: impl IntoIterator<Item = &'c Cidr<'b>>,
        kind: &'static FindingKind,
        findings: &mut Findings,
    ) {
        let Some(outer) = &self.network else { return };
        for it in inner {
            let is_inside = it.network.is_none_or(|network| outer.contains(&network));
            if !is_inside {
                let message = format!(
                    "`{}` is not within `{}` of `{}`",
                    short(it.text),
                    short(self.text),
                    self.place.own
                );
                it.report(kind, message, "use a CIDR within it", findings);
            }
        }
    }

    /// Reports the CIDRs that overlap with this one; those that cannot be parsed are skipped.
    pub(crate) fn check_disjoint_from<'c, 'b: 'c>(
        &self,
        others: impl IntoIterator<Item = &'c Cidr<'b>>,
        kind: &'static FindingKind,
        findings: &mut Findings,
    ) {
        let Some(network) = &self.network else { return };
        for it in others {
            if it.network.is_some_and(|other| network.intersects(&other)) {
                it.report_overlap(self, kind, findings);
            }
        }
    }

    fn report_overlap(
        &self,
        other: &Cidr<'_>,
        kind: &'static FindingKind,
        findings: &mut Findings,
    ) {
        let message = format!(
            "`{}` overlaps with `{}` of `{}`",
            short(self.text),
            short(other.text),
            other.place.own
        );
        self.report(kind, message, "use CIDRs that do not overlap", findings);
    }

    fn report(
        &self,
        kind: &'static FindingKind,
        message: String,
        help: impl Into<Help>,
        findings: &mut Findings,
    ) {
        self.place
            .report((kind, ErrorType::Invalid), message, findings)
            .value(self.text)
            .help(help);
    }
}

/// Reports each CIDR that overlaps with an earlier one, once.
pub(crate) fn check_disjoint(
    cidrs: &[Cidr<'_>],
    kind: &'static FindingKind,
    findings: &mut Findings,
) {
    let networks: Vec<Option<Network>> = cidrs.iter().map(|it| it.network).collect();
    for [later, earlier] in overlaps(&networks) {
        if let (Some(later), Some(earlier)) = (cidrs.get(later), cidrs.get(earlier)) {
            later.report_overlap(earlier, kind, findings);
        }
    }
}

/// Returns the index of each network that overlaps with an earlier one, with the index of such an earlier one.
///
/// Takes n log n steps: two networks are disjoint, or one contains the other, so that only the largest ones need to be kept.
fn overlaps(networks: &[Option<Network>]) -> Vec<[usize; 2]> {
    let mut found = Vec::new();
    // The largest networks so far, by their first addresses.
    let mut largest: BTreeMap<IpAddr, (Network, usize)> = BTreeMap::new();
    for (index, network) in networks.iter().enumerate() {
        let Some(network) = network else {
            continue;
        };
        let [first, last] = [network.first(), network.last()];
        let before = largest.range(..=first).next_back();
        if let Some((_, (_, earlier))) = before.filter(|(_, (it, _))| it.contains(network)) {
            found.push([index, *earlier]);
            continue;
        }
        let inside: Vec<IpAddr> = largest.range(first..=last).map(|(key, _)| *key).collect();
        let inside: Vec<_> = inside.iter().filter_map(|key| largest.remove(key)).collect();
        if let Some((_, earlier)) = inside.first() {
            found.push([index, *earlier]);
        }
        largest.insert(first, (*network, index));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::overlaps;
    use garden_gate_text::go::Network;

    #[test]
    fn overlaps_are_those_of_all_pairs() {
        let texts = [
            "10.0.0.0/24",
            "10.0.1.0/24",
            "10.0.0.128/25",
            "10.0.0.0/16",
            "10.0.1.0/30",
            "fd00::/64",
            "10.0.0.0",
            "10.1.0.0/16",
            "fd00::1/128",
            "0.0.0.0/0",
            "::/0",
            "10.1.0.0/16",
        ];
        let networks: Vec<_> = texts.iter().map(|it| Network::read(it)).collect();
        let overlapping = |later: usize, earlier: usize| match (networks[later], networks[earlier])
        {
            (Some(later), Some(earlier)) => later.intersects(&earlier),
            _ => false,
        };
        let all = 0..networks.len();
        let expected: Vec<usize> =
            all.filter(|later| (0..*later).any(|earlier| overlapping(*later, earlier))).collect();
        let found = overlaps(&networks);
        assert!(found.iter().all(|[later, earlier]| overlapping(*later, *earlier)));
        let found: Vec<usize> = found.into_iter().map(|[later, _]| later).collect();
        assert_eq!(found, expected);
        assert_eq!(found, [2, 3, 4, 8, 9, 10, 11]);
    }
}
