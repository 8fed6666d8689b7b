// SPDX-License-Identifier: Apache-2.0
//! Immutable fields of the infrastructure. Source: `ValidateInfrastructureConfigUpdate` in `pkg/apis/gcp/validation/infrastructure.go`.

use super::infrastructure::workers;
use super::judged::{IMMUTABLE, Judged, networks};
use crate::admission::{ErrorType, Findings};
use garden_gate_model::api::extensions::ExtensionVersion;
use garden_gate_model::api::extensions::gcp::infrastructure::InfrastructureConfig;

/// The first version that allows to add `internal` to an existing VPC network.
const ALLOWS_INTERNAL: ExtensionVersion = ExtensionVersion::new(1, 45);

const KEEP: &str = "restore the previous value";

pub(super) fn check(judged: &Judged<'_>, old: &InfrastructureConfig, findings: &mut Findings) {
    let (new, old) = (&judged.infrastructure.networks, &old.networks);
    let mut changed = Vec::new();
    match (&new.vpc, &old.vpc) {
        (None, Some(_)) => changed.push("vpc"),
        (Some(vpc), Some(old_vpc)) => {
            if vpc.name != old_vpc.name {
                changed.push("vpc.name");
            }
            if vpc.cloud_router != old_vpc.cloud_router {
                changed.push("vpc.cloudRouter");
            }
            let is_fixed = old.internal.is_some() || judged.version < ALLOWS_INTERNAL;
            if is_fixed && new.internal != old.internal {
                changed.push("internal");
            }
        }
        (_, None) => {}
    }
    if new.mtu != old.mtu {
        changed.push("mtu");
    }
    for field in changed {
        let message = format!("`{field}` is immutable");
        networks()
            .descendant(field)
            .report((&IMMUTABLE, ErrorType::Invalid), message, findings)
            .help(KEEP);
    }
    let [new, old] = [workers(new), workers(old)];
    if let Some((new, old)) = new.zip(old)
        && let Some((network, previous)) = new.network().zip(old.network())
        && !network.contains(previous)
    {
        let message = format!("`{network}` does not contain the previous CIDR `{previous}`");
        new.place()
            .report((&IMMUTABLE, ErrorType::Invalid), message, findings)
            .value(network.to_string())
            .help("the CIDR of nodes can only be expanded; use one that contains the previous one");
    }
}
