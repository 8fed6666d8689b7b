// SPDX-License-Identifier: Apache-2.0
//! The network of a Shoot. Source: `ValidateNetworking` in `pkg/apis/openstack/validation/shoot.go`.

use super::judged::{HAS_IPV6, Judged, NETWORK};
use crate::admission::{FieldPath, Findings, Help};
use garden_gate_model::api::extensions::ExtensionVersion;
use garden_gate_model::api::extensions::openstack::infrastructure::IPv6Config;

/// The first version that checks IP families.
const CHECKS_FAMILIES: ExtensionVersion = ExtensionVersion::new(1, 43);

pub(super) fn check(judged: &Judged<'_>, findings: &mut Findings) {
    let networking = judged.shoot.networking();
    if networking.nodes.is_none() {
        let place = FieldPath::new("spec.networking.nodes");
        findings
            .required(&NETWORK, place, "a Shoot on OpenStack needs a CIDR of nodes")
            .help("set it, for example to `10.250.0.0/16`");
    }
    let place = || FieldPath::new("spec.networking.ipFamilies");
    let is_dual = networking.ip_families.len() > 1;
    if judged.version < CHECKS_FAMILIES {
        return;
    }
    if !networking.has("IPv4") {
        let message = "a Shoot on OpenStack cannot have IPv6 without IPv4";
        findings
            .invalid(&NETWORK, place(), message)
            .help("write `ipFamilies: [IPv4, IPv6]` or `[IPv4]`");
    }
    if is_dual && judged.version < HAS_IPV6 {
        let message = "this version of provider-openstack does not support dual-stack networking";
        findings
            .invalid(&NETWORK, place(), message)
            .help(Help::set("write `ipFamilies: [IPv4]`", serde_json::json!(["IPv4"])));
    }
    let has_addresses = |it: &IPv6Config| it.subnet_pool_id.is_some() || !it.node_cidr.is_empty();
    let networks = &judged.new.infrastructure.networks;
    if is_dual && judged.version >= HAS_IPV6 && !networks.ipv6.as_ref().is_some_and(has_addresses) {
        let place = FieldPath::new("spec.provider.infrastructureConfig");
        let message = "dual-stack networking needs IPv6 addresses";
        findings
            .required(&NETWORK, place, message)
            .help("set `networks.ipv6` with `subnetPoolID`, or with the three CIDRs");
    }
}
