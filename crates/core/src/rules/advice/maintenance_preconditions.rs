// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, FieldPath, Findings, Update, rule};
use crate::rules::shared::lists::{list, short};
use garden_gate_model::api::Shoot;
use garden_gate_model::gardener::rolling_update::{
    Effect, Reservation, Side, pool_changes, reaches_machines,
};

rule! {
    page: include_str!("maintenance_preconditions.md"),
    id: "advice/maintenance-preconditions",
    summary: "warns about a change that replaces nodes while `MaintenancePreconditionsSatisfied` is not `True`",
    phase: Admission,
    level: { documented: Warn, gardener: Off },
    scopes: [Shoot [Update]],
    findings: {
        UNSATISFIED = "advice/maintenance-preconditions": "the change replaces nodes while the constraint MaintenancePreconditionsSatisfied is not True",
    },
    check: Judge(check),
}

/// The constraint that is not `True` if webhooks of the cluster may interfere with a rolling update.
pub const PRECONDITIONS: &str = "MaintenancePreconditionsSatisfied";

fn check(_: &Context<'_>, shoot: Update<'_, Shoot>, findings: &mut Findings) {
    let Update { new, old } = shoot;
    let Some(constraint) =
        old.status.constraint(PRECONDITIONS).filter(|constraint| constraint.status != "True")
    else {
        return;
    };
    if !reaches_machines(new, old) {
        return;
    }
    let side = |shoot| Side { shoot, status: &old.status, reservation: Reservation::Static };
    let after = new.pools();
    let changes = pool_changes(side(old), side(new)).into_iter().filter(|it| {
        matches!(it.effect, Effect::Roll | Effect::MayRoll | Effect::InPlace)
            && after.get(it.pool).is_some_and(|pool| pool.maximum != 0)
    });
    let pools: Vec<String> = changes.map(|it| it.pool.to_owned()).collect();
    if pools.is_empty() {
        return;
    }
    let message = format!(
        "webhooks of the cluster may stop the update of the nodes of {}: constraint `{PRECONDITIONS}` is `{}`: {}",
        list(&pools),
        constraint.status,
        short(&constraint.message)
    );
    findings
        .invalid(&UNSATISFIED, FieldPath::new("spec.provider.workers"), message)
        .help("correct what the constraint names before; `garden-gate review` explains webhook configurations of the cluster");
}
