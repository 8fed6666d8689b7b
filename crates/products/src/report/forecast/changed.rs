// SPDX-License-Identifier: Apache-2.0
//! The comparison of a forecast with an earlier one.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::forecast::{Class, Event, Maintenance, Outlook, Owner, Part};

/// The result of a comparison with an earlier forecast.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ForecastChanges {
    /// The file of the earlier forecast.
    pub file: String,
    /// The number of all Shoots, including those without new events.
    pub shoots: usize,
    /// The number of new events, and of Shoots that are newly without a forecast.
    pub new: usize,
    /// The number of events that no longer occur; equal ones of a Shoot count once.
    pub gone: usize,
    /// The number of events and Shoots without a forecast that the earlier forecast has, too.
    pub known: usize,
}

/// The events of an earlier forecast, from its JSON report.
#[derive(Debug)]
pub struct EarlierForecast {
    shoots: BTreeMap<ShootKey, EarlierShoot>,
    is_partial: bool,
}

/// The namespace and the name of a Shoot.
type ShootKey = (String, String);

/// A Shoot in an earlier forecast.
#[derive(Debug, Default)]
struct EarlierShoot {
    owner: Owner,
    events: BTreeSet<Identity>,
    remarks: BTreeSet<String>,
    is_unforeseen: bool,
}

/// The part of an earlier Shoot that the current forecast does not have.
struct Unseen<'a> {
    events: BTreeSet<&'a Identity>,
    is_unforeseen: bool,
}

/// The identity of an event of a Shoot.
///
/// It contains no time: the same update is known tomorrow, and so is the next of several rotations.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
struct Identity {
    /// The kind of the part, with the pool, the image or the field.
    part: [Option<String>; 4],
    from: String,
    to: Option<String>,
    class: String,
    /// The findings that block the event.
    rules: BTreeSet<String>,
}

/// The fields of a JSON report that the comparison needs.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Report {
    shoots: Vec<ReportedShoot>,
    not_forecast: Vec<ReportedName>,
    changed_since: Option<IgnoredAny>,
}

#[derive(Deserialize)]
struct ReportedShoot {
    project: String,
    owner: String,
    namespace: String,
    name: String,
    windows: Vec<ReportedWindow>,
    remarks: BTreeSet<String>,
}

#[derive(Deserialize)]
struct ReportedName {
    project: String,
    owner: String,
    namespace: String,
    name: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ReportedWindow {
    #[serde(default)]
    blocked_by: Vec<ReportedBlocker>,
    events: Vec<ReportedEvent>,
}

#[derive(Deserialize)]
struct ReportedBlocker {
    rule: String,
}

#[derive(Deserialize)]
struct ReportedEvent {
    part: String,
    pool: Option<String>,
    image: Option<String>,
    field: Option<String>,
    from: String,
    to: Option<String>,
    class: String,
}

impl Identity {
    fn of(window: &Maintenance, event: &Event) -> Self {
        let (image, field) = match &event.part {
            Part::Image { image, .. } => (Some(image.clone()), None),
            Part::Field { path } => (None, Some(path.clone())),
            Part::ControlPlane | Part::Pool { .. } | Part::Operation => (None, None),
        };
        let pool = event.part.pool().map(str::to_owned);
        let rules = window.blocked.iter().map(|it| it.rule.to_owned());
        Self {
            part: [Some(event.part.kind().to_owned()), pool, image, field],
            from: event.from.clone(),
            to: event.to.clone(),
            class: event.class.as_str().to_owned(),
            rules: rules.filter(|_| event.class != Class::NoUpdatePossible).collect(),
        }
    }

