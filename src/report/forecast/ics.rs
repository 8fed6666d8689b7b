use std::fmt::Write as _;

use icalendar::{Calendar, Component, Event as Entry, Property};
use jiff::{SignedDuration, Timestamp};

use super::extent;
use super::row::{Row, blocker};
use crate::forecast::{Class, Foreseen, Maintenance, Outlook};

/// What identifiers of events end with, so that nobody else makes the same.
const DOMAIN: &str = "forecast.garden-gate.dev";

/// A forecast as a calendar: an event for each window in which something happens, with the same identifier whenever the calendar is
/// made again. Times are in UTC, which every calendar shows on its reader's clocks.
#[must_use]
pub fn forecast_ics(outlook: &Outlook) -> String {
    let mut calendar = Calendar::empty();
    calendar.append_property(("VERSION", "2.0"));
    calendar.append_property(("PRODID", "-//garden-gate//forecast//EN"));
    calendar.append_property(("CALSCALE", "GREGORIAN"));
    calendar.name("Maintenance of Shoots");
    calendar.description(&extent(outlook));
    for shoot in &outlook.shoots {
        let mut before = None;
        let mut times = 0;
        for window in &shoot.forecast.windows {
            // A run may be followed by another one in the same window.
            times = match before.replace(window.begin) == Some(window.begin) {
                true => times + 1,
                false => 0,
            };
            calendar.push(entry(outlook, shoot, window, times));
        }
    }
    calendar.to_string()
}

fn entry(outlook: &Outlook, shoot: &Foreseen, window: &Maintenance, times: usize) -> Entry {
    let forecast = &shoot.forecast;
    let begin = stamp(window.begin);
    let again = match times {
        0 => String::new(),
        times => format!("-{times}"),
    };
    let uid = format!(
        "{begin}{again}-{}.{}@{DOMAIN}",
        forecast.name, forecast.namespace
    );
    let end = forecast.window.end_of(window.begin);
    // What somebody has asked for happens at once.
    let end = match forecast.window.contains(window.begin) {
        true => end,
        false => window
            .begin
            .checked_add(SignedDuration::from_mins(15))
            .unwrap_or(window.begin),
    };
    let rows: Vec<Row<'_>> = window
        .events
        .iter()
        .map(|event| Row {
            shoot,
            window,
            event,
        })
        .collect();
    let mut entry = Entry::new();
    entry.uid(&uid);
    entry.append_property(Property::new("DTSTAMP", stamp(outlook.at)));
    entry.append_property(Property::new("DTSTART", begin));
    entry.append_property(Property::new("DTEND", stamp(end)));
    entry.summary(&summary(shoot, &rows));
    entry.description(&description(window, &rows));
    entry.append_property(Property::new("CATEGORIES", category(window)));
    // Whoever has it in a calendar is not busy then.
    entry.append_property(Property::new("TRANSP", "TRANSPARENT"));
    entry.done()
}

fn stamp(instant: Timestamp) -> String {
    instant.strftime("%Y%m%dT%H%M%SZ").to_string()
}

/// One word for the worst of a window.
fn category(window: &Maintenance) -> &'static str {
    let worst = window.events.iter().map(|event| event.class).max();
    match worst {
        _ if window.is_blocked() => "blocked",
        Some(class) => class.as_str(),
        None => Class::Regular.as_str(),
    }
}

/// `dev/web: control plane 1.31.6 → 1.31.9 (forced) and 2 more`.
fn summary(shoot: &Foreseen, rows: &[Row<'_>]) -> String {
    let mut summary = shoot.title();
    if let Some((first, others)) = rows.split_first() {
        let (part, change, class) = (&first.event.part, first.change(), first.class());
        let _infallible = write!(summary, ": {part} {change} ({class})");
        if !others.is_empty() {
            let _infallible = write!(summary, " and {} more", others.len());
        }
    }
    summary
}

/// All that there is to say, with what the owner can do before.
fn description(window: &Maintenance, rows: &[Row<'_>]) -> String {
    let mut text = String::new();
    for row in rows {
        let (part, change, class) = (&row.event.part, row.change(), row.class());
        let _infallible = writeln!(text, "{part} {change} ({class})\n{}", row.event.cause);
        let sentences = [row.effects(), row.event.advice.clone()];
        let sentences = sentences.iter().chain(&row.event.oddities);
        for sentence in sentences.filter(|it| !it.is_empty()) {
            let _infallible = writeln!(text, "{sentence}");
        }
        text.push('\n');
    }
    for blocked in &window.blocked {
        let _infallible = writeln!(text, "{}\n{}", blocker(blocked), blocked.help);
    }
    for unknown in &window.unknown {
        let _infallible = writeln!(text, "not certain: {unknown}");
    }
    text.trim_end().to_owned()
}
