use crate::engine::{Change, Context, FieldPath, Findings, rule};
use crate::model::Shoot;
use crate::rules::shared::effective_profile::offer;

rule! {
    page: include_str!("nodes_above_limit.md"),
    id: "shoot/nodes-above-limit",
    summary: "a Shoot has not more nodes at least than its profile allows",
    phase: Admission,
    level: Deny,
    entry_point: Review,
    scopes: [Shoot [Create, Update]],
    reads: [CloudProfile, NamespacedCloudProfile],
    only_if: Changed,
    findings: {
        ABOVE = "shoot/nodes-above-limit": "the pools have more nodes at least than the profile allows",
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, shoot: Change<'_, Shoot>, findings: &mut Findings) {
    let Some(new) = shoot
        .new
        .filter(|new| new.metadata.deletion_timestamp.is_none())
    else {
        return;
    };
    let pools = &new.spec.provider.workers;
    if pools.is_empty() {
        return;
    }
    let offer = offer(context, new, findings);
    let limits = offer.and_then(|offer| offer.spec().limits);
    let least = pools.iter().map(|pool| pool.minimum);
    let least = least.fold(0, i32::wrapping_add);
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
