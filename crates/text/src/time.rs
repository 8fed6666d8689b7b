// SPDX-License-Identifier: Apache-2.0
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

/// Parses a time such as `2026-12-24T18:00:00Z`, or a date, which is its beginning in UTC.
pub fn time_or_date(text: &str) -> Option<Timestamp> {
    let of_date = || {
        let date: Date = text.parse().ok()?;
        Some(date.to_zoned(TimeZone::UTC).ok()?.timestamp())
    };
    text.parse().ok().or_else(of_date)
}
