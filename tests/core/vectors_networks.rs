// SPDX-License-Identifier: Apache-2.0
//! CIDRs, as Go's `net.ParseCIDR` and Gardener's `pkg/utils/validation/cidr` parse and compare them.

use garden_gate_text::go::{Network, is_network, networks_intersect};

use crate::vectors::rows;

#[test]
fn cidr_parsed_as_go() {
    for row in rows("cidr", "vectors") {
        let text = row["in"].as_str().unwrap();
        let network = Network::read(text);
        assert_eq!(network.is_some(), row["ok"] == true, "{row}");
        assert_eq!(is_network(text), row["ok"] == true, "{row}");
        let Some(network) = network else { continue };
        assert_eq!(network.is_ipv6(), row["ipv4"] != true, "{row}");
        assert_eq!(network.is_canonical(), row["canonical"] == true, "{row}");
        assert_eq!(network.to_string(), row["network"].as_str().unwrap());
        assert_eq!(u64::from(network.prefix()), row["prefix"], "{row}");
    }
}

#[test]
fn cidr_overlap_as_gardener() {
    for row in rows("cidr", "intersections") {
        let [a, b] = ["a", "b"].map(|side| row[side].as_str().unwrap());
        assert_eq!(networks_intersect(a, b), row["intersect"] == true, "{row}");
        assert_eq!(networks_intersect(b, a), row["intersect"] == true, "{row}");
    }
}
