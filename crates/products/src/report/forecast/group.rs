// SPDX-License-Identifier: Apache-2.0
//! Equal events of several Shoots, each once with a count.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashSet};

use jiff::civil::Date;

use super::ForecastReport;
use super::row::{NOTHING_TO_DO, Row, Rows, Section, blocker, entries, remedies, rows};
use super::totals::counted;
use crate::forecast::{Class, Disruption, Part, ShootForecast, Status, UnknownForecast};
use crate::report::truncation::number;

/// Maximum number of Shoots that an item names.
const NAMED: usize = 3;
/// Maximum number of different reasons that an item lists.
const REASONS: usize = 3;
/// What to do about a Shoot without a forecast.
pub(in crate::report) const CORRECT: &str =
    "correct the Shoot or the garden, and repeat the forecast";

/// The events of a section, equal ones once.
pub(super) struct Group<'a> {
    pub(super) section: Section,
    /// The number of updates; for [`Section::Act`], of runs, updates and Shoots that need a person.
    pub(super) count: usize,
    /// The first items, most urgent or most frequent first.
    pub(super) items: Vec<Item>,
    /// The number of further items.
    pub(super) more: usize,
    /// The entries of the section, by time.
    pub(super) entries: Vec<Rows<'a>>,
}

/// Equal events of several Shoots.
#[derive(Clone, Debug)]
pub(super) struct Item {
    /// The days, such as `12–18 Dec 2026`; empty for Shoots without a forecast.
    pub(super) when: String,
    /// The Shoots, such as `4,980 Shoots`, or their names.
    pub(super) who: String,
    /// The change, such as `gardenlinux 1592.9.0 → 1592.12.0`.
    pub(super) what: String,
    /// The reasons and effects, one sentence each.
    pub(super) why: Vec<String>,
    /// The actions, one sentence each.
    pub(super) advice: Vec<String>,
}

/// The property that equal events share.
///
/// Pools are not part of it, and neither are the details of a finding, which contain their names.
#[derive(Debug, Eq, Ord, PartialEq, PartialOrd)]
struct Key<'a> {
    changes: BTreeSet<(String, Class)>,
    causes: BTreeSet<&'a str>,
}

/// Equal entries, by time.
pub(in crate::report) struct Equal<'e, 'a> {
    key: Key<'a>,
    first: &'e Rows<'a>,
    all: Vec<&'e Rows<'a>>,
}

/// Groups the events of a report by section, with at most `limit` items in each.
pub(super) fn groups<'a>(
    report: ForecastReport<'a>,
    limit: impl Fn(Section) -> usize,
) -> [Group<'a>; 3] {
    let rows = rows(report.outlook.shoots.iter());
    Section::ALL.map(|section| {
        let of_section: Vec<Row<'a>> =
            rows.iter().filter(|it| it.section() == section).copied().collect();
        let entries = entries(&of_section);
        let mut items: Vec<Item> =
            equal(&entries, section).iter().map(|equal| equal.item(section, report)).collect();
        let mut count = entries.len();
        if section == Section::Act {
            items.extend(missing(&report.outlook.unforeseen));
            count += report.outlook.unforeseen.len();
        }
        let more = items.len().saturating_sub(limit(section));
        items.truncate(limit(section));
        Group { section, count, items, more, entries }
    })
}

/// Joins equal entries: regular ones by frequency, the others by date.
pub(in crate::report) fn equal<'e, 'a>(
    entries: &'e [Rows<'a>],
    section: Section,
) -> Vec<Equal<'e, 'a>> {
    let mut known: BTreeMap<Key<'a>, Vec<&'e Rows<'a>>> = BTreeMap::new();
    for entry in entries {
        known.entry(Key::of(entry)).or_default().push(entry);
    }
    let mut equal: Vec<Equal<'e, 'a>> = known
        .into_iter()
        .filter_map(|(key, all)| {
            let first = *all.first()?;
            Some(Equal { key, first, all })
        })
        .collect();
    equal.sort_by_key(|it| {
        let frequency = if section == Section::Regular { it.all.len() } else { 0 };
        (Reverse(frequency), it.first.first.day(), it.first.first.window.earliest)
    });
    equal
}

