// SPDX-License-Identifier: Apache-2.0
//! The lines of a Shoot's plan, which Shoots with equal plans have in common.

use crate::report::truncation::number;
use garden_gate_core::plan::{
    Action, Bounds, PoolPlan, ShootPlan, Start, Unknown, ZonePlan, bounds, counted, minutes, usual,
};

/// The columns of the table.
pub(super) const COLUMNS: [&str; 9] =
    ["pool", "zone", "machines", "change", "waves", "extra", "available", "time", "at worst"];

/// Maximum number of zones whose names are listed in a row.
const ZONES: usize = 4;
/// Maximum number of rows of a Shoot; the others are counted.
const ROWS: usize = 24;
/// Maximum number of sentences in each list; the others are counted.
const SENTENCES: usize = 6;

/// The lines of a Shoot's plan, without its name.
#[derive(Clone, Debug, Default, Eq, Hash, PartialEq)]
pub(super) struct Body {
    /// When machines change.
    pub(super) when: String,
    /// What a person should do, one sentence each.
    pub(super) act: Vec<String>,
    /// The table, most disruptive pools first.
    pub(super) rows: Vec<[String; 9]>,
    /// Other facts, one sentence each.
    pub(super) notes: Vec<String>,
}

impl Body {
    pub(super) fn of(shoot: &ShootPlan) -> Self {
        let mut pools: Vec<&PoolPlan> = shoot.plan.pools.iter().collect();
        pools.sort_by_key(|pool| std::cmp::Reverse(disruption(pool)));
        let mut rows: Vec<[String; 9]> = pools.iter().flat_map(|pool| rows_of(pool)).collect();
        let more = rows.len().saturating_sub(ROWS);
        rows.truncate(ROWS);
        let mut notes: Vec<String> = pools.iter().filter_map(|pool| short(pool)).collect();
        notes.extend(pools.iter().filter_map(|pool| cause(pool)));
        if more > 0 {
            notes.insert(0, format!("and {} more rows; JSON has all of them", number(more)));
        }
        let extra = shoot.extra.to_string();
        if !extra.is_empty() {
            notes.push(format!("extra at a time: {extra}"));
        }
        notes.extend(shoot.unknown.iter().map(|it| format!("not known: {it}")));
        Self {
            when: when(&shoot.start),
            act: limited(act(shoot, &pools)),
            rows,
            notes: limited(notes),
        }
    }
}

/// Returns the order of pools.
pub(super) fn disruption(pool: &PoolPlan) -> (bool, u32, u32) {
    let totals = &pool.totals;
    let is_short = pool.keeps_minimum() == Some(false);
    (is_short, pool.disrupted().most, totals.deleted.most.saturating_add(totals.created.most))
}

fn limited(mut sentences: Vec<String>) -> Vec<String> {
    let more = sentences.len().saturating_sub(SENTENCES);
    sentences.truncate(SENTENCES);
    if more > 0 {
        sentences.push(format!("and {} more; JSON has all of them", number(more)));
    }
    sentences
}

/// Formats when machines change.
fn when(start: &Start) -> String {
    match start {
        Start::AtOnce => "at once".to_owned(),
        Start::InWindow(Some((begin, end))) => {
            format!("in the maintenance window `{begin}` to `{end}`, and on after it")
        }
        Start::InWindow(None) => {
            "in the maintenance window, which is any time of the day".to_owned()
        }
        Start::AtWakeUp => "when the cluster wakes up from hibernation".to_owned(),
        Start::Never(why) => format!("not at all: {why}"),
    }
}

/// Returns sentences on actions of a person.
fn act(shoot: &ShootPlan, pools: &[&PoolPlan]) -> Vec<String> {
    let mut act = Vec::new();
    if let Some(refusal) = &shoot.refusal {
        act.push(format!("correct the change, which is refused: {refusal}"));
    }
    if let Some(network) = shoot.network.as_ref().filter(|it| it.is_too_small()) {
        act.push(format!(
            "lower `maximum` or `maxSurge`: the node network `{}` has {} addresses, and all pools at their maximum have {} machines during the change",
            network.cidr,
            number(usize::try_from(network.addresses).unwrap_or(usize::MAX)),
            number(usize::try_from(network.machines).unwrap_or(usize::MAX)),
        ));
    }
    let unplanned = shoot.undetermined.iter();
    act.extend(unplanned.map(|it| format!("pool `{}` has no plan: {}", it.pool, it.why)));
    for pool in pools {
        let name = &pool.name;
        if !pool.totals.waiting.is_zero() {
            act.push(format!(
                "select the nodes of pool `{name}` for the update, each with the label `node.machine.sapcloud.io/selected-for-update`"
            ));
        }
        let has = |check: fn(&&ZonePlan) -> bool| {
            let zones: Vec<&str> = pool.zones.iter().filter(check).map(|it| &*it.name).collect();
            (!zones.is_empty()).then(|| names(&zones))
        };
        if let Some(zones) = has(|it| it.is_forced && !it.replaced.is_zero()) {
            act.push(format!(
                "set `maxSurge: {}` of pool `{name}`; without a share of it, machines are removed before new ones are ready in {zones}",
                pool.zones.iter().filter(|it| !it.is_removed).count()
            ));
        }
        if let Some(zones) = has(|it| it.time == Err(Unknown::ResizedInPlace)) {
            act.push(format!(
                "the update in place of {zones} of pool `{name}` may stop, since the number of machines changes, too; change them one after the other"
            ));
        }
    }
    act
}

