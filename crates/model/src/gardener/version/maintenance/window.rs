// SPDX-License-Identifier: Apache-2.0
use jiff::tz::Offset;
use jiff::{SignedDuration, Timestamp};

use crate::api::Shoot;

const DAY: i64 = 24 * 60 * 60;
/// Gardener stops early, so that started operations are complete when the window ends. Seconds.
const MARGIN: i64 = 15 * 60;
const OPERATION: &str = "gardener.cloud/operation";
const MAINTAIN: &str = "maintain";

/// The effective daily maintenance window: seconds of the day in UTC, both inclusive.
///
/// It may span midnight.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Window {
    begin: i64,
    end: i64,
}

impl Window {
    /// The whole day, the window of a Shoot without a valid one.
    pub const ALWAYS: Self = Self { begin: 0, end: DAY - 1 };

    /// Returns the window of a Shoot.
    ///
    /// Mirrors EffectiveShootMaintenanceTimeWindow in `pkg/utils/gardener/shoot.go`.
    pub fn of(shoot: &Shoot) -> Self {
        let window = shoot.spec.maintenance.time_window.as_ref();
        window.and_then(|window| Self::parse(&window.begin, &window.end)).unwrap_or(Self::ALWAYS)
    }

    /// Reports whether a Shoot has a valid window; without one, it is maintained at any time of the day.
    pub fn is_readable(shoot: &Shoot) -> bool {
        let window = shoot.spec.maintenance.time_window.as_ref();
        window.is_some_and(|window| Self::parse(&window.begin, &window.end).is_some())
    }

    /// Returns the offset from UTC in which the Shoot's owner wrote the window; UTC if it cannot be parsed.
    pub fn offset(shoot: &Shoot) -> Offset {
        let window = shoot.spec.maintenance.time_window.as_ref();
        let begin = window.map(|window| window.begin.as_str()).filter(|_| Self::is_readable(shoot));
        let time = begin.and_then(time_and_offset);
        let offset = time.and_then(|(_, offset)| Offset::from_seconds(offset).ok());
        offset.unwrap_or(Offset::UTC)
    }

    /// Returns the begin of the window that contains `instant`; `None` if no window contains it.
    pub fn begin_of(self, instant: Timestamp) -> Option<Timestamp> {
        if !self.contains(instant) {
            return None;
        }
        let since = (instant.as_second() - self.begin).rem_euclid(DAY);
        Timestamp::from_second(instant.as_second() - since).ok()
    }

    fn parse(begin: &str, end: &str) -> Option<Self> {
        Some(Self { begin: time_of_day(begin)?, end: (time_of_day(end)? - MARGIN).rem_euclid(DAY) })
    }

    /// Reports whether maintenance runs at a time; fractions of a second are ignored.
    pub fn contains(self, instant: Timestamp) -> bool {
        let time = instant.as_second().rem_euclid(DAY);
        if self.end < self.begin {
            time <= self.end || time >= self.begin
        } else {
            self.begin <= time && time <= self.end
        }
    }

    /// Returns the begin of the next window after `instant`; `None` if it cannot be represented.
    pub fn next_begin(self, instant: Timestamp) -> Option<Timestamp> {
        let since = (instant.as_second() - self.begin).rem_euclid(DAY);
        let begin = instant.as_second().checked_add(DAY - since)?;
        Timestamp::from_second(begin).ok()
    }

    /// Returns the end of the window that begins at `begin`.
    pub fn end_of(self, begin: Timestamp) -> Timestamp {
        let length = (self.end - self.begin).rem_euclid(DAY);
        let end = begin.checked_add(SignedDuration::from_secs(length));
        end.unwrap_or(Timestamp::MAX)
    }

    /// Returns the earliest time after `instant` at which maintenance may run.
    pub fn first_after(self, instant: Timestamp) -> Option<Timestamp> {
        let soon = instant.checked_add(SignedDuration::from_nanos(1)).ok()?;
        if self.contains(soon) { Some(soon) } else { self.next_begin(instant) }
    }
}

/// Reports whether maintenance runs at `now`, if Gardener reconciles the Shoot.
///
/// Mirrors mustMaintainNow in `pkg/controllermanager/controller/shoot/maintenance/reconciler.go`.
pub fn runs_at(shoot: &Shoot, now: Timestamp) -> bool {
    let mut operations =
        shoot.metadata.annotations.get(OPERATION).into_iter().flat_map(|text| text.split(';'));
    shoot.metadata.deletion_timestamp.is_none()
        && (operations.any(|it| it.trim() == MAINTAIN) || Window::of(shoot).contains(now))
}

/// Parses `HHMMSS+ZZZZ` as seconds of the day in UTC.
///
/// Mirrors ParseMaintenanceTime in `pkg/apis/utils/timewindow/timewindow.go`.
pub fn time_of_day(text: &str) -> Option<i64> {
    let (time, offset) = time_and_offset(text)?;
    Some((time - i64::from(offset)).rem_euclid(DAY))
}

