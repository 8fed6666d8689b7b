// SPDX-License-Identifier: Apache-2.0
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;

use super::ForecastReport;
use super::row::{Row, Section, entries, rows};
use crate::forecast::{
    Class, Effect, Event, Maintenance, Outlook, Part, ShootForecast, Sleep, UnknownForecast,
    VersionStatus,
};
use crate::report::json_document;
use crate::report::summary::JudgedAs;

/// Formats a forecast as JSON.
///
/// # Errors
/// Fails if `serde_json` fails, which does not happen for strings.
pub fn forecast_json(report: ForecastReport<'_>) -> serde_json::Result<String> {
    json_document(&document(report))
}

fn document(report: ForecastReport<'_>) -> Document<'_> {
    let outlook = report.outlook;
    let counts = outlook.counts();
    Document {
        at: outlook.at,
        until: outlook.until,
        judged_as: outlook.judged.into(),
        summary: Summary {
            shoots: outlook.shoots.len(),
            regular: counts.regular,
            forced: counts.forced,
            blocked: counts.blocked,
            no_update_possible: counts.impossible,
            paused: counts.paused,
            uncertain_windows: counts.unknown,
            not_forecast: outlook.unforeseen.len(),
            must_act: must_act(outlook),
        },
        changed_since: report.changes.map(|changes| Changed {
            file: &changes.file,
            shoots: changes.shoots,
            new: changes.new,
            gone: changes.gone,
            known: changes.known,
        }),
        shoots: outlook.shoots.iter().map(shoot).collect(),
        not_forecast: outlook.unforeseen.iter().map(missing).collect(),
    }
}

/// Returns the number of blocked runs, impossible updates, and Shoots without a forecast.
fn must_act(outlook: &Outlook) -> usize {
    let urgent: Vec<Row<'_>> =
        rows(outlook.shoots.iter()).into_iter().filter(|it| it.section() == Section::Act).collect();
    entries(&urgent).len() + outlook.unforeseen.len()
}

/// Forecast of a garden; with `--changed-since`, only its new events and notes.
#[derive(JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Forecast")]
pub(crate) struct Document<'a> {
    /// The start of the forecast.
    at: Timestamp,
    /// The end of the forecast.
    until: Timestamp,
    /// The version of Gardener by which updates are judged.
    judged_as: JudgedAs<'a>,
    /// Counts of Shoots and events.
    summary: Summary,
    /// The comparison with a file, with `--changed-since`.
    #[serde(skip_serializing_if = "Option::is_none")]
    changed_since: Option<Changed<'a>>,
    /// The Shoots with a forecast.
    shoots: Vec<Shoot<'a>>,
    /// The Shoots without a forecast.
    not_forecast: Vec<Missing<'a>>,
}

/// Counts of a forecast.
#[derive(JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ForecastCounts")]
struct Summary {
    /// Shoots with a forecast; with `--changed-since`, those with new events or notes.
    shoots: usize,
    /// Regular updates that no rule denies.
    regular: usize,
    /// Forced updates that no rule denies.
    forced: usize,
    /// Updates that a rule denies.
    blocked: usize,
    /// Events of class `no update possible`.
    no_update_possible: usize,
    /// Versions with status `paused`.
    paused: usize,
    /// Windows with undetermined rules.
    uncertain_windows: usize,
    /// Shoots without a forecast.
    not_forecast: usize,
    /// Blocked runs, impossible updates, and Shoots without a forecast, which need a person.
    must_act: usize,
}

/// Comparison with an earlier forecast.
#[derive(JsonSchema, Serialize)]
#[schemars(rename = "ForecastChanges")]
struct Changed<'a> {
    /// The file of the earlier forecast.
    file: &'a str,
    /// All selected Shoots.
    shoots: usize,
    /// New events, and Shoots that are newly without a forecast. Only these are in the document.
    new: usize,
    /// Events of the earlier forecast that no longer occur; equal ones of a Shoot count once.
    gone: usize,
    /// Other events, which are in both forecasts.
    known: usize,
}