impl<'a> Key<'a> {
    fn of(entry: &Rows<'a>) -> Self {
        let first = &entry.first;
        let causes = match (first.section(), first.is_blocked()) {
            (Section::Act, true) => first.window.blocked.iter().map(|it| it.rule).collect(),
            (Section::Act, false) => BTreeSet::from([first.event.cause.as_str()]),
            (Section::Forced | Section::Regular, _) => BTreeSet::new(),
        };
        let changes = entry.all().map(|row| (what(row), row.event.class));
        Self { changes: changes.collect(), causes }
    }
}

/// Formats a change without the pool, such as `gardenlinux 1592.9.0 → 1592.12.0`.
pub(super) fn what(row: &Row<'_>) -> String {
    let (part, change) = (part(&row.event.part), row.change());
    if part.is_empty() { change } else { format!("{part} {change}") }
}

/// Names a part without its pool.
fn part(part: &Part) -> &str {
    match part {
        Part::ControlPlane => "Kubernetes",
        Part::Pool { .. } => "Kubernetes of pools",
        Part::Image { image, .. } => image,
        Part::Field { path } => path,
        Part::Operation => "",
    }
}

impl<'a> Equal<'_, 'a> {
    fn item(&self, section: Section, report: ForecastReport<'_>) -> Item {
        let mut what = self.what();
        let (first, last) = self.days();
        let mut when = days(first, last);
        if section == Section::Act {
            let first = &self.first.first;
            what = format!("{what} ({})", first.class());
            if self.all.len() == 1 {
                when = format!("{when}, {}", first.in_days(report.outlook.at));
            }
        }
        let titles = self.all.iter().map(|it| it.first.shoot.title());
        Item {
            when,
            who: who(titles, section == Section::Act),
            what,
            why: self.why(section),
            advice: self.advice(section),
        }
    }

    fn rows(&self) -> impl Iterator<Item = &Row<'a>> {
        self.all.iter().flat_map(|it| it.all())
    }

    /// Returns the first and the last day.
    pub(in crate::report) fn days(&self) -> (Date, Date) {
        let first = self.first.first.day();
        (first, self.all.last().map_or(first, |it| it.first.day()))
    }

    /// Returns the Shoots with the day and the reason, by time; one with several equal entries occurs several times.
    ///
    /// The reason stays the same from forecast to forecast, unlike the sentences for people.
    pub(in crate::report) fn each(
        &self,
    ) -> impl Iterator<Item = (&'a ShootForecast, Date, String)> {
        self.all.iter().map(|it| (it.first.shoot, it.first.day(), reason(it)))
    }

    /// Reports whether rules refuse the change.
    pub(in crate::report) fn is_blocked(&self) -> bool {
        self.first.first.is_blocked()
    }

    /// Returns the first finding that refuses the change.
    pub(in crate::report) fn blocker(&self) -> Option<&'static str> {
        self.first.first.blockers().first().map(|it| it.rule)
    }

    /// Formats the changes.
    pub(in crate::report) fn what(&self) -> String {
        let changes: Vec<&str> = self.key.changes.iter().map(|(what, _)| what.as_str()).collect();
        listed(&changes, REASONS)
    }

    /// Returns the reasons and effects, one sentence each.
    pub(in crate::report) fn why(&self, section: Section) -> Vec<String> {
        let mut why = Vec::new();
        let first = &self.first.first;
        match section {
            Section::Act if first.is_blocked() => {
                let blockers = distinct(first.blockers().iter().map(blocker));
                why.extend(blockers);
                let blocked = |it: &&Rows<'a>| it.first.window.blocked == first.window.blocked;
                if let (false, Some(reason)) = (self.all.iter().all(blocked), why.first_mut()) {
                    *reason = format!("for example {}: {reason}", first.shoot.title());
                }
            }
            Section::Act => why.push(first.event.cause.clone()),
            Section::Forced => {
                let cause = &first.event.cause;
                let is_same = self.rows().all(|row| row.event.cause == *cause);
                why.extend(is_same.then(|| cause.clone()));
            }
            Section::Regular => {}
        }
        // An update that fails has no effects.
        if section != Section::Act {
            why.extend(Some(self.effects()).filter(|it| !it.is_empty()));
        }
        let oddities = self.rows().flat_map(|row| row.event.oddities.iter().cloned());
        why.extend(distinct(oddities));
        why.extend(self.uncertain());
        why
    }

    /// Formats the effects, for several Shoots with the number of pools, such as `API servers restart, rolls 12 pools`.
    fn effects(&self) -> String {
        if self.all.len() == 1 {
            let effects = self.rows().map(Row::effects).filter(|it| !it.is_empty());
            return effects.collect::<Vec<String>>().join(", ");
        }
        let mut pools: BTreeMap<Reverse<Disruption>, usize> = BTreeMap::new();
        for effect in self.rows().flat_map(|row| &row.event.effects) {
            *pools.entry(Reverse(effect.happens)).or_default() += effect.pools.len();
        }
        let effects = pools.iter().map(|(Reverse(happens), pools)| effect(*happens, *pools));
        effects.collect::<Vec<String>>().join(", ")
    }

    /// Returns the first reason why rules are undetermined, with the number of entries.
    fn uncertain(&self) -> Option<String> {
        let is_open =
            |it: &&&Rows<'a>| !it.first.is_blocked() && !it.first.window.unknown.is_empty();
        let mut open = self.all.iter().filter(is_open);
        let first = open.next()?;
        let why = first.first.window.unknown.first()?;
        Some(match (self.all.len(), open.count()) {
            (1, _) => format!("not certain: {why}"),
            (_, others) => format!("not certain for {}: {why}", number(others + 1)),
        })
    }

    /// Returns the actions, one sentence each.
    pub(in crate::report) fn advice(&self, section: Section) -> Vec<String> {
        let own = self.first.all().map(|row| row.event.advice.clone()).filter(|it| !it.is_empty());
        let advice = match remedies(self.first.first.blockers()) {
            Some(blockers) => distinct(blockers.iter().map(|it| it.help.clone())),
            None => distinct(own),
        };
        if advice.is_empty() && section != Section::Act {
            return vec![NOTHING_TO_DO.to_owned()];
        }
        advice
    }
}

