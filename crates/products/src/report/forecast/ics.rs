// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeMap;
use std::fmt::Write as _;

use icalendar::{Calendar, Component, Event as Entry, Property};
use jiff::{SignedDuration, Timestamp};

use super::row::{Row, Rows, blocker};
use super::totals::extent;
use crate::forecast::{Class, Maintenance, Outlook, ShootForecast};
use garden_gate_text::escape;

/// Domain of event identifiers, which makes them unique.
const DOMAIN: &str = "forecast.garden-gate.dev";

/// Formats a forecast as an iCalendar file, with stable identifiers.
///
/// There is an event for each window with updates, and one for each update that is not possible. Times are in UTC;
/// calendars show them in local time.
pub fn forecast_ics(outlook: &Outlook) -> String {
    let mut calendar = Calendar::empty();
    calendar.append_property(("VERSION", "2.0"));
    calendar.append_property(("PRODID", "-//garden-gate//forecast//EN"));
    calendar.append_property(("CALSCALE", "GREGORIAN"));
    calendar.name("Maintenance of Shoots");
    calendar.description(&extent(outlook));
    for shoot in &outlook.shoots {
        let mut counts = BTreeMap::new();
        let windows = shoot.forecast.windows.iter();
        for rows in windows.flat_map(|window| entries(shoot, window)) {
            let name = rows.name();
            // Another maintenance run may follow in the same window.
            let before = counts.entry(name.clone()).or_insert(0);
            let name = match *before {
                0 => name,
                times => format!("{name}-{times}"),
            };
            *before += 1;
            calendar.push(rows.entry(outlook, &name));
        }
    }
    calendar.to_string()
}

/// Groups the events of a window into entries.
///
/// An update that is not possible has a separate entry, since every later window retries it.
fn entries<'a>(shoot: &'a ShootForecast, window: &'a Maintenance) -> Vec<Rows<'a>> {
    let rows = window.events.iter().map(|event| Row { shoot, window, event });
    let is_stuck = |row: &Row<'_>| row.event.class == Class::NoUpdatePossible;
    let (stuck, done): (Vec<Row<'_>>, Vec<Row<'_>>) = rows.partition(is_stuck);
    let mut rest = done.into_iter();
    let together = rest.next().map(|first| Rows { first, others: rest.collect() });
    let alone = stuck.into_iter().map(Rows::of);
    together.into_iter().chain(alone).collect()
}

impl Rows<'_> {
    /// Returns the identifier of the entry within its Shoot.
    ///
    /// This is the time of the window. If that depends on the current time, it is the first event.
    fn name(&self) -> String {
        let Row { shoot, window, event } = self.first;
        let is_stuck = self.first.is_blocked() || event.class == Class::NoUpdatePossible;
        if !is_stuck && shoot.forecast.window.contains(window.begin) {
            return stamp(window.begin);
        }
        let (part, from, class) = (&event.part, &event.from, event.class.as_str());
        let to = event.to.as_deref().unwrap_or_default();
        let name = format!("{part} {from} {to} {class}");
        name.replace(|it: char| !it.is_ascii_alphanumeric() && it != '.', "-")
    }

    fn entry(&self, outlook: &Outlook, name: &str) -> Entry {
        let Row { shoot, window, .. } = self.first;
        let forecast = &shoot.forecast;
        let (shoot, namespace) = (&forecast.name, &forecast.namespace);
        // A requested operation starts immediately.
        let end = if forecast.window.contains(window.begin) {
            forecast.window.end_of(window.begin)
        } else {
            window.begin.checked_add(SignedDuration::from_mins(15)).unwrap_or(window.begin)
        };
        let mut entry = Entry::new();
        let uid = format!("{name}-{shoot}.{namespace}@{DOMAIN}");
        entry.uid(&escape::value(&uid));
        entry.append_property(Property::new("DTSTAMP", stamp(outlook.at)));
        entry.append_property(Property::new("DTSTART", stamp(window.begin)));
        entry.append_property(Property::new("DTEND", stamp(end)));
        entry.summary(&escape::value(&self.summary()));
        entry.description(&escape::lines(&self.description()));
        entry.append_property(Property::new("CATEGORIES", self.category()));
        // The entry does not mark its reader as busy.
        entry.append_property(Property::new("TRANSP", "TRANSPARENT"));
        entry.done()
    }

    /// Returns the category: that of the worst event.
    fn category(&self) -> &'static str {
        if self.first.is_blocked() {
            return "blocked";
        }
        let worst = self.all().map(|row| row.event.class).max();
        worst.unwrap_or(Class::Regular).as_str()
    }

    /// Returns a summary, such as `dev/web: control plane 1.31.6 → 1.31.9 (forced) and 2 more`.
    fn summary(&self) -> String {
        let first = &self.first;
        let (part, change, class) = (&first.event.part, first.change(), first.class());
        let summary = format!("{}: {part} {change} ({class})", first.shoot.title());
        match self.others.len() {
            0 => summary,
            others => format!("{summary} and {others} more"),
        }
    }

    /// Returns all details of the events, with advice for the owner.
    fn description(&self) -> String {
        let mut text = String::new();
        for row in self.all() {
            let (part, change, class) = (&row.event.part, row.change(), row.class());
            let _infallible = writeln!(text, "{part} {change} ({class})\n{}", row.event.cause);
            let own = [row.effects(), row.advice_or_nothing().to_owned()];
            let sentences = own.iter().chain(&row.event.oddities);
            for sentence in sentences.filter(|it| !it.is_empty()) {
                let _infallible = writeln!(text, "{sentence}");
            }
            text.push('\n');
        }
        for blocked in self.first.blockers() {
            let _infallible = writeln!(text, "{}\n{}", blocker(blocked), blocked.help);
        }
        for unknown in &self.first.window.unknown {
            let _infallible = writeln!(text, "not certain: {unknown}");
        }
        text.trim_end().to_owned()
    }
}

fn stamp(instant: Timestamp) -> String {
    instant.strftime("%Y%m%dT%H%M%SZ").to_string()
}
