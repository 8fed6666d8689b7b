// SPDX-License-Identifier: Apache-2.0
use std::fmt::Write;

use crate::admission::{AffectedMachines, Context, FieldPath, Findings, Update, rule};
use crate::plan::{Estimates, ShootChange, ShootPlan, replacements};
use crate::rules::shoot::workers::pool_pairs::when;
use garden_gate_model::api::{ByName, Shoot, UpdateStrategy, Worker};
use garden_gate_model::gardener::rolling_update::{
    Effect, PoolChange, reaches_machines, requested_pool_changes,
};

rule! {
    page: include_str!("worker_pools_roll.md"),
    id: "shoot/worker-pools-roll",
    summary: "warns about worker pools that are rolled or updated in place",
    phase: Static,
    level: { documented: Warn, gardener: Off },
    scopes: [Shoot [Update]],
    findings: {
        ROLL = "shoot/worker-pools-roll": "the change replaces every machine of these pools",
        IN_PLACE = "shoot/worker-pools-update-in-place": "the change updates the nodes of these pools in place",
        MAY_ROLL = "shoot/worker-pools-may-roll": "the change replaces every machine of these pools if the infrastructure provider requires it",
    },
    check: Judge(check),
}

/// Maximum number of pools that a one-line warning names; the others are counted.
const NAMED: usize = 5;

fn check(context: &Context<'_>, shoot: Update<'_, Shoot>, findings: &mut Findings) {
    let Update { new, old } = shoot;
    if !reaches_machines(new, old) {
        return;
    }
    let changes = requested_pool_changes(old, new);
    let (before, after) = (old.pools(), new.pools());
    let when = when(new);
    let groups = [
        (
            &ROLL,
            Effect::Roll,
            "rolls, replacing every machine of",
            "do it at a quiet time, or let it wait for the maintenance window",
        ),
        (
            &IN_PLACE,
            Effect::InPlace,
            "updates in place the nodes of",
            in_place_help(&changes, &after),
        ),
        (
            &MAY_ROLL,
            Effect::MayRoll,
            "may roll, if the provider says so,",
            "ask the documentation of the provider whether these fields replace machines",
        ),
    ];
    for (kind, effect, what, help) in groups {
        let pools = pools(&changes, effect);
        if !pools.is_empty() {
            let mut message = format!("{when}this change {what} {pools}");
            if effect == Effect::Roll {
                message.extend(
                    planned(shoot, &context.config.plan.estimates).map(|plan| format!(": {plan}")),
                );
            }
            let path = FieldPath::new("spec.provider.workers");
            let found = findings.invalid(kind, path, message).help(help);
            if effect == Effect::Roll {
                found.machines(rolled(&changes, [&before, &after]));
            }
        }
    }
}

/// Returns the plan of the machines that are replaced, without a look at the profile.
fn planned(Update { new, old }: Update<'_, Shoot>, estimates: &Estimates) -> Option<String> {
    let change =
        ShootChange { old: Some(old), new: Some(new), profile: Err("not looked up"), estimates };
    replacements(&ShootPlan::of((&new.metadata.namespace, &new.metadata.name), &change))
}

type Pools<'a> = ByName<'a, Worker>;

/// Returns the help, with the manual steps for nodes that wait for a manual update.
fn in_place_help(changes: &[PoolChange<'_>], pools: &Pools<'_>) -> &'static str {
    let waits = |change: &PoolChange<'_>| {
        let pool = pools.get(change.pool);
        let strategy = pool.map(Worker::strategy);
        change.effect == Effect::InPlace && strategy == Some(UpdateStrategy::ManualInPlace)
    };
    let surges = |change: &PoolChange<'_>| {
        let pool = pools.get(change.pool);
        change.effect == Effect::InPlace && pool.is_some_and(Worker::replaces_surge)
    };
    match (changes.iter().any(waits), changes.iter().any(surges)) {
        (false, false) => "until it is done, these pools cannot be changed",
        (true, false) => {
            "until it is done, these pools cannot be changed; with `ManualInPlaceUpdate`, each node waits until somebody selects it"
        }
        (false, true) => {
            "until it is done, these pools cannot be changed; with `maxSurge` above 0, as many old nodes are terminated and replaced by new ones"
        }
        (true, true) => {
            "until it is done, these pools cannot be changed; with `ManualInPlaceUpdate`, each node waits until somebody selects it; with `maxSurge` above 0, as many old nodes are terminated and replaced by new ones"
        }
    }
}

/// Returns the pools that roll, with the machines that they may have before or after the change.
fn rolled(changes: &[PoolChange<'_>], sides: [&Pools<'_>; 2]) -> AffectedMachines {
    let pools = changes.iter().filter(|it| it.effect == Effect::Roll);
    let machines = pools.clone().map(|change| {
        let maxima = sides.iter().filter_map(|pools| pools.get(change.pool)).map(|it| it.maximum);
        maxima.max().and_then(|it| u64::try_from(it).ok()).unwrap_or_default()
    });
    AffectedMachines { are_removed: false, pools: pools.count(), at_most: machines.sum() }
}

/// Lists the pools of one effect, in order, with their causes.
///
/// Consecutive pools with the same causes are grouped.
fn pools(changes: &[PoolChange<'_>], effect: Effect) -> String {
    let hit: Vec<&PoolChange<'_>> = changes.iter().filter(|it| it.effect == effect).collect();
    let mut text = String::new();
    let named = &hit[..hit.len().min(NAMED)];
    for (index, change) in named.iter().enumerate() {
        let separator = if index == 0 { "" } else { ", " };
        let _infallible = write!(text, "{separator}`{}`", change.pool);
        let next = named.get(index + 1);
        if next.is_none_or(|next| next.causes != change.causes) {
            let _infallible = write!(text, " ({})", change.causes.join(", "));
        }
    }
    if hit.len() > NAMED {
        let _infallible = write!(text, " and {} more", hit.len() - NAMED);
    }
    text
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::{Value, from_value, json};

    use super::*;

    #[rstest]
    #[case::replaces_nodes(json!(2), true)]
    #[case::replaces_a_part_of_them(json!("10%"), true)]
    #[case::none(json!(0), false)]
    #[case::no_percent(json!("0%"), false)]
    fn help_names_nodes_that_are_replaced(#[case] surge: Value, #[case] expected: bool) {
        let workers =
            json!([{"name": "a", "updateStrategy": "AutoInPlaceUpdate", "maxSurge": surge}]);
        let shoot: Shoot = from_value(json!({"spec": {"provider": {"workers": workers}}})).unwrap();
        let change = PoolChange { pool: "a", effect: Effect::InPlace, causes: vec![] };
        let help = in_place_help(&[change], &shoot.pools());
        assert_eq!(help.contains("maxSurge"), expected, "{help}");
    }

    #[rstest]
    #[case::manual("ManualInPlaceUpdate", Effect::InPlace, true)]
    #[case::automatic("AutoInPlaceUpdate", Effect::InPlace, false)]
    #[case::rolls("ManualInPlaceUpdate", Effect::Roll, false)]
    fn help_names_manual_steps_of_updates_in_place(
        #[case] strategy: &str,
        #[case] effect: Effect,
        #[case] expected: bool,
    ) {
        let workers = json!([{"name": "a", "updateStrategy": strategy}]);
        let shoot: Shoot = from_value(json!({"spec": {"provider": {"workers": workers}}})).unwrap();
        let change = PoolChange { pool: "a", effect, causes: vec![] };
        let help = in_place_help(&[change], &shoot.pools());
        assert_eq!(help.contains("each node waits"), expected, "{help}");
    }
}
