// SPDX-License-Identifier: Apache-2.0
use std::time::Duration;

use schemars::JsonSchema;
use serde::Serialize;

use super::cost::Costs;
use super::workload_json::{Workload, workload};
use crate::report::json_document;
use garden_gate_core::plan::{
    Action, Bounds, Capacity, ChangePlan, Estimates, PoolPlan, ShootPlan, Span, Start, Totals,
    Unknown, ZonePlan, headline,
};
use garden_gate_core::workload::Readiness;
use garden_gate_text::go::Quantity;

/// Formats a plan as JSON.
///
/// # Errors
/// Fails if `serde_json` fails, which does not happen for strings.
pub fn plan_json(change: &ChangePlan, readiness: Option<&Readiness>) -> serde_json::Result<String> {
    json_document(&document(change, readiness))
}

/// Plan of a change: what happens to the machines of Shoots.
#[derive(JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Plan")]
pub(crate) struct Document<'a> {
    /// The first line of the text output.
    headline: String,
    /// The sums over all Shoots, as if their changes started at the same time.
    totals: Sums,
    /// The resources of the additional machines of all Shoots, as far as they are known.
    extra_resources: Resources,
    /// Assumptions about durations, which no setting states.
    assumptions: Assumptions,
    /// The costs, with a price list in the configuration.
    #[serde(skip_serializing_if = "Option::is_none")]
    cost: Option<Costs<'a>>,
    /// The number of Shoots in the input that do not change.
    unchanged_shoots: usize,
    /// The changed Shoots.
    shoots: Vec<Shoot<'a>>,
    /// The Shoots and files without a plan.
    undetermined: Vec<Unplanned<'a>>,
    /// The results of the checks of workload, with `--workload` or `--shoot`.
    #[serde(skip_serializing_if = "Option::is_none")]
    workload: Option<Workload<'a>>,
}

/// A number that is known, or known to be in a range.
#[derive(JsonSchema, Serialize)]
#[schemars(rename = "Range")]
pub(super) struct Range {
    /// The lowest possible number.
    least: u32,
    /// The highest possible number; sums end at 4294967295.
    most: u32,
}

/// A duration in seconds.
#[derive(JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Seconds {
    /// The shortest duration.
    best: u64,
    /// The usual duration.
    typical: u64,
    /// The longest duration, if no machine fails.
    worst: u64,
}

/// Sums over zones.
#[derive(JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Sums {
    /// Machines before the change.
    before: Range,
    /// Machines after the change.
    after: Range,
    /// Replaced machines.
    replaced: Range,
    /// Machines that are updated in place, also those that wait for a selection.
    updated_in_place: Range,
    /// Machines that are updated in place only when a user selects their nodes.
    waiting_for_selection: Range,
    /// Created machines that replace no other one.
    created: Range,
    /// Deleted machines that are not replaced.
    deleted: Range,
    /// Waves of the zone with the most.
    waves: Range,
    /// Additional machines at a time.
    extra: Range,
    /// The lowest number of available machines.
    available: Range,
    /// The duration of all zones whose duration is known.
    seconds: Seconds,
    /// True if the duration of a zone is unknown.
    is_partly_untimed: bool,
}

/// Resources, as Kubernetes quantities.
#[derive(JsonSchema, Serialize)]
#[schemars(rename = "MachineResources")]
pub(super) struct Resources {
    /// CPUs; absent if unknown or 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    cpu: Option<String>,
    /// Memory; absent if unknown or 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    memory: Option<String>,
    /// GPUs; absent if unknown or 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    gpu: Option<String>,
}

/// Assumed durations in seconds.
#[derive(JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "AssumedSeconds")]
struct Assumptions {
    /// The creation of a machine until its node is ready, at best.
    creation_best: u64,
    /// The same, typically.
    creation_typical: u64,
    /// The same, at worst; absent if only the timeout of the pool limits it.
    #[serde(skip_serializing_if = "Option::is_none")]
    creation_worst: Option<u64>,
    /// The drain of a node and the deletion of its machine, at best.
    removal_best: u64,
    /// The same, typically.
    removal_typical: u64,
    /// The same, at worst; absent if only timeouts limit it.
    #[serde(skip_serializing_if = "Option::is_none")]
    removal_worst: Option<u64>,
    /// The deletion of a drained machine, at worst.
    deletion_worst: u64,
    /// The update of a drained node in place, at best.
    update_best: u64,
    /// The same, typically.
    update_typical: u64,
    /// The drain and the update in place, at worst; absent if only timeouts limit it.
    #[serde(skip_serializing_if = "Option::is_none")]
    update_worst: Option<u64>,
}

/// A Shoot or file without a plan.
#[derive(JsonSchema, Serialize)]
#[schemars(rename = "UnplannedShoot")]
struct Unplanned<'a> {
    /// The Shoot, such as `garden-dev/web`, or the file.
    title: &'a str,
    /// The reason.
    why: &'a str,
}

