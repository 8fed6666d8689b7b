// SPDX-License-Identifier: Apache-2.0
use jiff::{SignedDuration, Timestamp};

use super::cause::VersionContext;
use super::{Class, Maintenance, Part, Profile};
use garden_gate_model::api::Shoot;
use garden_gate_model::gardener::version::expiry;
use garden_gate_model::gardener::version::maintenance::turns;

/// The current state of a version of a Shoot.
#[derive(Clone, Debug, PartialEq)]
pub struct VersionStatus {
    /// The part.
    pub part: Part,
    /// The version.
    pub version: String,
    /// The current classification in the profile; `None` if the profile does not list the version.
    pub classification: Option<String>,
    /// The expiration date.
    pub expires: Option<Timestamp>,
    /// Whether automatic updates are enabled.
    pub is_automatic: bool,
    /// The next target version during the forecast.
    pub target: Option<String>,
    /// The result during the forecast.
    pub status: Status,
    /// The reason why it is not updated although a later version exists; empty otherwise.
    pub paused: String,
    /// The lifecycle stages during the forecast, including updates.
    /// The first one starts with the forecast.
    pub stages: Vec<Stage>,
}

/// A period in which a part has a version in one lifecycle stage.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Stage {
    /// The start of the period.
    pub from: Timestamp,
    /// The version.
    pub version: String,
    /// The classification in the profile; empty if the profile does not list the version.
    pub classification: String,
}

/// The result for a version during the forecast.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Status {
    /// The version does not change.
    Stays,
    /// An update is scheduled.
    Scheduled,
    /// A rule denies the update.
    Blocked,
    /// An update is required, but there is no target version.
    NoUpdatePossible,
    /// The version does not change, although a later one exists.
    Paused,
}

impl Status {
    /// Returns the name in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Status::Stays => "stays",
            Status::Scheduled => "scheduled",
            Status::Blocked => "blocked",
            Status::NoUpdatePossible => "no-update-possible",
            Status::Paused => "paused",
        }
    }
}

/// Returns the state of all versions of a Shoot.
pub(super) fn standings(
    shoot: &Shoot,
    profile: &Profile,
    windows: &[Maintenance],
    (now, until): (Timestamp, Timestamp),
) -> Vec<VersionStatus> {
    let auto_update = shoot.spec.maintenance.auto_update.unwrap_or_default();
    let standing = |part: Part, version: &str| {
        let is_automatic = match part {
            Part::Image { .. } => auto_update.machine_image_version.unwrap_or(false),
            _ => auto_update.kubernetes_version,
        };
        let context =
            VersionContext { part: &part, shoot, spec: &profile.spec, at: now, since: now };
        let (status, target) = status(&part, windows);
        let paused = match status {
            Status::Stays => context.beyond().unwrap_or_default(),
            _ => String::new(),
        };
        let expires = context.listed(version, expiry, expiry);
        VersionStatus {
            version: version.to_owned(),
            classification: context.classification(version).map(str::to_owned),
            expires: expires.flatten(),
            is_automatic,
            target,
            status: if paused.is_empty() { status } else { Status::Paused },
            paused,
            stages: stages(&context, version, windows, until),
            part,
        }
    };
    let mut standings = vec![standing(Part::ControlPlane, &shoot.spec.kubernetes.version)];
    for pool in &shoot.spec.provider.workers {
        let name = pool.name.clone();
        if let Some(version) = pool.own_version() {
            standings.push(standing(Part::Pool { pool: name.clone() }, version));
        }
        if let Some(image) = &pool.machine.image {
            let part = Part::Image { pool: name, image: image.name.clone() };
            standings.push(standing(part, &image.version));
        }
    }
    standings
}

/// Returns the lifecycle stages of consecutive versions.
fn stages(
    context: &VersionContext<'_>,
    version: &str,
    windows: &[Maintenance],
    until: Timestamp,
) -> Vec<Stage> {
    let updates = windows.iter().filter(|it| !it.is_blocked()).flat_map(|window| {
        let events = window.events.iter().filter(|it| it.part == *context.part);
        events.filter_map(|it| Some((window.earliest, it.to.as_deref()?)))
    });
    let mut versions = vec![(context.at, version)];
    versions.extend(updates);
    let ends: Vec<Timestamp> =
        versions.iter().skip(1).map(|(begin, _)| *begin).chain([until]).collect();
    let mut stages = Vec::new();
    for ((begin, version), end) in versions.into_iter().zip(ends) {
        let turns = context
            .listed(version, |it| turns([it]), |it| turns([it]))
            .into_iter()
            .flatten()
            .filter(|turn| begin < *turn && *turn < end);
        for from in std::iter::once(begin).chain(turns) {
            let after = from.checked_add(SignedDuration::from_nanos(1));
            let then = VersionContext { at: after.unwrap_or(from), ..*context };
            let classification = then.classification(version).unwrap_or_default();
            stages.push(Stage {
                from,
                version: version.to_owned(),
                classification: classification.to_owned(),
            });
        }
    }
    stages
}

/// Returns the status and target version of the first event of a part.
fn status(part: &Part, windows: &[Maintenance]) -> (Status, Option<String>) {
    let mut events = windows.iter().flat_map(|window| {
        let events = window.events.iter().filter(|event| event.part == *part);
        events.map(move |event| (window, event))
    });
    let Some((window, event)) = events.next() else {
        return (Status::Stays, None);
    };
    let status = match event.class {
        Class::NoUpdatePossible => Status::NoUpdatePossible,
        _ if window.is_blocked() => Status::Blocked,
        _ => Status::Scheduled,
    };
    (status, event.to.clone())
}
