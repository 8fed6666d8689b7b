use jiff::Timestamp;

use super::{Class, Event, Forecast, Maintenance, Status};
use crate::garden::{Lookup, Snapshot};
use crate::model::Project;

/// What maintenance will do to the Shoots of a garden.
#[derive(Clone, Debug)]
pub struct Outlook {
    /// When it begins.
    pub at: Timestamp,
    /// When it ends.
    pub until: Timestamp,
    /// The Shoots, in order.
    pub shoots: Vec<Foreseen>,
    /// Those about which nothing can be said, in order.
    pub unforeseen: Vec<Unforeseen>,
}

/// A Shoot with what will be done to it.
#[derive(Clone, Debug)]
pub struct Foreseen {
    /// Whose it is.
    pub owner: Owner,
    /// What will be done to it.
    pub forecast: Forecast,
}

/// A Shoot of which nobody knows what will be done to it.
#[derive(Clone, Debug)]
pub struct Unforeseen {
    /// Whose it is.
    pub owner: Owner,
    /// The namespace of the Shoot.
    pub namespace: String,
    /// Its name.
    pub name: String,
    /// The reason.
    pub why: String,
}

/// Whose a Shoot is; what is not known is empty.
#[derive(Clone, Debug, Default, Eq, Ord, PartialEq, PartialOrd)]
pub struct Owner {
    /// The Project.
    pub project: String,
    /// The Project's owner.
    pub name: String,
}

impl Owner {
    /// Whose a namespace is, as far as the garden tells.
    #[must_use]
    pub fn of_namespace(namespace: &str, garden: &Snapshot) -> Self {
        match garden.project_of_namespace(namespace) {
            Lookup::Found(project) => Self::of_project(&project),
            _ => Self::default(),
        }
    }

    /// Whose a Project is.
    #[must_use]
    pub fn of_project(project: &Project) -> Self {
        let owner = project.spec.owner.as_ref();
        Self {
            project: project.metadata.name.clone(),
            name: owner.map(|owner| owner.name.clone()).unwrap_or_default(),
        }
    }

    /// What people call a Shoot of this owner: `dev/web`, by its Project.
    #[must_use]
    pub fn title(&self, namespace: &str, name: &str) -> String {
        match self.project.as_str() {
            "" => format!("{namespace}/{name}"),
            project => format!("{project}/{name}"),
        }
    }
}

impl Foreseen {
    /// What people call the Shoot.
    #[must_use]
    pub fn title(&self) -> String {
        self.owner
            .title(&self.forecast.namespace, &self.forecast.name)
    }
}

impl Unforeseen {
    /// What people call the Shoot.
    #[must_use]
    pub fn title(&self) -> String {
        self.owner.title(&self.namespace, &self.name)
    }
}

/// How many events of which sort there are.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Counts {
    /// Regular updates.
    pub regular: usize,
    /// Forced updates.
    pub forced: usize,
    /// Updates that would be made, but for a rule that refuses them.
    pub blocked: usize,
    /// Updates for which there is nothing to go to.
    pub impossible: usize,
    /// Parts that stay, although there is something later.
    pub paused: usize,
    /// Windows of which nobody knows whether they are refused.
    pub unknown: usize,
}

impl Outlook {
    /// Every event with its window and Shoot, by Shoot.
    pub fn events(&self) -> impl Iterator<Item = (&Foreseen, &Maintenance, &Event)> {
        self.shoots.iter().flat_map(|shoot| {
            let windows = shoot.forecast.windows.iter();
            windows.flat_map(move |window| {
                let events = window.events.iter();
                events.map(move |event| (shoot, window, event))
            })
        })
    }

    /// How many events of which sort there are.
    #[must_use]
    pub fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        for (_, window, event) in self.events() {
            let count = match event.class {
                Class::NoUpdatePossible => &mut counts.impossible,
                _ if window.is_blocked() => &mut counts.blocked,
                Class::Forced => &mut counts.forced,
                Class::Regular => &mut counts.regular,
            };
            *count += 1;
        }
        let standings = self.shoots.iter().flat_map(|it| &it.forecast.standings);
        counts.paused = standings.filter(|it| it.status == Status::Paused).count();
        let windows = self.shoots.iter().flat_map(|it| &it.forecast.windows);
        counts.unknown = windows.filter(|it| !it.unknown.is_empty()).count();
        counts
    }
}
