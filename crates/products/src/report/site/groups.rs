// SPDX-License-Identifier: Apache-2.0
//! Equal events and refusals of several Shoots, each once.

use std::collections::{BTreeMap, HashMap};

use jiff::civil::Date;
use jiff::tz::TimeZone;
use schemars::JsonSchema;
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use super::finding::CountedFinding;
use super::landscape::{Landscape, SiteShoot};
use crate::report::forecast::{CORRECT, Equal, Section, entries, equal, rows};
use garden_gate_text::hexadecimal;

/// Maximum number of groups that need a person, and of groups of forced updates.
const MOST: [usize; 2] = [100, 50];

/// The groups of a landscape.
#[derive(Debug)]
pub(super) struct Groups {
    /// Events and refusals for which a person must act, by date; those without a date come last.
    pub(super) act: Vec<Group>,
    pub(super) more_act: usize,
    /// Forced updates, by date.
    pub(super) forced: Vec<Group>,
    pub(super) more_forced: usize,
    /// The ids of the groups of each Shoot.
    of_shoots: Vec<Vec<String>>,
    /// The most urgent event of each Shoot.
    sections: Vec<Option<Section>>,
}

/// The most urgent thing that happens to a Shoot.
#[derive(Clone, Copy, Debug, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "SiteState")]
pub(super) enum State {
    /// A person must act.
    Act,
    /// It has no forecast.
    Unknown,
    /// It has a forced update.
    Forced,
    /// It has regular updates.
    Regular,
    /// Nothing happens.
    Quiet,
}

impl Group {
    /// Returns an id that stays the same as long as the change and its reason do.
    pub(super) fn id(&self) -> String {
        let rule = self.rule.unwrap_or_default();
        let why = if self.kind == "no-forecast" { self.why.join(" ") } else { String::new() };
        let digest = Sha256::digest(format!("{}\0{}\0{rule}\0{why}", self.kind, self.what));
        hexadecimal(&digest[..4])
    }
}

/// Equal events or refusals.
#[derive(Debug)]
pub(in crate::report) struct Group {
    pub(in crate::report) kind: &'static str,
    /// The first and the last day.
    pub(in crate::report) days: Option<(Date, Date)>,
    /// The positions of the Shoots in the landscape.
    pub(in crate::report) shoots: Vec<usize>,
    /// The first day of each of these Shoots, and the reason without details that vary from run to run.
    pub(in crate::report) each: Vec<(Option<Date>, String)>,
    pub(in crate::report) what: String,
    pub(in crate::report) why: Vec<String>,
    pub(in crate::report) advice: Vec<String>,
    pub(in crate::report) rule: Option<&'static str>,
}

impl Groups {
    pub(super) fn of(landscape: &Landscape) -> Self {
        let AllGroups { mut act, mut forced, sections } =
            AllGroups::of(landscape, &landscape.shoots);
        let [more_act, more_forced] =
            [(&mut act, MOST[0]), (&mut forced, MOST[1])].map(|(groups, most)| {
                let more = groups.len().saturating_sub(most);
                groups.truncate(most);
                more
            });
        let mut of_shoots = vec![Vec::new(); landscape.shoots.len()];
        for group in act.iter().chain(&forced) {
            let id = group.id();
            for shoot in &group.shoots {
                of_shoots[*shoot].push(id.clone());
            }
        }
        Self { act, more_act, forced, more_forced, of_shoots, sections }
    }

    /// Returns the state of a Shoot.
    pub(super) fn state(&self, landscape: &Landscape, position: usize) -> State {
        let shoot = &landscape.shoots[position];
        match self.sections[position] {
            _ if shoot.forecast.is_err() => State::Unknown,
            _ if shoot.is_refused() => State::Act,
            _ if shoot.deletion.is_some_and(|it| it < landscape.until) => State::Act,
            Some(Section::Act) => State::Act,
            Some(Section::Forced) => State::Forced,
            Some(Section::Regular) => State::Regular,
            None => State::Quiet,
        }
    }

    /// Returns the ids of the groups of a Shoot.
    pub(super) fn of_shoot(&self, position: usize) -> &[String] {
        &self.of_shoots[position]
    }
}

/// The groups of consecutive Shoots of a landscape, without a limit.
#[derive(Debug)]
pub(in crate::report) struct AllGroups {
    /// Events and refusals for which a person must act, by date; those without a date come last.
    pub(in crate::report) act: Vec<Group>,
    /// Forced updates, by date.
    pub(in crate::report) forced: Vec<Group>,
    /// The most urgent event of each Shoot.
    sections: Vec<Option<Section>>,
}