/// Plan of a Shoot.
#[derive(JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ShootPlan")]
struct Shoot<'a> {
    /// The namespace.
    namespace: &'a str,
    /// The name.
    name: &'a str,
    /// The region of its infrastructure.
    region: &'a str,
    /// When machines begin to change: `at-once`, `maintenance-window`, `wake-up` or `never`.
    start: &'static str,
    /// The maintenance window of `maintenance-window`; absent if any time of the day counts as one.
    #[serde(skip_serializing_if = "Option::is_none")]
    window: Option<TimeWindow<'a>>,
    /// The reason of `never`.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
    /// The first finding that refuses the change, so that nothing happens before it is corrected.
    #[serde(skip_serializing_if = "Option::is_none")]
    refused_by: Option<&'a str>,
    /// The sums over the pools.
    totals: Sums,
    /// The resources of the additional machines, as far as their types are known.
    extra_resources: Resources,
    /// The pools whose machines change.
    pools: Vec<Pool<'a>>,
    /// The pools without a plan.
    undetermined_pools: Vec<UnplannedPool<'a>>,
    /// Unknown facts that the plan depends on, one sentence each.
    unknown: &'a [String],
    /// The node network; absent if it is unknown, has IPv6 addresses, or no machine is added.
    #[serde(skip_serializing_if = "Option::is_none")]
    node_network: Option<NodeNetwork<'a>>,
}

/// Node network of a Shoot, and the machines that it must hold.
#[derive(JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "NodeNetwork")]
struct NodeNetwork<'a> {
    /// The CIDR.
    cidr: &'a str,
    /// The number of its addresses; infrastructures reserve some of them.
    addresses: u64,
    /// The number of machines if all pools have their maximum during the change.
    machines: u64,
    /// True if there are fewer addresses than machines.
    is_too_small: bool,
}

/// A daily maintenance window, as in the Shoot.
#[derive(JsonSchema, Serialize)]
struct TimeWindow<'a> {
    /// The begin, such as `220000+0100`.
    begin: &'a str,
    /// The end.
    end: &'a str,
}

/// A pool without a plan.
#[derive(JsonSchema, Serialize)]
struct UnplannedPool<'a> {
    /// The name of the pool.
    pool: &'a str,
    /// The reason.
    why: &'a str,
}

/// Plan of a pool.
#[derive(JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "PoolPlan")]
struct Pool<'a> {
    /// The name.
    name: &'a str,
    /// The machine type after the change.
    machine_type: &'a str,
    /// The effect on the machines that stay: `replace`, `update-in-place`, `update-by-hand` or `keep`.
    action: &'static str,
    /// False if the provider decides whether machines are replaced.
    is_certain: bool,
    /// The changed fields and requested operations that cause the effect.
    causes: &'a [String],
    /// The minimum after the change; absent if the pool is new or removed.
    #[serde(skip_serializing_if = "Option::is_none")]
    minimum: Option<u32>,
    /// Whether as many machines as the minimum stay available; absent if unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    keeps_minimum: Option<bool>,
    /// The highest possible number of machines during an update: the maximum with the surge of each zone.
    peak: u32,
    /// The sums over the zones.
    totals: Sums,
    /// The zones.
    zones: Vec<Zone<'a>>,
}

/// Plan of a zone of a pool.
#[derive(JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ZonePlan")]
struct Zone<'a> {
    /// The name; that of the pool without zones.
    name: &'a str,
    /// True if the zone is removed: its machines are deleted after all other changes.
    is_removed: bool,
    /// Machines before the change.
    before: Range,
    /// Machines after the change.
    after: Range,
    /// Replaced machines.
    replaced: Range,
    /// Machines that are updated in place.
    updated_in_place: Range,
    /// Created machines that replace no other one.
    created: Range,
    /// Deleted machines that are not replaced.
    deleted: Range,
    /// The number of waves.
    waves: Range,
    /// Additional machines at a time.
    extra: Range,
    /// The lowest number of available machines.
    available: Range,
    /// True if a machine is removed before the first new one is available.
    starts_with_removal: bool,
    /// True if the shares of `maxSurge` and `maxUnavailable` are both 0, so that one machine may be unavailable.
    is_forced: bool,
    /// The duration; absent if it is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<Seconds>,
    /// Why the duration is unknown: `waits-for-selection` or `resized-in-place`.
    #[serde(skip_serializing_if = "Option::is_none")]
    unknown_duration: Option<&'static str>,
}

fn document<'a>(change: &'a ChangePlan, readiness: Option<&'a Readiness>) -> Document<'a> {
    Document {
        headline: headline(change),
        totals: sums(&change.totals()),
        extra_resources: resources(&change.extra()),
        assumptions: assumptions(&change.settings.estimates),
        cost: change
            .cost()
            .zip(change.settings.prices.as_ref())
            .map(|(cost, prices)| Costs::of(&cost, prices)),
        unchanged_shoots: change.unchanged,
        shoots: change.shoots.iter().map(shoot).collect(),
        undetermined: change
            .undetermined
            .iter()
            .map(|it| Unplanned { title: &it.title, why: &it.why })
            .collect(),
        workload: readiness.map(workload),
    }
}

