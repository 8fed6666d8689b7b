// SPDX-License-Identifier: Apache-2.0
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, ToSpan};

use super::parse_duration;

/// A cron schedule in the syntax of `github.com/robfig/cron` v1.2: five fields or a descriptor.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct CronSchedule {
    when: ScheduleKind,
}

#[derive(Clone, Debug, Eq, PartialEq)]
enum ScheduleKind {
    Fields(Fields),
    Every(SignedDuration),
}

/// The allowed values of each field, one bit each; [`STAR`] marks a field written as `*` or `?`.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
struct Fields {
    minute: u64,
    hour: u64,
    day: u64,
    month: u64,
    weekday: u64,
}

/// Flag for `*`: if a day field has it, both day fields must match; otherwise one of them suffices.
const STAR: u64 = 1 << 63;

/// Maximum number of years in the search for the next time.
const YEARS: i16 = 5;

struct Bounds {
    name: &'static str,
    min: u32,
    max: u32,
    names: &'static [&'static str],
}

const MINUTE: Bounds = Bounds { name: "minute", min: 0, max: 59, names: &[] };
const HOUR: Bounds = Bounds { name: "hour", min: 0, max: 23, names: &[] };
const DAY: Bounds = Bounds { name: "day of month", min: 1, max: 31, names: &[] };
const MONTH: Bounds = Bounds {
    name: "month",
    min: 1,
    max: 12,
    names: &["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"],
};
const WEEKDAY: Bounds = Bounds {
    name: "day of week",
    min: 0,
    max: 6,
    names: &["sun", "mon", "tue", "wed", "thu", "fri", "sat"],
};

impl CronSchedule {
    /// Parses five fields (minute, hour, day of month, month, day of week), or a descriptor.
    ///
    /// Examples of descriptors are `@daily` and `@every 1h`.
    ///
    /// # Errors
    /// Returns the reason in a few words that fit after a colon.
    pub fn parse(text: &str) -> Result<Self, String> {
        let when = match text {
            "" => return Err("it is empty".to_owned()),
            _ if text.starts_with('@') => descriptor(text)?,
            _ => ScheduleKind::Fields(fields(text)?),
        };
        Ok(Self { when })
    }

    /// Returns the first time after `instant`, in UTC; `None` if there is none within five years.
    pub fn next_after(&self, instant: Timestamp) -> Option<Timestamp> {
        let nanoseconds = SignedDuration::from_nanos(instant.subsec_nanosecond().into());
        match &self.when {
            ScheduleKind::Every(delay) => instant.checked_add(*delay - nanoseconds).ok(),
            ScheduleKind::Fields(fields) => {
                let second = SignedDuration::from_secs(1);
                fields.at_or_after(instant.checked_add(second - nanoseconds).ok()?)
            }
        }
    }
}

impl Fields {
    fn at_or_after(&self, earliest: Timestamp) -> Option<Timestamp> {
        let start = earliest.to_zoned(TimeZone::UTC).datetime();
        let mut day = start.date();
        let last_year = day.year().checked_add(YEARS)?;
        while day.year() <= last_year {
            if self.includes(day) {
                let mut times =
                    self.minutes_of_day().map(|(hour, minute)| day.at(hour, minute, 0, 0));
                if let Some(time) = times.find(|time| *time >= start) {
                    return Some(time.to_zoned(TimeZone::UTC).ok()?.timestamp());
                }
            }
            day = day.checked_add(1.day()).ok()?;
        }
        None
    }

    fn minutes_of_day(&self) -> impl Iterator<Item = (i8, i8)> {
        let Self { minute, hour, .. } = *self;
        let hours = (0..24_i8).filter(move |value| has(hour, *value));
        hours.flat_map(move |hour| {
            let minutes = (0..60_i8).filter(move |value| has(minute, *value));
            minutes.map(move |minute| (hour, minute))
        })
    }

    fn includes(&self, day: Date) -> bool {
        let of_month = has(self.day, day.day());
        let of_week = has(self.weekday, day.weekday().to_sunday_zero_offset());
        let either = (self.day | self.weekday) & STAR == 0;
        has(self.month, day.month())
            && if either { of_month || of_week } else { of_month && of_week }
    }
}

fn has(bits: u64, value: i8) -> bool {
    bits & (1 << value) != 0
}

