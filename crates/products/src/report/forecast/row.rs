// SPDX-License-Identifier: Apache-2.0
//! One event of a forecast, formatted for people.

use std::{iter, ptr};

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, Zoned};

use crate::forecast::{Blocker, Class, Event, Maintenance, Part, ShootForecast, Sleep};

/// The advice about events that need no action.
pub(super) const NOTHING_TO_DO: &str = "nothing to do";

/// An event with its window and its Shoot.
#[derive(Clone, Copy, Debug)]
pub(in crate::report) struct Row<'a> {
    pub(in crate::report) shoot: &'a ShootForecast,
    pub(super) window: &'a Maintenance,
    pub(super) event: &'a Event,
}

/// The section of a report that contains an event, most urgent first.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(in crate::report) enum Section {
    /// A person must act: a rule blocks the update, or it is impossible.
    Act,
    /// Gardener makes the update, whatever the settings of the Shoot are.
    Forced,
    /// Gardener makes the update, as the Shoot requests it.
    Regular,
}

impl Section {
    pub(super) const ALL: [Section; 3] = [Section::Act, Section::Forced, Section::Regular];

    pub(super) fn title(self) -> &'static str {
        match self {
            Section::Act => "You must act",
            Section::Forced => "Forced",
            Section::Regular => "Regular",
        }
    }
}

/// Events of one Shoot and one window.
#[derive(Clone, Debug)]
pub(in crate::report) struct Rows<'a> {
    pub(super) first: Row<'a>,
    pub(super) others: Vec<Row<'a>>,
}

impl<'a> Rows<'a> {
    pub(super) fn of(first: Row<'a>) -> Self {
        Self { first, others: Vec::new() }
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &Row<'a>> {
        iter::once(&self.first).chain(&self.others)
    }
}

/// Joins the events of each blocked run, which have the same cause; other events stay alone.
///
/// `rows` must be sorted like the result of [`rows`].
pub(in crate::report) fn entries<'a>(rows: &[Row<'a>]) -> Vec<Rows<'a>> {
    let mut entries: Vec<Rows<'a>> = Vec::new();
    for row in rows {
        let is_same_run = |it: &&mut Rows<'a>| ptr::eq(it.first.window, row.window);
        let mut run = entries.iter_mut().rev().take_while(is_same_run);
        match run.find(|it| row.is_blocked() && it.first.is_blocked()) {
            Some(entry) => entry.others.push(*row),
            None => entries.push(Rows::of(*row)),
        }
    }
    entries
}

/// Returns every event, by day and time, then by Shoot.
pub(in crate::report) fn rows<'a>(shoots: impl Iterator<Item = &'a ShootForecast>) -> Vec<Row<'a>> {
    let windows = shoots.flat_map(|shoot| shoot.forecast.windows.iter().map(move |it| (shoot, it)));
    let mut rows: Vec<Row<'a>> = windows
        .flat_map(|(shoot, window)| {
            window.events.iter().map(move |event| Row { shoot, window, event })
        })
        .collect();
    rows.sort_by_cached_key(|row| (row.day(), row.window.earliest, row.shoot.title()));
    rows
}