/// Parses the second of the day, and the seconds east of UTC.
fn time_and_offset(text: &str) -> Option<(i64, i32)> {
    let pair = |from: usize| -> Option<i64> {
        let digits = text.get(from..from + 2)?;
        let all = digits.bytes().all(|byte| byte.is_ascii_digit());
        all.then(|| digits.parse().ok()).flatten()
    };
    let (hour, minute, second) = (pair(0)?, pair(2)?, pair(4)?);
    // Go's `time.Parse` accepts a fraction of a second that the layout does not have.
    let zone = match text[6..].strip_prefix(['.', ',']) {
        Some(fraction) => fraction.trim_start_matches(|c: char| c.is_ascii_digit()),
        None => &text[6..],
    };
    let has_digits = !text[..text.len() - zone.len()].ends_with(['.', ',']);
    let is_valid = hour < 24 && minute < 60 && second < 60 && has_digits;
    is_valid.then_some((hour * 3600 + minute * 60 + second, offset(zone)?))
}

/// Parses `+ZZZZ` as seconds east of UTC.
fn offset(zone: &str) -> Option<i32> {
    let (sign, digits) = match zone.as_bytes() {
        [b'+', a, b, c, d] => (1, [a, b, c, d]),
        [b'-', a, b, c, d] => (-1, [a, b, c, d]),
        _ => return None,
    };
    let [a, b, c, d] = digits.map(|it| char::from(*it).to_digit(10));
    let (hour, minute) = (a? * 10 + b?, c? * 10 + d?);
    let seconds = i32::try_from((hour * 60 + minute) * 60).ok()?;
    // Go accepts offsets of 24 hours and 60 minutes.
    (hour <= 24 && minute <= 60).then_some(sign * seconds)
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use rstest::rstest;

    use super::{Window, time_of_day};

    fn at(time: &str) -> Timestamp {
        format!("2026-01-15T{time}Z").parse().unwrap()
    }

    #[rstest]
    #[case::row_72_begin("220000+0100", "230000+0100", "21:00:00", true)]
    #[case::row_72_before("220000+0100", "230000+0100", "20:59:59.999", false)]
    #[case::row_72_end("220000+0100", "230000+0100", "21:45:00", true)]
    #[case::row_72_end_with_a_fraction("220000+0100", "230000+0100", "21:45:00.9", true)]
    #[case::row_72_after("220000+0100", "230000+0100", "21:45:01", false)]
    #[case::row_73_in("233000+0000", "003000+0000", "00:15:00", true)]
    #[case::row_73_out("233000+0000", "003000+0000", "00:15:01", false)]
    #[case::west_of_greenwich("200000-0330", "210000-0330", "23:30:00", true)]
    #[case::unreadable_is_always("22:00", "23:00", "12:00:00", true)]
    fn the_effective_window(
        #[case] begin: &str,
        #[case] end: &str,
        #[case] time: &str,
        #[case] expected: bool,
    ) {
        let window = Window::parse(begin, end).unwrap_or(Window::ALWAYS);
        assert_eq!(window.contains(at(time)), expected);
    }

    /// Answers of `time.Parse` of Go 1.26 with the layout `150405-0700`.
    #[rstest]
    #[case("220000+0100", Some(21 * 3600))]
    #[case("220000-0100", Some(23 * 3600))]
    #[case("010203+0000", Some(3723))]
    #[case("220000+0060", Some(21 * 3600))]
    #[case("220000+2400", Some(22 * 3600))]
    #[case("220000+2460", Some(21 * 3600))]
    #[case("220000.5+0000", Some(22 * 3600))]
    #[case("220000,5+0100", Some(21 * 3600))]
    #[case("220000.123456789123+0000", Some(22 * 3600))]
    #[case("220000+2500", None)]
    #[case("220000+0061", None)]
    #[case("220000.+0000", None)]
    #[case("220000..5+0000", None)]
    #[case("220000.5", None)]
    #[case("220000Z", None)]
    #[case("240000+0000", None)]
    #[case("226000+0000", None)]
    #[case("220060+0000", None)]
    #[case("220000+00:00", None)]
    #[case("220000+010", None)]
    #[case("220000+01a0", None)]
    #[case("220000 0100", None)]
    #[case(" 220000+0000", None)]
    #[case("220000+0100 ", None)]
    #[case("2200", None)]
    #[case("22000ä+0100", None)]
    fn time_parsed_as_go(#[case] text: &str, #[case] expected: Option<i64>) {
        assert_eq!(time_of_day(text), expected);
    }

    #[test]
    fn the_next_window_is_the_next_to_begin() {
        let window = Window::parse("233000+0000", "003000+0000").unwrap();
        assert_eq!(window.next_begin(at("12:00:00")), Some(at("23:30:00")));
        let tomorrow = "2026-01-16T23:30:00Z".parse().unwrap();
        assert_eq!(window.next_begin(at("23:30:00")), Some(tomorrow));
        let end = "2026-01-16T00:15:00Z".parse().unwrap();
        assert_eq!(window.end_of(at("23:30:00")), end);
    }

    #[test]
    fn inside_a_window_the_next_run_is_at_once() {
        let window = Window::parse("220000+0100", "230000+0100").unwrap();
        assert_eq!(window.first_after(at("20:00:00")), Some(at("21:00:00")));
        let soon = at("21:20:00.000000001");
        assert_eq!(window.first_after(at("21:20:00")), Some(soon));
        assert!(Window::ALWAYS.contains(at("23:59:59")));
    }
}
