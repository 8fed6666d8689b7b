use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;

use super::row::Row;
use crate::forecast::{
    Class, Effect, Event, Maintenance, Outlook, Part, ShootForecast, Sleep, UnknownForecast,
    VersionStatus,
};
use crate::report::json_document;

/// Formats a forecast as JSON.
///
/// # Errors
/// Fails if `serde_json` fails, which does not happen for strings.
pub fn forecast_json(outlook: &Outlook) -> serde_json::Result<String> {
    let page = document(outlook);
    json_document(&page)
}

fn document(outlook: &Outlook) -> Document<'_> {
    let counts = outlook.counts();
    Document {
        at: outlook.at,
        until: outlook.until,
        summary: Summary {
            shoots: outlook.shoots.len(),
            regular: counts.regular,
            forced: counts.forced,
            blocked: counts.blocked,
            no_update_possible: counts.impossible,
            paused: counts.paused,
            uncertain_windows: counts.unknown,
            not_forecast: outlook.unforeseen.len(),
        },
        shoots: outlook.shoots.iter().map(shoot).collect(),
        not_forecast: outlook.unforeseen.iter().map(missing).collect(),
    }
}

#[derive(JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Forecast")]
pub(in crate::report) struct Document<'a> {
    at: Timestamp,
    until: Timestamp,
    summary: Summary,
    shoots: Vec<Shoot<'a>>,
    not_forecast: Vec<Missing<'a>>,
}

#[derive(JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
struct Summary {
    shoots: usize,
    regular: usize,
    forced: usize,
    blocked: usize,
    no_update_possible: usize,
    paused: usize,
    uncertain_windows: usize,
    not_forecast: usize,
}

#[derive(JsonSchema, Serialize)]
struct Shoot<'a> {
    project: &'a str,
    owner: &'a str,
    namespace: &'a str,
    name: &'a str,
    profile: &'a str,
    targets: Vec<Target<'a>>,
    windows: Vec<Window<'a>>,
    remarks: &'a [String],
}

#[derive(JsonSchema, Serialize)]
struct Missing<'a> {
    project: &'a str,
    owner: &'a str,
    namespace: &'a str,
    name: &'a str,
    why: &'a str,
}

/// A version in use.
#[derive(JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
struct Target<'a> {
    #[serde(flatten)]
    part: PartName<'a>,
    version: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    classification: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end_of_support: Option<Timestamp>,
    auto_update: bool,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    target_version: Option<&'a str>,
    #[serde(skip_serializing_if = "str::is_empty")]
    paused_reason: &'a str,
}

#[derive(JsonSchema, Serialize)]
struct PartName<'a> {
    part: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pool: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    image: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<&'a str>,
}

#[derive(JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
struct Window<'a> {
    begin: Timestamp,
    earliest: Timestamp,
    latest: Timestamp,
    local: String,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    wakes_up: Option<Timestamp>,
    #[serde(skip_serializing_if = "is_false")]
    sleeps: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    blocked_by: Vec<Blocked<'a>>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    not_certain: &'a [String],
    events: Vec<EventFields<'a>>,
}

#[derive(JsonSchema, Serialize)]
struct Blocked<'a> {
    rule: &'static str,
    field: &'a str,
    message: &'a str,
    help: &'a str,
}

#[derive(JsonSchema, Serialize)]
struct EventFields<'a> {
    #[serde(flatten)]
    part: PartName<'a>,
    from: &'a str,
    to: Option<&'a str>,
    class: &'static str,
    cause: &'a str,
    effects: Vec<EffectOn<'a>>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    oddities: &'a [String],
    #[serde(skip_serializing_if = "str::is_empty")]
    advice: &'a str,
}

#[derive(JsonSchema, Serialize)]
struct EffectOn<'a> {
    effect: &'static str,
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
        windows: forecast
            .windows
            .iter()
            .map(|it| window(shoot, it))
            .collect(),
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

fn target(standing: &VersionStatus) -> Target<'_> {
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
    PartName {
        part: part.kind(),
        pool: part.pool(),
        image,
        field,
    }
}

fn window<'a>(shoot: &'a ShootForecast, window: &'a Maintenance) -> Window<'a> {
    let first = window.events.first();
    let local = first.map(|event| Row {
        shoot,
        window,
        event,
    });
    let local = local.map(|row| format!("{} {}", row.day(), row.time()));
    let is_stuck = window
        .events
        .iter()
        .all(|event| event.class == Class::NoUpdatePossible);
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
    EffectOn {
        effect: effect.happens.as_str(),
        pools: &effect.pools,
    }
}