impl Row<'_> {
    /// Converts a time to the time zone of the maintenance window.
    fn local(&self, instant: Timestamp) -> Zoned {
        let offset = self.shoot.forecast.offset;
        instant.to_zoned(TimeZone::fixed(offset))
    }

    /// Returns the day of the earliest time.
    pub(super) fn day(&self) -> Date {
        self.local(self.window.earliest).date()
    }

    /// Formats the day relative to `at`, such as `in 3 days`.
    pub(super) fn in_days(&self, at: Timestamp) -> String {
        relative(self.local(at).date(), self.day())
    }

    /// Formats the time, such as `22:00–22:45+01:00`.
    pub(super) fn time(&self) -> String {
        let begin = self.local(self.window.earliest);
        let zone = match begin.offset().seconds() {
            0 => "Z".to_owned(),
            _ => begin.strftime("%:z").to_string(),
        };
        let is_long = SignedDuration::from_hours(23);
        match self.window.latest.duration_since(self.window.earliest) {
            length if length >= is_long => format!("from {}{zone}", begin.strftime("%H:%M")),
            _ => {
                let end = self.local(self.window.latest);
                format!("{}–{}{zone}", begin.strftime("%H:%M"), end.strftime("%H:%M"))
            }
        }
    }

    /// Formats the change, such as `1.31.6 → 1.31.9`.
    pub(super) fn change(&self) -> String {
        let Event { from, to, .. } = self.event;
        match (self.event.class, to, &self.event.part) {
            (_, None, Part::Operation) => from.clone(),
            (Class::NoUpdatePossible, ..) => format!("{from} → ?"),
            (_, Some(to), _) => format!("{from} → {to}"),
            (_, None, _) if from.is_empty() => "is removed".to_owned(),
            (_, None, _) => format!("without {from}"),
        }
    }

    /// Returns the class, such as `regular` or `forced`, with a note if a rule blocks the event.
    pub(super) fn class(&self) -> String {
        let class = self.event.class.as_str();
        if self.is_blocked() { format!("{class}, blocked") } else { class.to_owned() }
    }

    /// Returns the section of the event.
    pub(in crate::report) fn section(&self) -> Section {
        match self.event.class {
            Class::NoUpdatePossible => Section::Act,
            _ if self.is_blocked() => Section::Act,
            Class::Forced => Section::Forced,
            Class::Regular => Section::Regular,
        }
    }

    /// Reports whether a rule refuses the event. Impossible updates are not blocked.
    pub(super) fn is_blocked(&self) -> bool {
        self.window.is_blocked() && self.event.class != Class::NoUpdatePossible
    }

    /// Returns the effects of the event, with the wake-up from hibernation; empty if there are none.
    pub(super) fn effects(&self) -> String {
        let mut effects: Vec<String> = self.event.effects.iter().map(ToString::to_string).collect();
        let sleeps = match self.window.sleep {
            _ if effects.is_empty() => None,
            Sleep::Awake => None,
            Sleep::Until(wakes) => {
                Some(format!("when it wakes up at {}", self.local(wakes).strftime("%F %H:%M")))
            }
            Sleep::Indefinitely => Some("once it is woken up".to_owned()),
        };
        effects.extend(sleeps);
        effects.join(", ")
    }

    /// Returns the advice for the owner, or that there is nothing to do.
    pub(super) fn advice_or_nothing(&self) -> &str {
        match self.event.advice.as_str() {
            "" if self.section() != Section::Act => NOTHING_TO_DO,
            advice => advice,
        }
    }

    /// Reports whether the event is the last one in its window that a rule blocks.
    pub(super) fn is_last_blocked(&self) -> bool {
        let mut events = self.window.events.iter().rev();
        let last = events.find(|it| it.class != Class::NoUpdatePossible);
        self.is_blocked() && last.is_some_and(|last| ptr::eq(last, self.event))
    }

    /// Returns the advice for the owner.
    ///
    /// Returns an empty string if a later event in the same window has the same advice.
    pub(super) fn advice(&self) -> &str {
        let events = self.window.events.iter();
        let mut later = events.skip_while(|it| !ptr::eq(*it, self.event)).skip(1);
        if later.any(|it| it.advice == self.event.advice) { "" } else { &self.event.advice }
    }

    /// Returns the rules that block the window; none for impossible updates.
    pub(super) fn blockers(&self) -> &[Blocker] {
        if self.is_blocked() { &self.window.blocked } else { &[] }
    }
}

/// Returns the rules that block a window if each of them has a remedy.
pub(super) fn remedies(blockers: &[Blocker]) -> Option<&[Blocker]> {
    let has_all = blockers.iter().all(|it| !it.help.is_empty());
    (has_all && !blockers.is_empty()).then_some(blockers)
}

/// Formats a rule that blocks a window in one line.
pub(super) fn blocker(blocker: &Blocker) -> String {
    let Blocker { rule, field, message, .. } = blocker;
    format!("blocked by {rule} at {field}: {message}")
}

/// Formats a day relative to today.
pub(in crate::report) fn relative(today: Date, day: Date) -> String {
    match day.duration_since(today).as_hours() / 24 {
        0 => "today".to_owned(),
        1 => "tomorrow".to_owned(),
        days => format!("in {days} days"),
    }
}
