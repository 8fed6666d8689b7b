// SPDX-License-Identifier: Apache-2.0
//! Immutable fields of the infrastructure. Source: `ValidateInfrastructureConfigUpdate` in `pkg/apis/openstack/validation/infrastructure.go`.

use super::judged::{HAS_IPV6, IMMUTABLE, in_infrastructure};
use crate::admission::{ErrorType, Findings};
use garden_gate_model::api::extensions::ExtensionVersion;
use garden_gate_model::api::extensions::openstack::infrastructure::InfrastructureConfig;

/// The first version in which an enabled share network is immutable.
const KEEPS_SHARE_NETWORK: ExtensionVersion = ExtensionVersion::new(1, 43);

pub(super) fn check(
    [new, old]: [&InfrastructureConfig; 2],
    version: ExtensionVersion,
    findings: &mut Findings,
) {
    let [networks, old_networks] = [&new.networks, &old.networks];
    let has_share = old_networks.share_network.as_ref().is_some_and(|it| it.enabled);
    let share = has_share
        && version >= KEEPS_SHARE_NETWORK
        && networks.share_network != old_networks.share_network;
    let of_networks = [
        ("networks.id", networks.id != old_networks.id),
        ("networks.router", networks.router != old_networks.router),
        ("networks.worker", networks.worker != old_networks.worker),
        ("networks.workers", networks.workers != old_networks.workers),
        ("networks.ipv6", networks.ipv6 != old_networks.ipv6),
        ("networks.subnetPool", networks.subnet_pool != old_networks.subnet_pool),
        ("networks.shareNetwork", share),
    ];
    let mut changed: Vec<&'static str> =
        of_networks.iter().filter(|(_, is_changed)| *is_changed).map(|(field, _)| *field).collect();
    // Earlier versions compare all networks at once.
    if version < HAS_IPV6 && !changed.is_empty() {
        changed = vec!["networks"];
    }
    if new.floating_pool_name != old.floating_pool_name {
        changed.push("floatingPoolName");
    }
    if new.floating_pool_subnet_name != old.floating_pool_subnet_name {
        changed.push("floatingPoolSubnetName");
    }
    for field in changed {
        let message = format!("`{field}` is immutable");
        in_infrastructure(field)
            .report((&IMMUTABLE, ErrorType::Invalid), message, findings)
            .help("restore the previous value");
    }
}