    fn of_report(event: ReportedEvent, rules: &BTreeSet<String>) -> Self {
        let ReportedEvent { part, pool, image, field, from, to, class } = event;
        let is_impossible = class == Class::NoUpdatePossible.as_str();
        let rules = if is_impossible { BTreeSet::new() } else { rules.clone() };
        Self { part: [Some(part), pool, image, field], from, to, class, rules }
    }
}

impl EarlierForecast {
    /// Returns the events of a forecast in JSON.
    ///
    /// # Errors
    /// Fails on other texts, with the line and the reason.
    pub fn read(text: &str) -> serde_json::Result<Self> {
        let report: Report = serde_json::from_str(text)?;
        let mut shoots: BTreeMap<_, EarlierShoot> = BTreeMap::new();
        for shoot in report.shoots {
            let known = shoots.entry((shoot.namespace, shoot.name)).or_default();
            known.owner = Owner { project: shoot.project, name: shoot.owner };
            known.remarks.extend(shoot.remarks);
            for window in shoot.windows {
                let rules = window.blocked_by.into_iter().map(|it| it.rule).collect();
                let events = window.events.into_iter();
                known.events.extend(events.map(|it| Identity::of_report(it, &rules)));
            }
        }
        for shoot in report.not_forecast {
            let known = shoots.entry((shoot.namespace, shoot.name)).or_default();
            known.owner = Owner { project: shoot.project, name: shoot.owner };
            known.is_unforeseen = true;
        }
        Ok(Self { shoots, is_partial: report.changed_since.is_some() })
    }

    /// Reports whether the report is the result of a comparison, and lacks known events.
    pub fn is_partial(&self) -> bool {
        self.is_partial
    }

    /// Removes the known events from a forecast, and counts them and those that are gone.
    ///
    /// Shoots without new events or notes are removed, too. Only earlier events of selected Shoots count as gone, and
    /// none of a Shoot that is now without a forecast.
    pub fn compare(
        &self,
        outlook: &mut Outlook,
        file: String,
        is_selected: impl Fn(&str, &str, &Owner) -> bool,
    ) -> ForecastChanges {
        let shoots = outlook.shoots.len() + outlook.unforeseen.len();
        let mut changes = ForecastChanges { file, shoots, new: 0, gone: 0, known: 0 };
        let selected =
            self.shoots.iter().filter(|((of, name), it)| is_selected(of, name, &it.owner));
        let mut unseen: BTreeMap<&ShootKey, Unseen<'_>> =
            selected.map(|(key, shoot)| (key, Unseen::of(shoot))).collect();
        outlook.unforeseen.retain(|shoot| {
            let key = (shoot.namespace.clone(), shoot.name.clone());
            unseen.remove(&key);
            let is_known = self.shoots.get(&key).is_some_and(|it| it.is_unforeseen);
            changes.known += usize::from(is_known);
            changes.new += usize::from(!is_known);
            !is_known
        });
        outlook.shoots.retain_mut(|shoot| {
            let forecast = &mut shoot.forecast;
            let key = (forecast.namespace.clone(), forecast.name.clone());
            let Some((key, earlier)) = self.shoots.get_key_value(&key) else {
                changes.new += forecast.windows.iter().map(|it| it.events.len()).sum::<usize>();
                return true;
            };
            let mut unseen = unseen.get_mut(key);
            for window in &mut forecast.windows {
                let mut identities = window
                    .events
                    .iter()
                    .map(|event| Identity::of(window, event))
                    .collect::<Vec<Identity>>()
                    .into_iter();
                window.events.retain(|_| {
                    let Some(identity) = identities.next() else {
                        return true;
                    };
                    if let Some(unseen) = &mut unseen {
                        unseen.events.remove(&identity);
                    }
                    let is_known = earlier.events.contains(&identity);
                    changes.known += usize::from(is_known);
                    changes.new += usize::from(!is_known);
                    !is_known
                });
            }
            forecast.windows.retain(|window| !window.events.is_empty());
            forecast.remarks.retain(|remark| !earlier.remarks.contains(remark));
            !forecast.windows.is_empty() || !forecast.remarks.is_empty()
        });
        changes.gone = unseen.values().map(Unseen::count).sum();
        changes
    }
}

impl<'a> Unseen<'a> {
    fn of(shoot: &'a EarlierShoot) -> Self {
        Self { events: shoot.events.iter().collect(), is_unforeseen: shoot.is_unforeseen }
    }

    fn count(&self) -> usize {
        self.events.len() + usize::from(self.is_unforeseen)
    }
}
