//! The extent of a forecast and the number of its events, in words.

use jiff::SignedDuration;

use crate::forecast::{Counts, Outlook};
use crate::report::truncation::counted;

/// Formats the extent, such as `7 Shoots, 90 days from 2026-12-01T00:00:00Z, judged as Gardener 1.149 (from gardener-info)`.
pub(super) fn extent(outlook: &Outlook) -> String {
    let shoots = outlook.shoots.len() + outlook.unforeseen.len();
    let shoots = counted(shoots, "Shoot", "Shoots").unwrap_or_else(|| "no Shoots".to_owned());
    let time = outlook.until.duration_since(outlook.at);
    let time = length(time);
    let judged = outlook.judged;
    format!("{shoots}, {time} from {:.0}, judged as {judged}", outlook.at)
}

fn length(time: SignedDuration) -> String {
    let days = time.as_hours() / 24;
    match (days, time.as_hours()) {
        (0, 1) => "1 hour".to_owned(),
        (0, hours) => format!("{hours} hours"),
        (1, _) => "1 day".to_owned(),
        (days, _) => format!("{days} days"),
    }
}

/// Formats the counts that are not zero, such as `2 regular, 1 forced, 1 blocked`.
pub(super) fn counts(outlook: &Outlook) -> String {
    let Counts { regular, forced, blocked, impossible, paused, unknown } = outlook.counts();
    let counts = [
        counted(regular, "regular update", "regular updates"),
        counted(forced, "forced update", "forced updates"),
        counted(blocked, "blocked", "blocked"),
        counted(impossible, "without an update possible", "without an update possible"),
        counted(paused, "stays behind", "stay behind"),
        counted(unknown, "window not certain", "windows not certain"),
        counted(outlook.unforeseen.len(), "Shoot not forecast", "Shoots not forecast"),
    ];
    let counts: Vec<String> = counts.into_iter().flatten().collect();
    if counts.is_empty() { "nothing happens".to_owned() } else { counts.join(", ") }
}