/// Returns a sentence on a pool that has fewer machines than its minimum during the update.
fn short(pool: &PoolPlan) -> Option<String> {
    let is_disrupted = !pool.disrupted().is_zero();
    let minimum = pool.minimum.filter(|_| is_disrupted && pool.keeps_minimum() == Some(false))?;
    Some(format!(
        "pool `{}` has {} available at the lowest, below its minimum {}",
        pool.name,
        counted(pool.totals.available, "machine"),
        bounds(Bounds::exactly(minimum))
    ))
}

/// Formats the first names, and the number of the others.
pub(super) fn first(names: impl ExactSizeIterator<Item = String>, most: usize) -> String {
    let more = names.len().saturating_sub(most);
    let first = names.take(most).collect::<Vec<String>>().join(", ");
    if more == 0 { first } else { format!("{first} and {} more", number(more)) }
}

/// Formats the names of zones.
fn names(zones: &[&str]) -> String {
    let noun = if zones.len() == 1 { "zone" } else { "zones" };
    format!("{noun} {}", first(zones.iter().map(|it| format!("`{it}`")), ZONES))
}

/// Formats why a pool is replaced or updated.
fn cause(pool: &PoolPlan) -> Option<String> {
    let is_meant = pool.action != Action::Keep && !pool.causes.is_empty();
    is_meant.then(|| format!("pool `{}` because of {}", pool.name, pool.causes.join(", ")))
}

/// Returns the rows of a pool; equal zones have one.
fn rows_of(pool: &PoolPlan) -> Vec<[String; 9]> {
    let mut groups: Vec<Vec<&ZonePlan>> = Vec::new();
    for zone in pool.zones.iter().filter(|it| !is_idle(it)) {
        let is_equal =
            |group: &&mut Vec<&ZonePlan>| group.first().is_some_and(|it| equal(it, zone));
        match groups.iter_mut().find(is_equal) {
            Some(group) => group.push(zone),
            None => groups.push(vec![zone]),
        }
    }
    let rows = groups.iter().enumerate().filter_map(|(index, group)| {
        let first = group.first()?;
        let name = if index == 0 { pool.name.clone() } else { String::new() };
        Some(row(name, group, first))
    });
    rows.collect()
}

fn is_idle(zone: &ZonePlan) -> bool {
    [zone.replaced, zone.updated, zone.created, zone.deleted].iter().all(|it| it.is_zero())
}

fn equal(one: &ZonePlan, other: &ZonePlan) -> bool {
    ZonePlan { name: String::new(), ..one.clone() }
        == ZonePlan { name: String::new(), ..other.clone() }
}

fn row(pool: String, zones: &[&ZonePlan], zone: &ZonePlan) -> [String; 9] {
    let names = first(zones.iter().map(|it| it.name.clone()), ZONES);
    let each = if zones.len() > 1 { "each of " } else { "" };
    let (time, worst) = match zone.time {
        Ok(time) => (usual(time), minutes(time.worst)),
        Err(Unknown::WaitsForSelection) => ("by hand".to_owned(), "by hand".to_owned()),
        Err(Unknown::ResizedInPlace) => ("unknown".to_owned(), "unknown".to_owned()),
    };
    let machines = if zone.before == zone.after {
        bounds(zone.before)
    } else {
        format!("{} -> {}", bounds(zone.before), bounds(zone.after))
    };
    let is_disrupted = !zone.waves.is_zero();
    let only = |number: Bounds| if is_disrupted { bounds(number) } else { String::new() };
    [
        pool,
        format!("{each}{names}"),
        machines,
        changes(zone),
        only(zone.waves),
        only(zone.extra),
        only(zone.available),
        time,
        worst,
    ]
}

fn changes(zone: &ZonePlan) -> String {
    let kinds = [
        (zone.replaced, "replaced"),
        (zone.updated, "updated in place"),
        (zone.created, "created"),
        (zone.deleted, "deleted"),
    ];
    let kinds = kinds.iter().filter(|(count, _)| !count.is_zero());
    let kinds: Vec<String> =
        kinds.map(|(count, what)| format!("{} {what}", bounds(*count))).collect();
    kinds.join(", ")
}
