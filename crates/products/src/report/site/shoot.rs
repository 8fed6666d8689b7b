// SPDX-License-Identifier: Apache-2.0
//! One Shoot in whole.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;

use super::finding::{FindingFields, SilencedFields, UnknownFields, findings, silenced, unknown};
use crate::forecast::{Forecast, Owner, ShootForecast, UnknownForecast, VersionStatus, deletion};
use crate::report::Reviewed;
use crate::report::forecast::json::{Target, Window, target, window};
use garden_gate_model::api::{Condition, Shoot, Worker};
use garden_gate_text::go::clip;

/// Maximum number of pools, and of conditions and constraints; no real Shoot has more.
const POOLS: usize = 500;
const CONDITIONS: usize = 50;
/// Maximum length of the message of a condition, in bytes.
const MESSAGE: usize = 1_000;

/// A Shoot with its forecast and findings.
#[derive(JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "SiteShoot")]
pub(super) struct Document<'a> {
    /// The namespace.
    namespace: &'a str,
    /// The name.
    name: &'a str,
    /// The Project; empty if it is unknown.
    project: &'a str,
    /// The owner of the Project.
    owner: &'a str,
    /// The profile, such as `CloudProfile stratus`.
    #[serde(skip_serializing_if = "str::is_empty")]
    profile: &'a str,
    #[serde(flatten)]
    facts: Option<Facts<'a>>,
    /// The forecast; `null` if none is possible.
    forecast: Option<ForecastFields<'a>>,
    /// The reason why there is no forecast.
    #[serde(skip_serializing_if = "Option::is_none")]
    not_forecast: Option<&'a str>,
    /// The violations, with their occasions.
    findings: Vec<FindingFields<'a>>,
    /// Checks that could not be evaluated.
    undetermined: Vec<UnknownFields<'a>>,
    /// Findings that annotations of the Shoot silence.
    silenced: Vec<SilencedFields<'a>>,
    /// Commands that show more.
    commands: Vec<Suggestion>,
}

/// The state of a Shoot that could be parsed.
#[derive(JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
struct Facts<'a> {
    /// The provider, such as `aws`.
    provider: &'a str,
    /// The region.
    region: &'a str,
    /// The purpose.
    #[serde(skip_serializing_if = "Option::is_none")]
    purpose: Option<&'a str>,
    /// The Seed of the control plane.
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<&'a str>,
    /// The Kubernetes version.
    kubernetes: &'a str,
    /// Whether the cluster is hibernated.
    hibernated: bool,
    /// The time at which Gardener deletes it, since its Quota limits its lifetime.
    #[serde(skip_serializing_if = "Option::is_none")]
    deletion: Option<Timestamp>,
    /// The failures that the control plane tolerates: `node` or `zone`.
    #[serde(skip_serializing_if = "Option::is_none")]
    high_availability: Option<&'a str>,
    /// The maintenance window and the automatic updates.
    maintenance: MaintenanceFields<'a>,
    /// The worker pools.
    pools: Vec<Pool<'a>>,
    /// What prevents operations, as Gardener reports it.
    constraints: Vec<ConditionFields<'a>>,
    /// The health of the cluster, as Gardener reports it.
    conditions: Vec<ConditionFields<'a>>,
}

/// The maintenance window and the automatic updates of a Shoot.
#[derive(JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
struct MaintenanceFields<'a> {
    /// The begin of the window, such as `220000+0100`.
    #[serde(skip_serializing_if = "Option::is_none")]
    begin: Option<&'a str>,
    /// The end of the window.
    #[serde(skip_serializing_if = "Option::is_none")]
    end: Option<&'a str>,
    /// The difference of the time zone of the window from UTC, in minutes.
    #[serde(skip_serializing_if = "Option::is_none")]
    offset_minutes: Option<i32>,
    /// Whether Kubernetes is updated automatically.
    kubernetes_auto_update: bool,
    /// Whether machine images are updated automatically.
    image_auto_update: bool,
}

