//! Times on the command line.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

/// Parses a time such as `2026-12-24T18:00:00Z`, or a date, which is its beginning in UTC.
///
/// # Errors
/// Returns the expected format.
pub(super) fn time(text: &str) -> Result<Timestamp, String> {
    let of_date = || {
        let date: Date = text.parse().ok()?;
        let start = date.to_zoned(TimeZone::UTC).ok()?;
        Some(start.timestamp())
    };
    let time = text.parse().ok().or_else(of_date);
    time.ok_or_else(|| {
        "write it like 2026-12-24T18:00:00Z, or a date like 2026-12-24 for its start in UTC"
            .to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::time;

    #[test]
    fn time_or_date_is_accepted() {
        let cases = [
            ("2026-12-24T18:00:00Z", "2026-12-24T18:00:00Z"),
            ("2026-12-24T18:00:00+02:00", "2026-12-24T16:00:00Z"),
            ("2026-12-24", "2026-12-24T00:00:00Z"),
        ];
        for (text, expected) in cases {
            assert_eq!(time(text).unwrap().to_string(), expected);
        }
        for text in ["yesterday", "2026-13-01", "24.12.2026", ""] {
            assert!(time(text).unwrap_err().starts_with("write it like"), "{text}");
        }
    }
}
