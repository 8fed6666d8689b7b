// SPDX-License-Identifier: Apache-2.0
//! The state of notifications: the facts that each destination has received.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt;

use jiff::Unit;
use jiff::civil::Date;
use serde::de::{self, Deserializer};
use serde::{Deserialize, Serialize, Serializer};

use super::facts::{Fact, FactId, LandscapeFacts, ProjectFacts};
use garden_gate_text::escape;

/// The version of the document.
const VERSION: u32 = 1;
/// Day 0 of the numbers of days.
const EPOCH: Date = Date::constant(1970, 1, 1);

/// The facts that each destination has received, by Project.
///
/// Facts are digests: the document contains the names of destinations and Projects, and nothing else of the landscape.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct NotificationState {
    destinations: BTreeMap<String, KnownProjects>,
}

type KnownProjects = BTreeMap<String, BTreeMap<FactId, KnownFact>>;

/// A state document that cannot be used.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum StateError {
    /// It is not a valid document.
    Invalid {
        /// The reason.
        why: String,
    },
    /// A later version of garden-gate has written it.
    Later {
        /// The version of the document.
        version: u32,
    },
}

/// A fact as it was sent.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct KnownFact {
    /// The digest of the reason.
    pub(super) digest: u32,
    /// The day on which it was to happen.
    pub(super) day: Option<Date>,
    /// The day on which it was sent.
    pub(super) on: Date,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Document {
    version: u32,
    destinations: BTreeMap<String, KnownProjects>,
}

#[derive(Deserialize)]
struct Header {
    version: u32,
}

impl NotificationState {
    /// Parses a document.
    ///
    /// # Errors
    /// Fails if it is not valid, or a later version of garden-gate has written it.
    pub fn parse(text: &str) -> Result<Self, StateError> {
        let invalid = |error: serde_json::Error| StateError::Invalid { why: error.to_string() };
        let Header { version } = serde_json::from_str(text).map_err(invalid)?;
        if version > VERSION {
            return Err(StateError::Later { version });
        }
        let Document { destinations, .. } = serde_json::from_str(text).map_err(invalid)?;
        Ok(Self { destinations })
    }

    /// Formats the document, without a line break.
    ///
    /// # Errors
    /// Fails if `serde_json` fails, which does not happen for strings.
    pub fn to_json(&self) -> serde_json::Result<String> {
        let destinations = self.destinations.clone();
        let text = serde_json::to_string(&Document { version: VERSION, destinations })?;
        Ok(escape::json(&text).into_owned())
    }

    /// Forgets destinations that no longer exist.
    pub fn retain(&mut self, destinations: &BTreeSet<String>) {
        self.destinations.retain(|name, _| destinations.contains(name));
    }

    /// Records that a destination knows all facts of a Project.
    ///
    /// The day on which a fact was first sent is kept, unless it has changed. Facts that are no longer true are forgotten, unless
    /// `is_complete` is false, since parts of the garden are unknown.
    pub fn record(
        &mut self,
        destination: &str,
        (facts, landscape): (&ProjectFacts, &LandscapeFacts),
        remind: &[u16],
        is_complete: bool,
    ) {
        let today = landscape.today;
        let projects = self.destinations.entry(destination.to_owned()).or_default();
        let before = projects.remove(&facts.project).unwrap_or_default();
        let uncertain: HashSet<u32> = facts.uncertain.iter().copied().collect();
        let is_kept = |id: &FactId| !is_complete || uncertain.contains(&id.object);
        let mut now: BTreeMap<FactId, KnownFact> =
            before.iter().filter(|(id, _)| is_kept(id)).map(|(id, state)| (*id, *state)).collect();
        for fact in facts.facts() {
            let state = match before.get(&fact.id) {
                Some(known) if known.novelty(fact, today, remind) == Novelty::Known => {
                    // The next window repeats it. A later change of its day is sent.
                    let has_moved =
                        known.day.is_some_and(|it| it <= today) && known.day != fact.day;
                    if has_moved {
                        KnownFact { day: fact.day, on: today, ..*known }
                    } else {
                        *known
                    }
                }
                _ => KnownFact { digest: fact.digest, day: fact.day, on: today },
            };
            now.insert(fact.id, state);
        }
        if !now.is_empty() {
            projects.insert(facts.project.clone(), now);
        }
    }

