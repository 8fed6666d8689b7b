// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Change, Context, FieldPath, Findings, rule};
use crate::rules::shared::effective_profile::offer;
use garden_gate_model::api::Shoot;

rule! {
    page: include_str!("nodes_above_limit.md"),
    id: "shoot/nodes-above-limit",
    summary: "rejects a minimum number of nodes above the limit of the CloudProfile",
    phase: Admission,
    level: Deny,
    entry_point: Plugin,
    scopes: [Shoot [Create, Update] [Itself, Binding]],
    reads: [CloudProfile, NamespacedCloudProfile],
    only_if: Changed,
    findings: {
        ABOVE = "shoot/nodes-above-limit": "the minimum number of nodes exceeds the limit of the profile",
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, shoot: Change<'_, Shoot>, findings: &mut Findings) {
    let Some(new) = shoot.new.filter(|new| new.metadata.deletion_timestamp.is_none()) else {
        return;
    };
    let pools = &new.spec.provider.workers;
    if pools.is_empty() {
        return;
    }
    let offer = offer(context, new, findings);
    let limits = offer.and_then(|offer| offer.spec().limits);
    let least = pools.iter().map(|pool| pool.minimum).fold(0, i32::wrapping_add);
    if let Some(limit) = limits.and_then(|limits| limits.max_nodes_total)
        && least > limit
    {
        let message =
            format!("the worker pools have {least} nodes at least, and the profile allows {limit}");
        findings
            .forbid(&ABOVE, FieldPath::new("spec.provider.workers"), message)
            .help("lower the `minimum` of some pools");
    }
}