fn shoot(shoot: &ShootPlan) -> Shoot<'_> {
    let (start, window, reason) = match &shoot.start {
        Start::AtOnce => ("at-once", None, None),
        Start::InWindow(window) => {
            let window = window.as_ref().map(|(begin, end)| TimeWindow { begin, end });
            ("maintenance-window", window, None)
        }
        Start::AtWakeUp => ("wake-up", None, None),
        Start::Never(why) => ("never", None, Some(*why)),
    };
    Shoot {
        namespace: &shoot.namespace,
        name: &shoot.name,
        region: &shoot.region,
        start,
        window,
        reason,
        refused_by: shoot.refusal.as_deref(),
        totals: sums(&shoot.plan.totals),
        extra_resources: resources(&shoot.extra),
        pools: shoot.plan.pools.iter().map(pool).collect(),
        undetermined_pools: shoot
            .undetermined
            .iter()
            .map(|it| UnplannedPool { pool: &it.pool, why: &it.why })
            .collect(),
        unknown: &shoot.unknown,
        node_network: shoot.network.as_ref().map(|it| NodeNetwork {
            cidr: &it.cidr,
            addresses: it.addresses,
            machines: it.machines,
            is_too_small: it.is_too_small(),
        }),
    }
}

fn pool(pool: &PoolPlan) -> Pool<'_> {
    Pool {
        name: &pool.name,
        machine_type: &pool.machine_type,
        action: match pool.action {
            Action::Replace => "replace",
            Action::UpdateInPlace => "update-in-place",
            Action::UpdateByHand => "update-by-hand",
            Action::Keep => "keep",
        },
        is_certain: pool.is_certain,
        causes: &pool.causes,
        minimum: pool.minimum,
        keeps_minimum: pool.keeps_minimum(),
        peak: pool.peak,
        totals: sums(&pool.totals),
        zones: pool.zones.iter().map(zone).collect(),
    }
}

fn zone(zone: &ZonePlan) -> Zone<'_> {
    let (duration, unknown) = match zone.time {
        Ok(time) => (Some(seconds(time)), None),
        Err(Unknown::WaitsForSelection) => (None, Some("waits-for-selection")),
        Err(Unknown::ResizedInPlace) => (None, Some("resized-in-place")),
    };
    Zone {
        name: &zone.name,
        is_removed: zone.is_removed,
        before: range(zone.before),
        after: range(zone.after),
        replaced: range(zone.replaced),
        updated_in_place: range(zone.updated),
        created: range(zone.created),
        deleted: range(zone.deleted),
        waves: range(zone.waves),
        extra: range(zone.extra),
        available: range(zone.available),
        starts_with_removal: zone.starts_with_removal,
        is_forced: zone.is_forced,
        seconds: duration,
        unknown_duration: unknown,
    }
}

pub(super) fn sums(totals: &Totals) -> Sums {
    Sums {
        before: range(totals.before),
        after: range(totals.after),
        replaced: range(totals.replaced),
        updated_in_place: range(totals.updated),
        waiting_for_selection: range(totals.waiting),
        created: range(totals.created),
        deleted: range(totals.deleted),
        waves: range(totals.waves),
        extra: range(totals.extra),
        available: range(totals.available),
        seconds: seconds(totals.time),
        is_partly_untimed: totals.is_untimed || !totals.waiting.is_zero(),
    }
}

pub(super) fn range(bounds: Bounds) -> Range {
    Range { least: bounds.least, most: bounds.most }
}

pub(super) fn seconds(span: Span) -> Seconds {
    let seconds = |it: Duration| it.as_secs();
    Seconds { best: seconds(span.best), typical: seconds(span.typical), worst: seconds(span.worst) }
}

pub(super) fn resources(capacity: &Capacity) -> Resources {
    let known = |it: &Option<Quantity>| it.as_ref().map(Quantity::canonical);
    Resources {
        cpu: known(&capacity.cpu),
        memory: known(&capacity.memory),
        gpu: known(&capacity.gpu),
    }
}

fn assumptions(estimates: &Estimates) -> Assumptions {
    Assumptions {
        creation_best: estimates.creation_best.as_secs(),
        creation_typical: estimates.creation_typical.as_secs(),
        creation_worst: estimates.creation_worst.map(|it| it.as_secs()),
        removal_best: estimates.removal_best.as_secs(),
        removal_typical: estimates.removal_typical.as_secs(),
        removal_worst: estimates.removal_worst.map(|it| it.as_secs()),
        deletion_worst: estimates.deletion_worst.as_secs(),
        update_best: estimates.update_best.as_secs(),
        update_typical: estimates.update_typical.as_secs(),
        update_worst: estimates.update_worst.map(|it| it.as_secs()),
    }
}
