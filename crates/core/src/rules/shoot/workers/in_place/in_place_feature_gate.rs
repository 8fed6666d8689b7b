// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, FindingKind, Findings, Operation, Write, rule};
use crate::rules::shoot::change::compared;
use crate::rules::shoot::workers::pool_pairs::{Pool, pairs};
use garden_gate_model::api::Shoot;

rule! {
    page: include_str!("in_place_feature_gate.md"),
    id: "shoot/in-place-feature-gate",
    summary: "rejects new in-place pools while the feature gate `InPlaceNodeUpdates` is disabled",
    phase: Static,
    level: Deny,
    scopes: [Shoot [Create, Update] [Itself, Binding]],
    findings: {
        CREATE = "shoot/in-place-feature-gate-create": "a new Shoot has an in-place pool, but the feature gate is disabled",
        NEW_POOL = "shoot/in-place-feature-gate-new-pool": "an existing Shoot gets a new in-place pool, but the feature gate is disabled",
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, shoot: Write<'_, Shoot>, findings: &mut Findings) {
    if context.config.feature_gates.in_place_node_updates {
        return;
    }
    let kind = match context.request.operation {
        Operation::Create => &CREATE,
        _ if compared(context, shoot).is_some() => &NEW_POOL,
        _ => return,
    };
    for pool in pairs(shoot.new, shoot.old) {
        if pool.old.is_none() && pool.new.is_in_place() {
            report(kind, &pool, findings);
        }
    }
}

fn report(kind: &'static FindingKind, pool: &Pool<'_>, findings: &mut Findings) {
    let name = &pool.new.name;
    let strategy = pool.new.update_strategy.as_deref().unwrap_or_default();
    let message = format!(
        "new pool `{name}` has `{strategy}`; `AutoInPlaceUpdate` and `ManualInPlaceUpdate` need the feature gate `InPlaceNodeUpdates`, which is off"
    );
    findings
        .invalid(kind, pool.path().child("updateStrategy"), message)
        .value(strategy)
        .help("use `AutoRollingUpdate`, or have the gate turned on");
}
