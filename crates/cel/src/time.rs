// SPDX-License-Identifier: Apache-2.0
use std::fmt;

use jiff::tz::TimeZone;

use garden_gate_text::go::{atoi, parse_local_time};

use super::error::{EvaluationError, failed};
use super::number::print_fixed;

/// A time between the years 1 and 9999, with the offset from UTC for printing.
#[derive(Clone, Copy, Debug)]
pub struct Timestamp {
    /// Seconds since 1970.
    pub(super) seconds: i64,
    pub(super) nanoseconds: u32,
    /// Seconds east of UTC.
    offset: i32,
}

/// The first second of the year 1.
const FIRST: i64 = -62_135_596_800;
/// The last second of the year 9999.
const LAST: i64 = 253_402_300_799;
const DAY: i64 = 86_400;
const BILLION: i128 = 1_000_000_000;

/// Local date and time.
#[derive(Clone, Copy, Debug)]
struct Civil {
    year: i64,
    month: i64,
    day: i64,
    /// Days since 1970.
    days: i64,
    /// Seconds since midnight.
    second: i64,
}

impl From<jiff::Timestamp> for Timestamp {
    fn from(time: jiff::Timestamp) -> Self {
        let nanoseconds = time.as_nanosecond();
        Self::of_nanoseconds(nanoseconds, 0).unwrap_or(Self {
            seconds: FIRST,
            nanoseconds: 0,
            offset: 0,
        })
    }
}

impl Timestamp {
    /// Returns the time after that many seconds since 1970.
    pub(super) fn of_seconds(seconds: i64) -> Option<Self> {
        Self::of_nanoseconds(i128::from(seconds) * BILLION, 0)
    }

    fn of_nanoseconds(nanoseconds: i128, offset: i32) -> Option<Self> {
        let seconds = i64::try_from(nanoseconds.div_euclid(BILLION)).ok()?;
        let nanoseconds = u32::try_from(nanoseconds.rem_euclid(BILLION)).ok()?;
        (FIRST..=LAST).contains(&seconds).then_some(Self { seconds, nanoseconds, offset })
    }

    /// Parses a time in RFC 3339; the error is that of the conversion.
    pub(super) fn parse(text: &str) -> Result<Self, EvaluationError> {
        let Some((local, offset)) = parse_local_time(text) else {
            return failed("type conversion error from 'string' to 'google.protobuf.Timestamp'");
        };
        let days =
            days_of(i64::from(local.year()), i64::from(local.month()), i64::from(local.day()));
        let minutes = i64::from(local.hour()) * 60 + i64::from(local.minute());
        let seconds = days * DAY + minutes * 60 + i64::from(local.second());
        let offset = offset.seconds();
        let nanoseconds = i128::from(seconds - i64::from(offset)) * BILLION
            + i128::from(local.subsec_nanosecond());
        Self::of_nanoseconds(nanoseconds, offset).map_or_else(|| failed(OVERFLOW), Ok)
    }

    /// Returns nanoseconds since 1970.
    pub(super) fn since_epoch(self) -> i128 {
        i128::from(self.seconds) * BILLION + i128::from(self.nanoseconds)
    }

    /// Adds a duration in nanoseconds.
    pub(super) fn add(self, duration: i128) -> Result<Self, EvaluationError> {
        Self::of_nanoseconds(self.since_epoch() + duration, self.offset)
            .map_or_else(|| failed(OVERFLOW), Ok)
    }

    fn local(self, offset: i64) -> Civil {
        let seconds = self.seconds + offset;
        let days = seconds.div_euclid(DAY);
        let (year, month, day) = date_of(days);
        Civil { year, month, day, days, second: seconds.rem_euclid(DAY) }
    }

