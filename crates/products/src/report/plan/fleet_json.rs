// SPDX-License-Identifier: Apache-2.0
use jiff::Timestamp;
use jiff::civil::Date;
use schemars::JsonSchema;
use serde::Serialize;

use super::cost::Costs;
use super::fleet::{FleetReport, headline};
use super::json::{Range, Resources, Seconds, Sums, range, resources, seconds, sums};
use super::spread::SpreadDates;
use crate::forecast::{FleetTotals, FleetWindow};
use crate::report::json_document;
use crate::report::summary::JudgedAs;
use garden_gate_core::plan::headline_of_shoot;

/// Formats the machines that maintenance changes as JSON.
///
/// # Errors
/// Fails if `serde_json` fails, which does not happen for strings.
pub fn fleet_json(
    FleetReport { plan: fleet, without, spread, settings }: FleetReport<'_>,
) -> serde_json::Result<String> {
    let outlook = fleet.outlook;
    let days = fleet.days().into_iter().map(|it| Day {
        day: it.day,
        shoots: it.shoots,
        totals: sums(&it.totals),
    });
    let peaks = fleet.peaks().into_iter().map(|it| Peak {
        region: it.region,
        day: it.day,
        extra: range(it.extra),
        extra_resources: resources(&it.resources),
    });
    let unforeseen = outlook.unforeseen.iter().map(|it| Unforeseen {
        project: &it.owner.project,
        owner: &it.owner.name,
        namespace: &it.namespace,
        name: &it.name,
        why: &it.why,
    });
    json_document(&Document {
        headline: headline(fleet),
        without_change: without.map(headline),
        spread: spread.map(SpreadDates::of),
        at: outlook.at,
        until: outlook.until,
        judged_as: outlook.judged.into(),
        totals: Totals::of(&fleet.totals()),
        cost: settings.prices.as_ref().map(|prices| Costs::of(&fleet.cost(prices), prices)),
        days: days.collect(),
        peaks: peaks.collect(),
        windows: fleet.windows.iter().map(window).collect(),
        not_forecast: unforeseen.collect(),
    })
}

/// Plan of maintenance: what happens to the machines of all Shoots.
#[derive(JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "FleetPlan")]
pub(crate) struct Document<'a> {
    /// The first line of the text output.
    headline: String,
    /// The first line for the garden as it is, with `--with`.
    #[serde(skip_serializing_if = "Option::is_none")]
    without_change: Option<String>,
    /// Proposed expiration dates, with `--spread`.
    #[serde(skip_serializing_if = "Option::is_none")]
    spread: Option<SpreadDates<'a>>,
    /// The start of the forecast.
    at: Timestamp,
    /// The end of the forecast.
    until: Timestamp,
    /// The version of Gardener by which updates are judged.
    judged_as: JudgedAs<'a>,
    /// The machines that change in all windows; a machine may change in several of them.
    totals: Totals,
    /// The costs, with a price list in the configuration.
    #[serde(skip_serializing_if = "Option::is_none")]
    cost: Option<Costs<'a>>,
    /// The days (UTC) on which machines change.
    days: Vec<Day>,
    /// The day with the most additional machines of each region that needs some.
    peaks: Vec<Peak>,
    /// The windows in which machines change, by time.
    windows: Vec<Window<'a>>,
    /// The Shoots without a forecast.
    not_forecast: Vec<Unforeseen<'a>>,
}

/// Machines that change in the windows of different days.
#[derive(JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "FleetTotals")]
struct Totals {
    /// Replaced machines.
    replaced: Range,
    /// Machines that are updated in place and stay.
    updated_in_place: Range,
    /// Machines that wait until a user selects them; part of those that are updated in place.
    waiting_for_selection: Range,
    /// Created machines that replace no other one.
    created: Range,
    /// Deleted machines that are not replaced.
    deleted: Range,
    /// Additional machines at a time, on the day with the most.
    extra: Range,
    /// The duration of the longest window.
    seconds: Seconds,
}

impl Totals {
    fn of(totals: &FleetTotals) -> Self {
        Self {
            replaced: range(totals.replaced),
            updated_in_place: range(totals.updated),
            waiting_for_selection: range(totals.waiting),
            created: range(totals.created),
            deleted: range(totals.deleted),
            extra: range(totals.extra),
            seconds: seconds(totals.longest),
        }
    }
}

/// Machines of one day, as if all of its windows began at the same time.
#[derive(JsonSchema, Serialize)]
#[schemars(rename = "FleetDay")]
struct Day {
    /// The day (UTC).
    #[schemars(with = "String")]
    day: Date,
    /// The number of Shoots.
    shoots: usize,
    /// The sums over the Shoots.
    totals: Sums,
}

/// Day with the most additional machines of a region.
#[derive(JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "RegionPeak")]
struct Peak {
    /// The region.
    region: String,
    /// The day (UTC).
    #[schemars(with = "String")]
    day: Date,
    /// Additional machines at a time.
    extra: Range,
    /// The resources of these machines, as far as they are known.
    extra_resources: Resources,
}

/// Maintenance window in which machines change.
#[derive(JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "FleetWindow")]
struct Window<'a> {
    /// The Project.
    project: &'a str,
    /// The owner of the Project.
    owner: &'a str,
    /// The namespace of the Shoot.
    namespace: &'a str,
    /// The name of the Shoot.
    name: &'a str,
    /// The region of its infrastructure.
    region: &'a str,
    /// The start of the window.
    begin: Timestamp,
    /// The latest end of the run.
    latest: Timestamp,
    /// The machines in words.
    headline: String,
    /// True if the update typically lasts longer than the window.
    is_longer_than_window: bool,
    /// The sums over the pools.
    totals: Sums,
    /// The resources of the additional machines, as far as their types are known.
    extra_resources: Resources,
}

/// Shoot without a forecast.
#[derive(JsonSchema, Serialize)]
#[schemars(rename = "UnplannedFleetShoot")]
struct Unforeseen<'a> {
    /// The Project.
    project: &'a str,
    /// The owner of the Project.
    owner: &'a str,
    /// The namespace of the Shoot.
    namespace: &'a str,
    /// The name of the Shoot.
    name: &'a str,
    /// The reason.
    why: &'a str,
}

fn window<'a>(it: &FleetWindow<'a>) -> Window<'a> {
    Window {
        project: &it.shoot.owner.project,
        owner: &it.shoot.owner.name,
        namespace: &it.plan.namespace,
        name: &it.plan.name,
        region: &it.plan.region,
        begin: it.window.begin,
        latest: it.window.latest,
        headline: headline_of_shoot(it.plan),
        is_longer_than_window: it.is_longer_than_window(),
        totals: sums(&it.plan.plan.totals),
        extra_resources: resources(&it.plan.extra),
    }
}