impl AllGroups {
    /// Groups the events and refusals of some Shoots; positions are those in `shoots`.
    pub(in crate::report) fn of(landscape: &Landscape, shoots: &[SiteShoot]) -> Self {
        let positions: HashMap<(&str, &str), usize> =
            shoots.iter().enumerate().map(|(index, it)| (it.key(), index)).collect();
        let rows = rows(shoots.iter().filter_map(|it| it.forecast.as_ref().ok()));
        let mut sections: Vec<Option<Section>> = vec![None; shoots.len()];
        for row in &rows {
            let forecast = &row.shoot.forecast;
            if let Some(index) = positions.get(&(&*forecast.namespace, &*forecast.name)) {
                let section = &mut sections[*index];
                *section = Some(section.map_or(row.section(), |it| it.min(row.section())));
            }
        }
        let of_section = |section: Section| -> Vec<Group> {
            let rows: Vec<_> = rows.iter().filter(|it| it.section() == section).copied().collect();
            let entries = entries(&rows);
            let equal = equal(&entries, section);
            let group = |equal: &Equal<'_, '_>| {
                let mut first: BTreeMap<usize, (Option<Date>, String)> = BTreeMap::new();
                for (shoot, day, reason) in equal.each() {
                    let key = (&*shoot.forecast.namespace, &*shoot.forecast.name);
                    if let Some(index) = positions.get(&key) {
                        // They are sorted by day.
                        first.entry(*index).or_insert((Some(day), reason));
                    }
                }
                Group {
                    kind: match (section, equal.is_blocked()) {
                        (Section::Act, true) => "blocked",
                        (Section::Act, false) => "impossible",
                        (Section::Forced | Section::Regular, _) => "forced",
                    },
                    days: Some(equal.days()),
                    shoots: first.keys().copied().collect(),
                    each: first.into_values().collect(),
                    what: equal.what(),
                    why: equal.why(section),
                    advice: equal.advice(section),
                    rule: equal.blocker(),
                }
            };
            equal.iter().map(group).collect()
        };
        let mut act = of_section(Section::Act);
        act.extend(deleted(landscape, shoots));
        act.sort_by_key(|it| it.days);
        act.extend(missing(shoots));
        act.extend(refused(shoots));
        Self { act, forced: of_section(Section::Forced), sections }
    }
}

/// Returns a group for each day on which Gardener deletes Shoots, since their lifetime ends.
fn deleted(landscape: &Landscape, shoots: &[SiteShoot]) -> Vec<Group> {
    let mut days: BTreeMap<Date, Vec<usize>> = BTreeMap::new();
    for (index, shoot) in shoots.iter().enumerate() {
        if let Some(deletion) = shoot.deletion.filter(|it| *it < landscape.until) {
            let day = deletion.max(landscape.at).to_zoned(TimeZone::UTC).date();
            days.entry(day).or_default().push(index);
        }
    }
    let groups = days.into_iter().map(|(day, shoots)| Group {
        kind: "deleted",
        days: Some((day, day)),
        each: shoots.iter().map(|_| (Some(day), String::new())).collect(),
        shoots,
        what: "Gardener deletes it".to_owned(),
        why: vec!["its Quota limits its lifetime, which ends then".to_owned()],
        advice: vec![
            "save what you need, or extend its lifetime if its Quota permits that".to_owned(),
        ],
        rule: None,
    });
    groups.collect()
}

/// Returns a group for each reason why Shoots have no forecast.
fn missing(shoots: &[SiteShoot]) -> Vec<Group> {
    let mut known: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, shoot) in shoots.iter().enumerate() {
        if let Err(unknown) = &shoot.forecast {
            known.entry(&unknown.why).or_default().push(index);
        }
    }
    let groups = known.into_iter().map(|(why, shoots)| Group {
        kind: "no-forecast",
        days: None,
        each: shoots.iter().map(|_| (None, why.to_owned())).collect(),
        shoots,
        what: "no forecast".to_owned(),
        why: vec![why.to_owned()],
        advice: vec![CORRECT.to_owned()],
        rule: None,
    });
    groups.collect()
}

/// Returns a group for each finding that refuses Shoots now.
fn refused(shoots: &[SiteShoot]) -> Vec<Group> {
    let mut known: BTreeMap<&str, (&CountedFinding, Vec<usize>)> = BTreeMap::new();
    for (index, shoot) in shoots.iter().enumerate() {
        for finding in shoot.findings.iter().filter(|it| it.is_urgent()) {
            let (_, positions) = known.entry(finding.id).or_insert((finding, Vec::new()));
            if positions.last() != Some(&index) {
                positions.push(index);
            }
        }
    }
    let mut groups: Vec<Group> = known
        .into_values()
        .map(|(finding, shoots)| Group {
            kind: "refused",
            days: None,
            each: shoots.iter().map(|_| (None, finding.occasion().to_owned())).collect(),
            shoots,
            what: finding.sentence().to_owned(),
            why: vec![finding.occasion().to_owned()],
            advice: Vec::new(),
            rule: Some(finding.rule),
        })
        .collect();
    groups.sort_by_key(|it| std::cmp::Reverse(it.shoots.len()));
    groups
}