    /// Forgets what a destination knows of Projects that no longer exist.
    pub fn forget_missing(&mut self, destination: &str, landscape: &LandscapeFacts) {
        if let Some(projects) = self.destinations.get_mut(destination) {
            projects.retain(|project, _| landscape.projects.contains_key(project));
        }
    }

    /// Returns the facts of a Project as they were sent.
    pub(super) fn of(
        &self,
        destination: &str,
        project: &str,
    ) -> Option<&BTreeMap<FactId, KnownFact>> {
        self.destinations.get(destination)?.get(project)
    }
}

/// The relation of a fact to the fact that was sent.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(super) enum Novelty {
    /// Its day or its reason has changed.
    Changed,
    /// It is time for a reminder.
    Due,
    /// It is known.
    Known,
}

impl KnownFact {
    /// Compares a fact with the one that was sent.
    ///
    /// A day that has passed does not count: windows repeat refused updates.
    pub(super) fn novelty(&self, fact: &Fact, today: Date, remind: &[u16]) -> Novelty {
        let has_moved = self.day != fact.day && self.day.is_none_or(|it| it > today);
        if self.digest != fact.digest || has_moved {
            return Novelty::Changed;
        }
        let is_due = |days: &u16| {
            let left = |from: Date, to: Date| number(to) - number(from);
            fact.day.is_some_and(|day| {
                let days = i32::from(*days);
                left(self.on, day) > days && (0..=days).contains(&left(today, day))
            })
        };
        // A day that has passed repeats, and its reminders do not.
        let is_ahead = self.day.is_some_and(|it| it >= today);
        if is_ahead && remind.iter().any(is_due) { Novelty::Due } else { Novelty::Known }
    }
}

/// Returns the number of days since [`EPOCH`].
fn number(day: Date) -> i32 {
    EPOCH.until((Unit::Day, day)).map_or(0, |it| it.get_days())
}

impl Serialize for FactId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{:08x}{:08x}", self.object, self.subject))
    }
}

impl<'de> Deserialize<'de> for FactId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let part = |range| hexadecimal(text.get(range)?);
        let id = (text.len() == 16).then(|| Some((part(0..8)?, part(8..16)?))).flatten();
        let (object, subject) = id.ok_or_else(|| de::Error::custom("a fact has no valid id"))?;
        Ok(Self { object, subject })
    }
}

impl Serialize for KnownFact {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let day = self.day.map_or("-".to_owned(), |it| number(it).to_string());
        serializer.collect_str(&format_args!("{:08x} {day} {}", self.digest, number(self.on)))
    }
}

impl<'de> Deserialize<'de> for KnownFact {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let date = |text: &str| {
            let days: i64 = text.parse().ok()?;
            EPOCH.checked_add(jiff::Span::new().try_days(days).ok()?).ok()
        };
        let parsed = || {
            let [digest, day, on] = text.split(' ').collect::<Vec<_>>().try_into().ok()?;
            let day = if day == "-" { None } else { Some(date(day)?) };
            Some(Self { digest: hexadecimal(digest)?, day, on: date(on)? })
        };
        parsed().ok_or_else(|| de::Error::custom("a fact is not valid"))
    }
}

fn hexadecimal(text: &str) -> Option<u32> {
    let is_number = text.len() == 8 && text.bytes().all(|it| it.is_ascii_hexdigit());
    is_number.then(|| u32::from_str_radix(text, 16).ok()).flatten()
}

impl fmt::Display for StateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invalid { why } => write!(f, "it is not a valid state of notifications: {why}"),
            Self::Later { version } => write!(
                f,
                "it has version {version}, and this garden-gate reads version {VERSION}; use the garden-gate that wrote it"
            ),
        }
    }
}

impl std::error::Error for StateError {}