/// A worker pool.
#[derive(JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
struct Pool<'a> {
    /// The name.
    name: &'a str,
    /// The machine type.
    machine_type: &'a str,
    /// The machine image.
    #[serde(skip_serializing_if = "Option::is_none")]
    image: Option<&'a str>,
    /// The version of the machine image.
    #[serde(skip_serializing_if = "Option::is_none")]
    image_version: Option<&'a str>,
    /// The Kubernetes version.
    kubernetes: &'a str,
    /// The minimum number of machines.
    minimum: i32,
    /// The maximum number of machines.
    maximum: i32,
    /// The zones.
    zones: &'a [String],
    /// The update strategy.
    #[serde(skip_serializing_if = "Option::is_none")]
    update_strategy: Option<&'a str>,
}

/// A condition or constraint.
#[derive(JsonSchema, Serialize)]
struct ConditionFields<'a> {
    /// The type.
    #[serde(rename = "type")]
    kind: &'a str,
    /// `True`, `False`, `Progressing` or `Unknown`.
    status: &'a str,
    /// The message.
    message: String,
    /// The time of the last change.
    #[serde(skip_serializing_if = "Option::is_none")]
    since: Option<Timestamp>,
}

/// The forecast of a Shoot.
#[derive(JsonSchema, Serialize)]
struct ForecastFields<'a> {
    /// The versions in use, with their future.
    targets: Vec<TargetFields<'a>>,
    /// The maintenance windows in which something changes.
    windows: Vec<Window<'a>>,
    /// Notes on the Shoot.
    remarks: &'a [String],
}

/// A version in use, with its lifecycle.
#[derive(JsonSchema, Serialize)]
struct TargetFields<'a> {
    #[serde(flatten)]
    target: Target<'a>,
    /// The stages during the forecast, including updates; the first one starts with the forecast.
    stages: Vec<StageFields<'a>>,
}

/// A period in which a part has a version in one lifecycle stage.
#[derive(JsonSchema, Serialize)]
struct StageFields<'a> {
    /// The start of the period.
    from: Timestamp,
    /// The version.
    version: &'a str,
    /// The stage; empty if the profile does not list the version.
    stage: &'a str,
}

/// A command that shows more.
#[derive(JsonSchema, Serialize)]
struct Suggestion {
    /// What the command shows.
    what: &'static str,
    /// The command line.
    command: String,
}

/// Returns the document of a Shoot.
///
/// `shoot` is `None` if the object cannot be parsed, and `reviewed` if it could not be read.
pub(super) fn document<'a>(
    shoot: Option<&'a Shoot>,
    forecast: &'a Result<ShootForecast, UnknownForecast>,
    reviewed: Option<&'a Reviewed>,
) -> Document<'a> {
    let (owner, namespace, name) = match forecast {
        Ok(it) => (&it.owner, &it.forecast.namespace, &it.forecast.name),
        Err(it) => (&it.owner, &it.namespace, &it.name),
    };
    let known = forecast.as_ref().ok().map(|it| &it.forecast);
    Document {
        namespace,
        name,
        project: &owner.project,
        owner: &owner.name,
        profile: known.map_or("", |it| &it.profile),
        facts: shoot.map(|shoot| facts(shoot, known)),
        forecast: forecast.as_ref().ok().map(forecast_fields),
        not_forecast: forecast.as_ref().err().map(|it| it.why.as_str()),
        findings: reviewed.map(findings).unwrap_or_default(),
        undetermined: reviewed.map(unknown).unwrap_or_default(),
        silenced: reviewed.map(silenced).unwrap_or_default(),
        commands: commands(owner, namespace, name),
    }
}

