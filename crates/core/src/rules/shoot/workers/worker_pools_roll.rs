use std::borrow::Cow;
use std::fmt::Write;

use crate::admission::{AffectedMachines, Context, FieldPath, Findings, Update, rule};
use crate::rules::shoot::workers::pool_pairs::{reaches_machines, when};
use garden_gate_model::api::{ByName, Shoot, UpdateStrategy, Worker};
use garden_gate_model::gardener::rolling_update::{
    Effect, NodeOperation, PoolChange, Reservation, Side, node_operations, pool_changes,
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
const NOW: &str = "gardener.cloud/operation";
const MAINTENANCE: &str = "maintenance.gardener.cloud/operation";

fn check(_: &Context<'_>, shoot: Update<'_, Shoot>, findings: &mut Findings) {
    let Update { new, old } = shoot;
    if !reaches_machines(new, old) {
        return;
    }
    let side = |shoot| Side {
        shoot,
        // The API server ignores the status of a request.
        status: &old.status,
        reservation: Reservation::Static,
    };
    let mut changes = pool_changes(side(old), side(new));
    let (before, after) = (old.pools(), new.pools());
    changes.retain(|change| has_machines(&before, &after, change.pool));
    let asked = |key| new_operations(new, old, key);
    let (now, later) = (asked(NOW), asked(MAINTENANCE));
    for change in &mut changes {
        add_operations(change, &after, &now, &later);
    }
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
            let message = format!("{when}this change {what} {pools}");
            let path = FieldPath::new("spec.provider.workers");
            let found = findings.invalid(kind, path, message).help(help);
            if effect == Effect::Roll {
                found.machines(rolled(&changes, [&before, &after]));
            }
        }
    }
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

fn has_machines(old: &Pools<'_>, new: &Pools<'_>, pool: &str) -> bool {
    let sides = [old.get(pool), new.get(pool)];
    sides.into_iter().flatten().any(|pool| pool.maximum != 0)
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

/// Returns the operations of an annotation that was added or changed.
fn new_operations<'a>(new: &'a Shoot, old: &'a Shoot, key: &str) -> Vec<NodeOperation<'a>> {
    let [value, before] = [new, old].map(|shoot| shoot.metadata.annotations.get(key));
    match value {
        Some(value) if Some(value) != before => node_operations(value, new, &old.status),
        _ => Vec::new(),
    }
}

/// Adds the effects of operations on a pool; a new pool has no nodes to affect.
fn add_operations(
    change: &mut PoolChange<'_>,
    new: &Pools<'_>,
    now: &[NodeOperation<'_>],
    later: &[NodeOperation<'_>],
) {
    let there = new.get(change.pool);
    let Some(pool) = there.filter(|_| change.effect != Effect::Created) else {
        return;
    };
    let reached = |operation: &&NodeOperation<'_>| operation.scope.contains(&pool.name);
    let immediate = now.iter().filter(reached).map(|it| Cow::from(it.name));
    let later = later
        .iter()
        .filter(reached)
        .map(|it| Cow::from(format!("{} in the maintenance window", it.name)));
    let causes: Vec<Cow<'static, str>> = immediate.chain(later).collect();
    if causes.is_empty() {
        return;
    }
    let effect = if pool.is_in_place() { Effect::InPlace } else { Effect::Roll };
    if change.effect != effect {
        (change.effect, change.causes) = (effect, Vec::new());
    }
    change.causes.extend(causes);
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
