// SPDX-License-Identifier: Apache-2.0
//! The network of a Shoot. Source: `pkg/apis/alicloud/validation/shoot.go`.

use super::judged::{NETWORK, NETWORK_IMMUTABLE};
use crate::admission::{FieldPath, Findings};
use crate::rules::shared::lists::short;
use garden_gate_model::api::{Networking, Shoot};
use garden_gate_text::go::{is_network, networks_intersect};

/// The CIDR that Alibaba Cloud uses itself, for example for metadata of machines.
const RESERVED: &str = "100.64.0.0/10";

/// Checks the network of a new Shoot.
pub(super) fn check(shoot: &Shoot, findings: &mut Findings) {
    let networking = shoot.networking();
    if networking.nodes.is_none() {
        let place = FieldPath::new("spec.networking.nodes");
        findings
            .required(&NETWORK, place, "a Shoot on Alibaba Cloud needs a CIDR of nodes")
            .help("set it, for example to `10.250.0.0/16`");
    }
    for (field, cidr) in cidrs(&networking) {
        let Some(cidr) = cidr else { continue };
        if networks_intersect(cidr, RESERVED) {
            let message = format!(
                "`{}` overlaps with `{RESERVED}`, which Alibaba Cloud reserves",
                short(cidr)
            );
            findings
                .invalid(&NETWORK, FieldPath::new(field), message)
                .value(cidr)
                .help("use another CIDR, for example within `172.16.0.0/12`");
        }
    }
}

/// Checks that CIDRs are kept, unless they were unreadable.
pub(super) fn check_update([new, old]: [&Shoot; 2], findings: &mut Findings) {
    let [new, old] = [new, old].map(Shoot::networking);
    for ((field, cidr), (_, stored)) in cidrs(&new).into_iter().zip(cidrs(&old)) {
        let is_fixed = stored.is_some_and(is_network);
        if is_fixed && cidr != stored {
            let message = format!("`{field}` is immutable");
            findings
                .invalid(&NETWORK_IMMUTABLE, FieldPath::new(field), message)
                .help("restore the previous value");
        }
    }
}

fn cidrs(networking: &Networking) -> [(&'static str, Option<&str>); 3] {
    [
        ("spec.networking.nodes", networking.nodes.as_deref()),
        ("spec.networking.pods", networking.pods.as_deref()),
        ("spec.networking.services", networking.services.as_deref()),
    ]
}