/// Forecast of a Shoot.
#[derive(JsonSchema, Serialize)]
#[schemars(rename = "ShootForecast")]
struct Shoot<'a> {
    /// The Project.
    project: &'a str,
    /// The owner of the Project.
    owner: &'a str,
    /// The namespace of the Shoot.
    namespace: &'a str,
    /// The name of the Shoot.
    name: &'a str,
    /// The profile, such as `CloudProfile stratus`.
    profile: &'a str,
    /// The versions in use, with their future.
    targets: Vec<Target<'a>>,
    /// The maintenance windows in which something changes.
    windows: Vec<Window<'a>>,
    /// Notes on the Shoot, such as a missing maintenance window.
    remarks: &'a [String],
}

/// A Shoot without a forecast.
#[derive(JsonSchema, Serialize)]
#[schemars(rename = "UnknownForecast")]
struct Missing<'a> {
    /// The Project.
    project: &'a str,
    /// The owner of the Project.
    owner: &'a str,
    /// The namespace of the Shoot.
    namespace: &'a str,
    /// The name of the Shoot.
    name: &'a str,
    /// The reason why there is no forecast.
    why: &'a str,
}

/// A version in use.
#[derive(JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "VersionInUse")]
pub(in crate::report) struct Target<'a> {
    #[serde(flatten)]
    part: PartName<'a>,
    /// The version.
    version: &'a str,
    /// The current classification in the profile.
    #[serde(skip_serializing_if = "Option::is_none")]
    classification: Option<&'a str>,
    /// The expiration date in the profile.
    #[serde(skip_serializing_if = "Option::is_none")]
    end_of_support: Option<Timestamp>,
    /// True if maintenance updates the version automatically.
    auto_update: bool,
    /// `stays`, `scheduled`, `blocked`, `no-update-possible` or `paused`.
    status: &'static str,
    /// The version after the next update.
    #[serde(skip_serializing_if = "Option::is_none")]
    target_version: Option<&'a str>,
    /// The reason of the status `paused`.
    #[serde(skip_serializing_if = "str::is_empty")]
    paused_reason: &'a str,
}

#[derive(JsonSchema, Serialize)]
struct PartName<'a> {
    /// `control-plane`, `pool` (its Kubernetes version), `image` (of a pool), `field` or `operation`.
    part: &'static str,
    /// The worker pool of `pool` and `image`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pool: Option<&'a str>,
    /// The name of the machine image of `image`.
    #[serde(skip_serializing_if = "Option::is_none")]
    image: Option<&'a str>,
    /// The path of `field`.
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<&'a str>,
}

/// A maintenance window with changes.
#[derive(JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "MaintenanceWindow")]
pub(in crate::report) struct Window<'a> {
    /// The start of the window.
    begin: Timestamp,
    /// The earliest time of the run.
    earliest: Timestamp,
    /// The latest end of the run, if Gardener works without delays.
    latest: Timestamp,
    /// The day and time of the run in the time zone of the window.
    local: String,
    /// `scheduled`, `blocked` (the run is denied) or `no-update-possible`.
    status: &'static str,
    /// The time at which the hibernated cluster wakes up; nodes are updated after it.
    #[serde(skip_serializing_if = "Option::is_none")]
    wakes_up: Option<Timestamp>,
    /// True if the cluster is hibernated at that time.
    #[serde(skip_serializing_if = "is_false")]
    sleeps: bool,
    /// The findings that deny the run. Gardener tries again in each window.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    blocked_by: Vec<Blocked<'a>>,
    /// Undetermined rules, which may deny the run.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    not_certain: &'a [String],
    /// The changes of the run.
    events: Vec<EventFields<'a>>,
}

/// A finding that denies a maintenance run.
#[derive(JsonSchema, Serialize)]
#[schemars(rename = "BlockingFinding")]
struct Blocked<'a> {
    /// The id of the rule.
    rule: &'static str,
    /// The field.
    field: &'a str,
    /// The violation in one sentence.
    message: &'a str,
    /// The remedy; may be empty.
    help: &'a str,
}