/// Returns the findings that block an entry, or else the causes of its events.
fn reason(entry: &Rows<'_>) -> String {
    let blockers = entry.first.blockers().iter().map(|it| format!("{} {}", it.rule, it.field));
    // An expiration date is the same before and after it.
    let causes = entry.all().map(|it| it.event.cause.replace("` expires at ", "` expired at "));
    let reasons: BTreeSet<String> =
        if entry.first.is_blocked() { blockers.collect() } else { causes.collect() };
    reasons.into_iter().collect::<Vec<String>>().join("\n")
}

fn effect(happens: Disruption, pools: usize) -> String {
    let pools = counted(pools, "pool", "pools").unwrap_or_default();
    match happens {
        Disruption::ApiServerRestarts => "API servers restart".to_owned(),
        Disruption::KubeletsRestart => format!("kubelets restart of {pools}"),
        Disruption::InPlace => format!("updates {pools} in place"),
        Disruption::InPlaceByHand => {
            format!("updates {pools} in place, node by node when you select it")
        }
        Disruption::ReplacesSurge => format!("replaces as many nodes as `maxSurge` of {pools}"),
        Disruption::MayRoll => format!("may roll {pools}"),
        Disruption::Rolls => format!("rolls {pools}"),
    }
}

/// Returns the first different sentences; the others are counted.
fn distinct(sentences: impl Iterator<Item = String>) -> Vec<String> {
    let mut known = Vec::new();
    let mut more = 0;
    for sentence in sentences {
        if known.contains(&sentence) {
            continue;
        }
        if known.len() < REASONS {
            known.push(sentence);
        } else {
            more += 1;
        }
    }
    known.extend((more > 0).then(|| format!("and {} more", number(more))));
    known
}

