//! One event of a forecast, formatted for people.

use std::ptr;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, Zoned};

use crate::forecast::{Blocker, Class, Event, Maintenance, Outlook, Part, ShootForecast, Sleep};

/// An event with its window and its Shoot.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row<'a> {
    pub(super) shoot: &'a ShootForecast,
    pub(super) window: &'a Maintenance,
    pub(super) event: &'a Event,
}

/// Returns every event, by day and time, then by Shoot.
pub(super) fn rows(outlook: &Outlook) -> Vec<Row<'_>> {
    let rows = outlook.events().map(|(shoot, window, event)| Row { shoot, window, event });
    let mut rows: Vec<Row<'_>> = rows.collect();
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

    /// Reports whether a rule refuses the event. Impossible updates are not blocked.
    pub(super) fn is_blocked(&self) -> bool {
        self.window.is_blocked() && self.event.class != Class::NoUpdatePossible
    }

    /// Returns the effects of the event, with the wake-up from hibernation; empty if there are none.
    pub(super) fn effects(&self) -> String {
        let effects = self.event.effects.iter().map(ToString::to_string);
        let mut effects: Vec<String> = effects.collect();
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

/// Formats a rule that blocks a window in one line.
pub(super) fn blocker(blocker: &Blocker) -> String {
    let Blocker { rule, field, message, .. } = blocker;
    format!("blocked by {rule} at {field}: {message}")
}

/// Formats a day relative to today.
pub(super) fn relative(today: Date, day: Date) -> String {
    match day.duration_since(today).as_hours() / 24 {
        0 => "today".to_owned(),
        1 => "tomorrow".to_owned(),
        days => format!("in {days} days"),
    }
}
