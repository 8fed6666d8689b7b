// SPDX-License-Identifier: Apache-2.0
//! Numbers of machines and durations as text.

use std::time::Duration;

use super::{Bounds, Span};
use garden_gate_text::number;

/// Formats a number or a range, such as `3`, `up to 4`, or `2 to 1,000`.
///
/// Sums end at the largest number of 32 bits.
pub fn bounds(bounds: Bounds) -> String {
    let text = |count: u32| {
        let text = number(usize::try_from(count).unwrap_or(usize::MAX));
        if count == u32::MAX { format!("{text} or more") } else { text }
    };
    match (bounds.least, bounds.most) {
        (least, most) if least == most => text(most),
        (0, most) => format!("up to {}", text(most)),
        (least, most) => format!("{} to {}", text(least), text(most)),
    }
}

/// Formats a number with a noun, such as `1 wave` or `up to 4 waves`.
pub fn counted(count: Bounds, noun: &str) -> String {
    format!("{} {noun}{}", bounds(count), plural(count))
}

/// Returns the ending of a plural.
pub(super) fn plural(count: Bounds) -> &'static str {
    if count.most == 1 && count.least <= 1 { "" } else { "s" }
}

/// Formats the usual duration, such as `18 min to 1 h 40`.
pub fn usual(span: Span) -> String {
    let [best, typical] = [span.best, span.typical].map(minutes);
    if best == typical {
        best
    } else if span.best.is_zero() {
        format!("up to {typical}")
    } else {
        format!("{best} to {typical}")
    }
}

/// Formats a whole duration, such as `18 min to 1 h 40, at worst 14 h 36`.
pub(super) fn span(span: Span) -> String {
    let (usual, worst) = (usual(span), minutes(span.worst));
    if minutes(span.typical) == worst { usual } else { format!("{usual}, at worst {worst}") }
}

/// Formats a duration in whole minutes, rounded up, such as `40 min`, `2 h 10` or `12 d 4 h`.
pub fn minutes(duration: Duration) -> String {
    let seconds = duration.as_secs().saturating_add(u64::from(duration.subsec_nanos() > 0));
    let minutes = seconds.div_ceil(60);
    match (minutes / 60, minutes % 60) {
        (0, minutes) => format!("{minutes} min"),
        (hours, 0) if hours < DAYS_FROM => format!("{hours} h"),
        (hours, minutes) if hours < DAYS_FROM => format!("{hours} h {minutes:02}"),
        (hours, _) if hours / 24 > LONGEST => "more than 10 years".to_owned(),
        (hours, minutes) => {
            let hours = hours + u64::from(minutes > 0);
            match hours % 24 {
                0 => format!("{} d", hours / 24),
                rest => format!("{} d {rest} h", hours / 24),
            }
        }
    }
}

/// The number of hours from which on durations are written in days.
const DAYS_FROM: u64 = 72;
/// The longest duration in days that is written as a number.
const LONGEST: u64 = 3_650;

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case(0, "0 min")]
    #[case(1, "1 min")]
    #[case(60, "1 min")]
    #[case(2_399, "40 min")]
    #[case(7_800, "2 h 10")]
    #[case(10_800, "3 h")]
    #[case(259_200, "3 d")]
    #[case(262_801, "3 d 2 h")]
    #[case(u64::MAX, "more than 10 years")]
    fn durations_are_rounded_up(#[case] seconds: u64, #[case] expected: &str) {
        assert_eq!(minutes(Duration::from_secs(seconds)), expected);
    }

    #[rstest]
    #[case(1, 1, "1 wave")]
    #[case(0, 1, "up to 1 wave")]
    #[case(0, 0, "0 waves")]
    #[case(2, 4_000, "2 to 4,000 waves")]
    #[case(u32::MAX, u32::MAX, "4,294,967,295 or more waves")]
    fn numbers_are_counted(#[case] least: u32, #[case] most: u32, #[case] expected: &str) {
        assert_eq!(counted(Bounds { least, most }, "wave"), expected);
    }
}