/// Joins names; those beyond the limit are counted.
fn listed(names: &[&str], limit: usize) -> String {
    let more = names.len().saturating_sub(limit);
    let mut text = names.iter().take(limit).copied().collect::<Vec<&str>>().join(", ");
    if more > 0 {
        text.push_str(&format!(" and {} more", number(more)));
    }
    text
}

/// Formats a number of Shoots; their names if they are few, and with `has_names` the first names of many.
pub(super) fn who(titles: impl Iterator<Item = String>, has_names: bool) -> String {
    let mut seen = HashSet::new();
    let mut first: Vec<String> = Vec::new();
    for title in titles {
        if seen.insert(title.clone()) && first.len() < NAMED {
            first.push(title);
        }
    }
    let more = seen.len() - first.len();
    let names = first.join(", ");
    let all = counted(seen.len(), "Shoot", "Shoots").unwrap_or_default();
    match more {
        0 => names,
        _ if has_names => format!("{all} ({names} and {} more)", number(more)),
        _ => all,
    }
}

/// Formats a range of days, such as `12–18 Dec 2026`.
pub(in crate::report) fn days(first: Date, last: Date) -> String {
    let end = last.strftime("%-d %b %Y");
    if first == last {
        return end.to_string();
    }
    let is_same_year = first.year() == last.year();
    if is_same_year && first.month() == last.month() {
        return format!("{}–{end}", first.strftime("%-d"));
    }
    let format = if is_same_year { "%-d %b" } else { "%-d %b %Y" };
    format!("{} – {end}", first.strftime(format))
}

/// Returns an item for each reason why Shoots have no forecast.
fn missing(shoots: &[UnknownForecast]) -> Vec<Item> {
    let mut known: BTreeMap<&str, Vec<&UnknownForecast>> = BTreeMap::new();
    for shoot in shoots {
        known.entry(&shoot.why).or_default().push(shoot);
    }
    let mut missing: Vec<(&str, Vec<&UnknownForecast>)> = known.into_iter().collect();
    missing.sort_by_key(|(_, shoots)| Reverse(shoots.len()));
    let items = missing.into_iter().map(|(why, shoots)| Item {
        when: String::new(),
        who: who(shoots.iter().map(|it| it.title()), true),
        what: "no forecast".to_owned(),
        why: vec![why.to_owned()],
        advice: vec![CORRECT.to_owned()],
    });
    items.collect()
}

/// Returns lines for versions that are not updated although a later one exists, equal ones once.
pub(super) fn paused(report: ForecastReport<'_>, limit: usize) -> Vec<String> {
    let shoots = report.outlook.shoots.iter().filter(|_| report.changes.is_none());
    let paused = shoots.flat_map(|shoot| {
        let standings = shoot.forecast.standings.iter();
        let paused = standings.filter(|it| it.status == Status::Paused);
        paused.map(move |it| {
            (shoot.title(), format!("{} {}: {}", part(&it.part), it.version, it.paused))
        })
    });
    condensed(paused, limit)
}

/// Returns the remarks on Shoots, equal ones once.
pub(super) fn remarks(report: ForecastReport<'_>, limit: usize) -> Vec<String> {
    let remarks = report.outlook.shoots.iter().flat_map(|shoot| {
        let remarks = shoot.forecast.remarks.iter();
        remarks.map(move |remark| (shoot.title(), remark.clone()))
    });
    condensed(remarks, limit)
}

/// Joins equal sentences about Shoots, the most frequent ones first; lines beyond the limit are counted.
fn condensed(sentences: impl Iterator<Item = (String, String)>, limit: usize) -> Vec<String> {
    let mut known: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (title, sentence) in sentences {
        known.entry(sentence).or_default().push(title);
    }
    let mut known: Vec<(String, Vec<String>)> = known.into_iter().collect();
    known.sort_by_key(|(_, titles)| Reverse(titles.len()));
    let more = known.len().saturating_sub(limit);
    let lines = known
        .into_iter()
        .take(limit)
        .map(|(sentence, titles)| format!("{}: {sentence}", who(titles.into_iter(), false)));
    let more = counted(more, "other", "others").map(|it| format!("and {it}"));
    lines.chain(more).collect()
}