fn descriptor(text: &str) -> Result<ScheduleKind, String> {
    if let Some(duration) = text.strip_prefix("@every ") {
        let duration = parse_duration(duration)?;
        let second = SignedDuration::from_secs(1);
        let whole = SignedDuration::from_secs(duration.as_secs());
        return Ok(ScheduleKind::Every(whole.max(second)));
    }
    let equivalent = match text {
        "@yearly" | "@annually" => "0 0 1 1 *",
        "@monthly" => "0 0 1 * *",
        "@weekly" => "0 0 * * 0",
        "@daily" | "@midnight" => "0 0 * * *",
        "@hourly" => "0 * * * *",
        _ => {
            let known = "@yearly, @annually, @monthly, @weekly, @daily, @midnight, @hourly or `@every 1h30m`";
            return Err(format!("after `@` it must be exactly {known}"));
        }
    };
    fields(equivalent).map(ScheduleKind::Fields)
}

fn fields(text: &str) -> Result<Fields, String> {
    let parts: Vec<&str> = text.split_whitespace().collect();
    let [minute, hour, day, month, weekday] = parts[..] else {
        return Err(format!(
            "it has {} fields instead of five (minute, hour, day of month, month, day of week)",
            parts.len()
        ));
    };
    Ok(Fields {
        minute: field(minute, &MINUTE)?,
        hour: field(hour, &HOUR)?,
        day: field(day, &DAY)?,
        month: field(month, &MONTH)?,
        weekday: field(weekday, &WEEKDAY)?,
    })
}

/// Parses a comma list.
///
/// Empty items are dropped, so `,` is a field that never matches.
fn field(text: &str, bounds: &Bounds) -> Result<u64, String> {
    let mut items = text.split(',').filter(|item| !item.is_empty());
    items.try_fold(0, |bits, item| {
        let item_bits = item_bits(item, bounds)
            .map_err(|why| format!("`{item}` is not a {}: {why}", bounds.name))?;
        Ok(bits | item_bits)
    })
}

fn item_bits(item: &str, bounds: &Bounds) -> Result<u64, String> {
    let (base, step) = match item.split_once('/') {
        Some((_, step)) if step.contains('/') => return Err("it has more than one `/`".to_owned()),
        Some((base, step)) => (base, Some(step)),
        None => (item, None),
    };
    let (first, rest) = match base.split_once('-') {
        Some((first, rest)) => (first, Some(rest)),
        None => (base, None),
    };
    let (start, end, star) = match (first, rest) {
        // Characters after `*-` are ignored.
        ("*" | "?", _) => (bounds.min.into(), bounds.max.into(), STAR),
        (_, Some(rest)) if rest.contains('-') => return Err("it has more than one `-`".to_owned()),
        (_, Some(rest)) => (number_or_name(first, bounds)?, number_or_name(rest, bounds)?, 0),
        (_, None) => {
            let start = number_or_name(first, bounds)?;
            let end = step.map_or(start, |_| bounds.max.into());
            (start, end, 0)
        }
    };
    let step = step.map_or(Ok(1), number)?;
    if start < i64::from(bounds.min) || end > i64::from(bounds.max) {
        let Bounds { min, max, .. } = bounds;
        return Err(format!("it is not within {min} to {max}"));
    }
    if start > end {
        return Err(format!("it begins at {start}, after its end {end}"));
    }
    let step = usize::try_from(step).unwrap_or(usize::MAX);
    if step == 0 {
        return Err("the step must be positive".to_owned());
    }
    Ok((start..=end).step_by(step).fold(star, |bits, value| bits | 1 << value))
}

fn number_or_name(text: &str, bounds: &Bounds) -> Result<i64, String> {
    let lower: String = text.chars().filter_map(lower).collect();
    let named = bounds.names.iter().position(|name| *name == lower);
    match named.and_then(|position| i64::try_from(position).ok()) {
        Some(position) => Ok(position + i64::from(bounds.min)),
        None => number(text),
    }
}

/// Converts a letter to lower case as Go does: the dotted capital I becomes a plain i.
fn lower(letter: char) -> Option<char> {
    if letter == '\u{130}' {
        return Some('i');
    }
    letter.to_lowercase().next()
}

fn number(text: &str) -> Result<i64, String> {
    match super::atoi(text) {
        Some(number) if number >= 0 => Ok(number),
        _ => Err(format!("`{text}` is not a number")),
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use rstest::rstest;

    use super::fields;

    /// In `dayMatches`, a step after `*` keeps the star bit.
    #[rstest]
    #[case::thursday_the_first(1, true)]
    #[case::monday_the_fifth(5, false)]
    #[case::tuesday_the_sixth(6, false)]
    fn both_day_fields_with_a_star_must_match(#[case] day: i8, #[case] expected: bool) {
        let fields = fields("0 0 */2 * */2").unwrap();
        assert_eq!(fields.includes(date(2026, 1, day)), expected);
    }
}