fn facts<'a>(shoot: &'a Shoot, forecast: Option<&Forecast>) -> Facts<'a> {
    let spec = &shoot.spec;
    let window = spec.maintenance.time_window.as_ref();
    let auto_update = spec.maintenance.auto_update.unwrap_or_default();
    let availability = spec.control_plane.as_ref().and_then(|it| it.high_availability.as_ref());
    let seed = shoot.status.seed_name.as_deref().or(spec.seed_name.as_deref());
    Facts {
        provider: &spec.provider.kind,
        region: &spec.region,
        purpose: spec.purpose.as_deref(),
        seed,
        kubernetes: &spec.kubernetes.version,
        hibernated: shoot.is_in_hibernation(),
        deletion: deletion(shoot),
        high_availability: availability.map(|it| it.failure_tolerance.kind.as_str()),
        maintenance: MaintenanceFields {
            begin: window.map(|it| it.begin.as_str()),
            end: window.map(|it| it.end.as_str()),
            offset_minutes: forecast.map(|it| it.offset.seconds() / 60),
            kubernetes_auto_update: auto_update.kubernetes_version,
            image_auto_update: auto_update.machine_image_version.unwrap_or(false),
        },
        pools: spec.provider.workers.iter().take(POOLS).map(|it| pool(shoot, it)).collect(),
        constraints: conditions(&shoot.status.constraints),
        conditions: conditions(&shoot.status.conditions),
    }
}

fn pool<'a>(shoot: &'a Shoot, worker: &'a Worker) -> Pool<'a> {
    let image = worker.machine.image.as_ref();
    Pool {
        name: &worker.name,
        machine_type: &worker.machine.machine_type,
        image: image.map(|it| it.name.as_str()),
        image_version: image.map(|it| it.version.as_str()),
        kubernetes: worker.own_version().unwrap_or(&shoot.spec.kubernetes.version),
        minimum: worker.minimum,
        maximum: worker.maximum,
        zones: &worker.zones,
        update_strategy: worker.update_strategy.as_deref(),
    }
}

fn conditions(conditions: &[Condition]) -> Vec<ConditionFields<'_>> {
    conditions.iter().take(CONDITIONS).map(condition).collect()
}

fn condition(condition: &Condition) -> ConditionFields<'_> {
    ConditionFields {
        kind: &condition.kind,
        status: &condition.status,
        message: clip(condition.message.as_str(), MESSAGE),
        since: condition.last_transition_time,
    }
}

fn forecast_fields(shoot: &ShootForecast) -> ForecastFields<'_> {
    let forecast = &shoot.forecast;
    ForecastFields {
        targets: forecast.standings.iter().map(target_fields).collect(),
        windows: forecast.windows.iter().map(|it| window(shoot, it)).collect(),
        remarks: &forecast.remarks,
    }
}

fn target_fields(standing: &VersionStatus) -> TargetFields<'_> {
    let stages = standing.stages.iter().map(|it| StageFields {
        from: it.from,
        version: &it.version,
        stage: &it.classification,
    });
    TargetFields { target: target(standing), stages: stages.collect() }
}

fn commands(owner: &Owner, namespace: &str, name: &str) -> Vec<Suggestion> {
    let project = match owner.project.as_str() {
        "" => namespace,
        project => project,
    };
    let [project, shoot] = [project, name].map(quoted);
    vec![
        Suggestion {
            what: "its forecast, event by event",
            command: format!("garden-gate forecast --live --project {project} --details {shoot}"),
        },
        Suggestion {
            what: "the findings of its Project",
            command: format!("garden-gate audit --live --project {project} --each"),
        },
        Suggestion {
            what: "the stored object",
            command: format!(
                "kubectl --namespace {} get shoot {shoot} --output yaml",
                quoted(namespace)
            ),
        },
    ]
}

/// Quotes a word for a shell if it has other characters than those of names in Kubernetes.
fn quoted(word: &str) -> String {
    let is_plain = |it: char| it.is_ascii_alphanumeric() || matches!(it, '-' | '.' | '_');
    if !word.is_empty() && !word.starts_with('-') && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}