/// A change by a maintenance run, or an update that is due but impossible.
#[derive(JsonSchema, Serialize)]
#[schemars(rename = "Event")]
struct EventFields<'a> {
    #[serde(flatten)]
    part: PartName<'a>,
    /// The former value.
    from: &'a str,
    /// The new value; `null` if there is no target version, or if the value is removed.
    to: Option<&'a str>,
    /// `regular`, `forced` or `no update possible`.
    class: &'static str,
    /// The reason, as a sentence.
    cause: &'a str,
    /// The disruptions that the change causes.
    effects: Vec<EffectOn<'a>>,
    /// Warnings about results that are probably unintended, although Gardener produces them.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    oddities: &'a [String],
    /// The action that the owner of the Shoot should or can take before; absent if there is nothing to do.
    #[serde(skip_serializing_if = "str::is_empty")]
    advice: &'a str,
}

/// A disruption.
#[derive(JsonSchema, Serialize)]
#[schemars(rename = "Disruption")]
struct EffectOn<'a> {
    /// `api-server-restarts`, `kubelets-restart`, `in-place`, `in-place-by-hand`, `replaces-surge`, `may-roll` or `rolls`.
    effect: &'static str,
    /// The affected worker pools.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    pools: &'a [String],
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
fn is_false(value: &bool) -> bool {
    !value
}

fn shoot(shoot: &ShootForecast) -> Shoot<'_> {
    let forecast = &shoot.forecast;
    Shoot {
        project: &shoot.owner.project,
        owner: &shoot.owner.name,
        namespace: &forecast.namespace,
        name: &forecast.name,
        profile: &forecast.profile,
        targets: forecast.standings.iter().map(target).collect(),
        windows: forecast.windows.iter().map(|it| window(shoot, it)).collect(),
        remarks: &forecast.remarks,
    }
}

fn missing(shoot: &UnknownForecast) -> Missing<'_> {
    Missing {
        project: &shoot.owner.project,
        owner: &shoot.owner.name,
        namespace: &shoot.namespace,
        name: &shoot.name,
        why: &shoot.why,
    }
}

pub(in crate::report) fn target(standing: &VersionStatus) -> Target<'_> {
    Target {
        part: part(&standing.part),
        version: &standing.version,
        classification: standing.classification.as_deref(),
        end_of_support: standing.expires,
        auto_update: standing.is_automatic,
        status: standing.status.as_str(),
        target_version: standing.target.as_deref(),
        paused_reason: &standing.paused,
    }
}

fn part(part: &Part) -> PartName<'_> {
    let (image, field) = match part {
        Part::Image { image, .. } => (Some(image.as_str()), None),
        Part::Field { path } => (None, Some(path.as_str())),
        Part::ControlPlane | Part::Pool { .. } | Part::Operation => (None, None),
    };
    PartName { part: part.kind(), pool: part.pool(), image, field }
}

pub(in crate::report) fn window<'a>(
    shoot: &'a ShootForecast,
    window: &'a Maintenance,
) -> Window<'a> {
    let first = window.events.first();
    let local = first
        .map(|event| Row { shoot, window, event })
        .map(|row| format!("{} {}", row.day(), row.time()));
    let is_stuck = window.events.iter().all(|event| event.class == Class::NoUpdatePossible);
    let wakes_up = match window.sleep {
        Sleep::Until(wakes) => Some(wakes),
        Sleep::Awake | Sleep::Indefinitely => None,
    };
    Window {
        begin: window.begin,
        earliest: window.earliest,
        latest: window.latest,
        local: local.unwrap_or_default(),
        status: match (window.is_blocked(), is_stuck) {
            (true, _) => "blocked",
            (false, true) => "no-update-possible",
            (false, false) => "scheduled",
        },
        wakes_up,
        sleeps: window.sleep != Sleep::Awake,
        blocked_by: window
            .blocked
            .iter()
            .map(|it| Blocked {
                rule: it.rule,
                field: &it.field,
                message: &it.message,
                help: &it.help,
            })
            .collect(),
        not_certain: &window.unknown,
        events: window.events.iter().map(happening).collect(),
    }
}

fn happening(event: &Event) -> EventFields<'_> {
    EventFields {
        part: part(&event.part),
        from: &event.from,
        to: event.to.as_deref(),
        class: event.class.as_str(),
        cause: &event.cause,
        effects: event.effects.iter().map(effect).collect(),
        oddities: &event.oddities,
        advice: &event.advice,
    }
}

fn effect(effect: &Effect) -> EffectOn<'_> {
    EffectOn { effect: effect.happens.as_str(), pools: &effect.pools }
}
