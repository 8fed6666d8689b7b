// SPDX-License-Identifier: Apache-2.0
//! Facts that a destination has not received, or that have changed since.

use jiff::civil::Date;

use super::facts::{Fact, FactGroup, LandscapeFacts, ProjectFacts};
use super::state::{NotificationState, Novelty};

/// The news of a Project for one destination; may be empty.
#[derive(Debug)]
pub struct ProjectNews<'a> {
    pub(super) facts: &'a ProjectFacts,
    pub(super) today: Date,
    pub(super) items: Vec<NewsItem<'a>>,
}

/// Equal news of several objects.
#[derive(Debug)]
pub(super) struct NewsItem<'a> {
    pub(super) group: &'a FactGroup,
    pub(super) change: Change,
    pub(super) facts: Vec<&'a Fact>,
}

/// The reason why a fact is sent.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(super) enum Change {
    /// It was not sent before.
    New,
    /// Its reason has changed, or its day, which was this one.
    Changed(Option<Date>),
    /// It is close.
    Reminder,
}

impl NotificationState {
    /// Returns the news of each Project for a destination, also of Projects without news.
    ///
    /// A fact is sent again as many days before its day as `remind` has.
    pub fn news<'a>(
        &self,
        destination: &str,
        landscape: &'a LandscapeFacts,
        remind: &[u16],
    ) -> Vec<ProjectNews<'a>> {
        let news = landscape.projects.values().map(|facts| {
            let state = self.of(destination, &facts.project);
            let change = |fact: &Fact| match state.and_then(|it| it.get(&fact.id)) {
                None => Some(Change::New),
                Some(known) => match known.novelty(fact, landscape.today, remind) {
                    Novelty::Changed => {
                        Some(Change::Changed(known.day.filter(|it| fact.day != Some(*it))))
                    }
                    Novelty::Due => Some(Change::Reminder),
                    Novelty::Known => None,
                },
            };
            let items = facts.groups.iter().flat_map(|group| {
                let mut items: Vec<NewsItem<'a>> = Vec::new();
                for fact in &group.facts {
                    let Some(change) = change(fact) else { continue };
                    match items.iter_mut().find(|it| it.change == change) {
                        Some(item) => item.facts.push(fact),
                        None => items.push(NewsItem { group, change, facts: vec![fact] }),
                    }
                }
                items
            });
            ProjectNews { facts, today: landscape.today, items: items.collect() }
        });
        news.collect()
    }
}

impl<'a> ProjectNews<'a> {
    /// Returns the facts of the Project.
    pub fn facts(&self) -> &'a ProjectFacts {
        self.facts
    }

    /// Reports whether there are no news.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
}