    /// Returns the part of the local time that a function such as `getHours` returns; in UTC without a time zone.
    pub(super) fn part(self, function: &str, zone: Option<&str>) -> Result<i64, EvaluationError> {
        let offset = match zone {
            None => 0,
            Some(zone) => self.offset_in(zone)?,
        };
        let local = self.local(offset);
        Ok(match function {
            "getFullYear" => local.year,
            "getMonth" => local.month - 1,
            "getDayOfYear" => local.days - days_of(local.year, 1, 1),
            "getDayOfMonth" => local.day - 1,
            "getDate" => local.day,
            "getDayOfWeek" => (local.days + 4).rem_euclid(7),
            "getHours" => local.second / 3600,
            "getMinutes" => local.second / 60 % 60,
            "getSeconds" => local.second % 60,
            _ => i64::from(self.nanoseconds / 1_000_000),
        })
    }

    /// Returns the offset of a time zone from UTC in seconds, as cel-go reads it: a name, or hours and minutes.
    fn offset_in(self, zone: &str) -> Result<i64, EvaluationError> {
        let Some((hours, minutes)) = zone.split_once(':') else {
            if zone.is_empty() || zone == "UTC" || zone == "Local" {
                return Ok(0);
            }
            if zone.contains("..") || zone.starts_with(['/', '\\']) {
                return failed("time: invalid location name");
            }
            let found = TimeZone::get(zone).ok().filter(|it| it.iana_name() == Some(zone));
            let Some(found) = found else {
                return failed(format!("unknown time zone {zone}"));
            };
            let time = jiff::Timestamp::from_second(self.seconds).unwrap_or(jiff::Timestamp::MAX);
            return Ok(i64::from(found.to_offset(time).seconds()));
        };
        let number = |text: &str| match atoi(text) {
            Some(number) if number.unsigned_abs() < 1_000_000 => Ok(number),
            _ => failed(format!("strconv.Atoi: parsing {text:?}: invalid syntax")),
        };
        let (east, minutes) = (number(hours)?, number(minutes)?);
        let minutes = if zone.starts_with('-') { -minutes } else { minutes };
        Ok((east * 60 + minutes) * 60)
    }
}

const OVERFLOW: &str = "timestamp overflow";

/// Prints the time in RFC 3339, as Go does.
impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let local = self.local(i64::from(self.offset));
        let (hour, minute, second) =
            (local.second / 3600, local.second / 60 % 60, local.second % 60);
        let (year, month, day) = (local.year, local.month, local.day);
        write!(f, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}")?;
        if self.nanoseconds > 0 {
            let fraction = format!("{:09}", self.nanoseconds);
            write!(f, ".{}", fraction.trim_end_matches('0'))?;
        }
        if self.offset == 0 {
            return f.write_str("Z");
        }
        let sign = if self.offset < 0 { '-' } else { '+' };
        let minutes = self.offset.unsigned_abs() / 60;
        write!(f, "{sign}{:02}:{:02}", minutes / 60, minutes % 60)
    }
}

/// Prints a duration of nanoseconds as `string()` does: seconds, such as `5400s` or `0.001s`.
pub(super) fn print_duration(nanoseconds: i64) -> String {
    let (seconds, rest) = (nanoseconds / 1_000_000_000, nanoseconds % 1_000_000_000);
    let seconds = seconds as f64 + rest as f64 / 1e9;
    format!("{}s", print_fixed(seconds))
}

/// Returns the days from 1970 to a date of the Gregorian calendar.
fn days_of(year: i64, month: i64, day: i64) -> i64 {
    // The year begins in March, so that a leap day is its last day.
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

/// Returns year, month and day that many days after 1970.
fn date_of(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (year, month, day)
}

#[cfg(test)]
mod tests {
    use super::{Timestamp, date_of, days_of};

    #[test]
    fn dates_round_trip() {
        for days in (-719_162..2_932_897).step_by(97) {
            let (year, month, day) = date_of(days);
            assert_eq!(days_of(year, month, day), days, "{year}-{month}-{day}");
        }
        assert_eq!(date_of(0), (1970, 1, 1));
        assert_eq!(date_of(11_016), (2000, 2, 29));
    }

    #[test]
    fn bounds_are_parsed_and_printed() {
        for text in ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999999Z"] {
            assert_eq!(Timestamp::parse(text).unwrap().to_string(), text);
        }
        assert!(Timestamp::parse("0000-12-31T23:59:59Z").is_err());
    }
}
