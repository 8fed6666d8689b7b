// SPDX-License-Identifier: Apache-2.0
//! CIDRs that Gardener reserves.

use garden_gate_text::go::Network;

/// CIDRs that Gardener uses itself; neither Shoots nor Seeds may use them.
const RESERVED: [(Network, &str); 6] = [
    (Network::ipv6([0xfd8f, 0x6d53, 0xb97a, 1, 0, 0, 0, 0], 96), "the VPN"),
    (Network::ipv4([240, 0, 0, 0], 8), "kube-apiservers"),
    (Network::ipv4([241, 0, 0, 0], 8), "the pods of seeds, mapped"),
    (Network::ipv4([242, 0, 0, 0], 8), "the nodes of Shoots, mapped"),
    (Network::ipv4([243, 0, 0, 0], 8), "the services of Shoots, mapped"),
    (Network::ipv4([244, 0, 0, 0], 8), "the pods of Shoots, mapped"),
];

/// Returns messages for the reserved ranges that a range overlaps.
pub(crate) fn conflicts_with_reserved<'a>(
    range: &'a str,
    network: &'a Network,
) -> impl Iterator<Item = String> + 'a {
    let overlapping = RESERVED.iter().filter(|(it, _)| it.intersects(network));
    overlapping
        .map(move |(it, what)| format!("`{range}` overlaps `{it}`, which is reserved for {what}"))
}
