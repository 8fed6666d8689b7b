// SPDX-License-Identifier: Apache-2.0
use jiff::Timestamp;

use super::{Class, Event, Forecast, Maintenance, Status};
use garden_gate_core::config::JudgedVersion;
use garden_gate_core::garden::Snapshot;
use garden_gate_model::api::Project;

/// The forecast for all Shoots of a garden.
#[derive(Clone, Debug)]
pub struct Outlook {
    /// The start of the forecast.
    pub at: Timestamp,
    /// The end of the forecast.
    pub until: Timestamp,
    /// The version of Gardener by which updates are judged.
    pub judged: JudgedVersion,
    /// Shoots with a forecast, sorted.
    pub shoots: Vec<ShootForecast>,
    /// Shoots without a forecast, sorted.
    pub unforeseen: Vec<UnknownForecast>,
}

/// A Shoot with its forecast.
#[derive(Clone, Debug)]
pub struct ShootForecast {
    /// The owner.
    pub owner: Owner,
    /// The forecast.
    pub forecast: Forecast,
}

/// A Shoot for which no forecast is possible.
#[derive(Clone, Debug)]
pub struct UnknownForecast {
    /// The owner.
    pub owner: Owner,
    /// The namespace of the Shoot.
    pub namespace: String,
    /// The name of the Shoot.
    pub name: String,
    /// The reason.
    pub why: String,
}

/// The Project and owner of a Shoot; empty if unknown.
#[derive(Clone, Debug, Default, Eq, Ord, PartialEq, PartialOrd)]
pub struct Owner {
    /// The Project.
    pub project: String,
    /// The Project's owner.
    pub name: String,
}

impl Owner {
    /// Returns the owner of a namespace, if known.
    pub fn of_namespace(namespace: &str, garden: &Snapshot) -> Self {
        match garden.project_of_namespace(namespace) {
            Ok(Some(project)) => Self::of_project(&project),
            _ => Self::default(),
        }
    }

    /// Returns the owner of a Project.
    pub fn of_project(project: &Project) -> Self {
        let owner = project.spec.owner.as_ref();
        Self {
            project: project.metadata.name.clone(),
            name: owner.map(|owner| owner.name.clone()).unwrap_or_default(),
        }
    }

    /// Returns the owner of a Project; only its name if the Project is unknown.
    pub fn of_project_named(name: &str, garden: &Snapshot) -> Self {
        match garden.get::<Project>(name) {
            Ok(Some(project)) => Self::of_project(&project),
            _ => Self { project: name.to_owned(), ..Self::default() },
        }
    }

    /// Returns the display name of a Shoot: `dev/web`, with the Project.
    pub fn title(&self, namespace: &str, name: &str) -> String {
        match self.project.as_str() {
            "" => format!("{namespace}/{name}"),
            project => format!("{project}/{name}"),
        }
    }
}

impl ShootForecast {
    /// Returns all events with their windows.
    pub fn events(&self) -> impl Iterator<Item = (&Maintenance, &Event)> {
        let windows = self.forecast.windows.iter();
        windows.flat_map(|window| window.events.iter().map(move |event| (window, event)))
    }

    /// Returns the display name of the Shoot.
    pub fn title(&self) -> String {
        self.owner.title(&self.forecast.namespace, &self.forecast.name)
    }
}

impl UnknownForecast {
    /// Returns the display name of the Shoot.
    pub fn title(&self) -> String {
        self.owner.title(&self.namespace, &self.name)
    }
}

/// The number of events by type.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Counts {
    /// Regular updates.
    pub regular: usize,
    /// Forced updates.
    pub forced: usize,
    /// Updates that a rule denies.
    pub blocked: usize,
    /// Required updates without a target version.
    pub impossible: usize,
    /// Parts that are not updated although a later version exists.
    pub paused: usize,
    /// Windows with undetermined rules.
    pub unknown: usize,
}

impl Counts {
    /// Counts the events of some Shoots.
    pub fn of<'a>(shoots: impl Iterator<Item = &'a ShootForecast> + Clone) -> Self {
        let mut counts = Self::default();
        for (window, event) in shoots.clone().flat_map(ShootForecast::events) {
            let count = match event.class {
                Class::NoUpdatePossible => &mut counts.impossible,
                _ if window.is_blocked() => &mut counts.blocked,
                Class::Forced => &mut counts.forced,
                Class::Regular => &mut counts.regular,
            };
            *count += 1;
        }
        let standings = shoots.clone().flat_map(|it| &it.forecast.standings);
        counts.paused = standings.filter(|it| it.status == Status::Paused).count();
        let windows = shoots.flat_map(|it| &it.forecast.windows);
        counts.unknown = windows.filter(|it| !it.unknown.is_empty()).count();
        counts
    }
}

impl Outlook {
    /// Returns all events with their windows and Shoots, by Shoot.
    pub fn events(&self) -> impl Iterator<Item = (&ShootForecast, &Maintenance, &Event)> {
        let shoots = self.shoots.iter();
        shoots.flat_map(|shoot| shoot.events().map(move |(window, event)| (shoot, window, event)))
    }

    /// Returns the number of events by type.
    pub fn counts(&self) -> Counts {
        Counts::of(self.shoots.iter())
    }
}
