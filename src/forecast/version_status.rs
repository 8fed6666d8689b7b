use jiff::{SignedDuration, Timestamp};

use super::cause::Place;
use super::{Class, Maintenance, Part, Profile};
use crate::model::Shoot;
use crate::version::expiry;
use crate::version::maintenance::turns;

/// How a version of a Shoot stands now.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// Of which part.
    pub part: Part,
    /// The version.
    pub version: String,
    /// What the profile classifies it as now; `None` if it does not list it.
    pub classification: Option<String>,
    /// When it expires, or did.
    pub expires: Option<Timestamp>,
    /// Whether automatic updates are on.
    pub is_automatic: bool,
    /// The version that it is updated to next within the time of the forecast.
    pub target: Option<String>,
    /// What becomes of it.
    pub status: Status,
    /// Why it stays as it is, although there is something later; empty if that is not so.
    pub paused: String,
    /// Through which stages it goes within the time of the forecast, updates included; the first begins with it.
    pub stages: Vec<Stage>,
}

/// A time in which a part has a version at one stage.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Stage {
    /// When it begins.
    pub from: Timestamp,
    /// The version.
    pub version: String,
    /// What the profile classifies it as; empty if it does not list it.
    pub classification: String,
}

/// What becomes of a version within the time of a forecast.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Status {
    /// It stays.
    Stays,
    /// It is updated.
    Scheduled,
    /// It would be updated, but a rule refuses the run.
    Blocked,
    /// It would have to be updated, and there is nothing to update it to.
    NoUpdatePossible,
    /// It stays, although there is something later.
    Paused,
}

impl Status {
    /// The word in JSON.
    #[must_use]
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

/// How the versions of a Shoot stand, given what is to come.
pub(super) fn standings(
    shoot: &Shoot,
    profile: &Profile,
    windows: &[Maintenance],
    (now, until): (Timestamp, Timestamp),
) -> Vec<Standing> {
    let auto_update = shoot.spec.maintenance.auto_update.unwrap_or_default();
    let standing = |part: Part, version: &str| {
        let is_automatic = match part {
            Part::Image { .. } => auto_update.machine_image_version.unwrap_or(false),
            _ => auto_update.kubernetes_version,
        };
        let place = Place {
            part: &part,
            shoot,
            spec: &profile.spec,
            at: now,
            since: now,
        };
        let (status, target) = status(&part, windows);
        let paused = match status {
            Status::Stays => place.beyond().unwrap_or_default(),
            _ => String::new(),
        };
        let expires = place.listed(version, expiry, expiry);
        Standing {
            version: version.to_owned(),
            classification: place.classification(version).map(str::to_owned),
            expires: expires.flatten(),
            is_automatic,
            target,
            status: match paused.is_empty() {
                true => status,
                false => Status::Paused,
            },
            paused,
            stages: stages(&place, version, windows, until),
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
            let part = Part::Image {
                pool: name,
                image: image.name.clone(),
            };
            standings.push(standing(part, &image.version));
        }
    }
    standings
}

/// The stages of one version after another.
fn stages(
    place: &Place<'_>,
    version: &str,
    windows: &[Maintenance],
    until: Timestamp,
) -> Vec<Stage> {
    let updates = windows.iter().filter(|it| !it.is_blocked());
    let updates = updates.flat_map(|window| {
        let events = window.events.iter().filter(|it| it.part == *place.part);
        events.filter_map(|it| Some((window.earliest, it.to.as_deref()?)))
    });
    let mut versions = vec![(place.at, version)];
    versions.extend(updates);
    let ends = versions.iter().skip(1).map(|(begin, _)| *begin);
    let ends: Vec<Timestamp> = ends.chain([until]).collect();
    let mut stages = Vec::new();
    for ((begin, version), end) in versions.into_iter().zip(ends) {
        let turns = place.listed(version, |it| turns([it]), |it| turns([it]));
        let turns = turns.into_iter().flatten();
        let turns = turns.filter(|turn| begin < *turn && *turn < end);
        for from in std::iter::once(begin).chain(turns) {
            let after = from.checked_add(SignedDuration::from_nanos(1));
            let then = Place {
                at: after.unwrap_or(from),
                ..*place
            };
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

/// What is the first that happens to a part.
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
