//! One event as people read it.

use std::ptr;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, Zoned};

use crate::forecast::{Blocker, Class, Event, Foreseen, Maintenance, Outlook, Part, Sleep};

/// An event, with its window and its Shoot.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row<'a> {
    pub(super) shoot: &'a Foreseen,
    pub(super) window: &'a Maintenance,
    pub(super) event: &'a Event,
}

/// Every event, by day and time, then by Shoot.
pub(super) fn rows(outlook: &Outlook) -> Vec<Row<'_>> {
    let rows = outlook.events().map(|(shoot, window, event)| Row {
        shoot,
        window,
        event,
    });
    let mut rows: Vec<Row<'_>> = rows.collect();
    rows.sort_by_cached_key(|row| (row.day(), row.window.earliest, row.shoot.title()));
    rows
}

impl Row<'_> {
    /// On the clocks of the Shoot's owner.
    fn local(&self, instant: Timestamp) -> Zoned {
        let offset = self.shoot.forecast.offset;
        instant.to_zoned(TimeZone::fixed(offset))
    }

    /// The day of the earliest time.
    pub(super) fn day(&self) -> Date {
        self.local(self.window.earliest).date()
    }

    /// `in 3 days`.
    pub(super) fn in_days(&self, at: Timestamp) -> String {
        relative(self.local(at).date(), self.day())
    }

    /// `22:00–22:45+01:00`.
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
                format!(
                    "{}–{}{zone}",
                    begin.strftime("%H:%M"),
                    end.strftime("%H:%M")
                )
            }
        }
    }

    /// `1.31.6 → 1.31.9`.
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

    /// `regular`, `forced`, `no update possible`, or that nothing comes of it.
    pub(super) fn class(&self) -> String {
        let class = self.event.class.as_str();
        match self.is_blocked() {
            true => format!("{class}, blocked"),
            false => class.to_owned(),
        }
    }

    /// Whether a rule refuses it. What cannot be done anyway is not refused.
    pub(super) fn is_blocked(&self) -> bool {
        self.window.is_blocked() && self.event.class != Class::NoUpdatePossible
    }

    /// What it does, and what looks odd about it; empty if there is nothing to tell.
    pub(super) fn effects(&self) -> String {
        let effects = self.event.effects.iter().map(ToString::to_string);
        let mut effects: Vec<String> = effects.collect();
        let sleeps = match self.window.sleep {
            _ if effects.is_empty() => None,
            Sleep::Awake => None,
            Sleep::Until(wakes) => Some(format!(
                "when it wakes up at {}",
                self.local(wakes).strftime("%F %H:%M")
            )),
            Sleep::Indefinitely => Some("once it is woken up".to_owned()),
        };
        effects.extend(sleeps);
        effects.join(", ")
    }

    /// What its owner can do before; empty if there is nothing to it, or an event of the window that comes later has the same.
    pub(super) fn advice(&self) -> &str {
        let events = self.window.events.iter();
        let mut later = events.skip_while(|it| !ptr::eq(*it, self.event)).skip(1);
        match later.any(|it| it.advice == self.event.advice) {
            true => "",
            false => &self.event.advice,
        }
    }

    /// What refuses the window; nothing for a row of which it refuses nothing.
    pub(super) fn blockers(&self) -> &[Blocker] {
        match self.is_blocked() {
            true => &self.window.blocked,
            false => &[],
        }
    }
}

/// A rule that refuses a run, in a line.
pub(super) fn blocker(blocker: &Blocker) -> String {
    let Blocker {
        rule,
        field,
        message,
        ..
    } = blocker;
    format!("blocked by {rule} at {field}: {message}")
}

/// How a day lies to another one.
pub(super) fn relative(today: Date, day: Date) -> String {
    match day.duration_since(today).as_hours() / 24 {
        0 => "today".to_owned(),
        1 => "tomorrow".to_owned(),
        days => format!("in {days} days"),
    }
}
