// SPDX-License-Identifier: Apache-2.0
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::Offset;

/// Parses a time as Go's `time.Parse(time.RFC3339, text)` does; returns `None` if Go refuses it.
///
/// The last days of the year 9999 are beyond [`Timestamp`], and become its maximum.
pub fn parse_time(text: &str) -> Option<Timestamp> {
    let (local, offset) = parse_local_time(text)?;
    Some(offset.to_timestamp(local).unwrap_or(Timestamp::MAX))
}

/// Parses a time as [`parse_time`] does, and returns the local time with its offset from UTC.
pub fn parse_local_time(text: &str) -> Option<(DateTime, Offset)> {
    let mut rest = Remainder(text.as_bytes());
    let year = i16::try_from(rest.number(4)?).ok()?;
    let month = rest.after(b'-')?.two()?;
    let day = rest.after(b'-')?.two()?;
    let hour = rest.after(b'T')?.hour()?;
    let minute = rest.after(b':')?.two()?;
    let second = rest.after(b':')?.two()?;
    let nanosecond = rest.fraction();
    let offset = rest.offset()?;
    let local = DateTime::new(year, month, day, hour, minute, second, nanosecond).ok()?;
    rest.0.is_empty().then_some((local, offset))
}

/// The rest of the input.
struct Remainder<'a>(&'a [u8]);

impl Remainder<'_> {
    fn after(&mut self, byte: u8) -> Option<&mut Self> {
        self.0 = self.0.strip_prefix(&[byte])?;
        Some(self)
    }

    /// Parses a number with this many digits.
    fn number(&mut self, digits: usize) -> Option<i32> {
        let (number, rest) = self.0.split_at_checked(digits)?;
        self.0 = rest;
        let is_number = number.iter().all(u8::is_ascii_digit);
        let value = |sum: i32, digit: &u8| sum * 10 + i32::from(digit - b'0');
        is_number.then(|| number.iter().fold(0, value))
    }

    fn two(&mut self) -> Option<i8> {
        self.number(2)?.try_into().ok()
    }

    /// Parses the hour, for which Go also accepts one digit.
    fn hour(&mut self) -> Option<i8> {
        let one = !self.0.get(1).is_some_and(u8::is_ascii_digit);
        self.number(if one { 1 } else { 2 })?.try_into().ok()
    }

    /// Parses a fraction of a second in nanoseconds.
    ///
    /// Go also accepts a comma, and reads nine digits at most.
    fn fraction(&mut self) -> i32 {
        let [b'.' | b',', digits @ ..] = self.0 else {
            return 0;
        };
        let count = digits.iter().take_while(|it| it.is_ascii_digit()).count();
        if count == 0 {
            return 0;
        }
        self.0 = &digits[count..];
        let digits = digits[..count].iter().chain([b'0'; 9].iter()).take(9);
        digits.fold(0, |sum, digit| sum * 10 + i32::from(digit - b'0'))
    }

    /// Parses the offset from UTC; Go accepts up to 24 hours and 60 minutes.
    fn offset(&mut self) -> Option<Offset> {
        if self.after(b'Z').is_some() {
            return Some(Offset::UTC);
        }
        let sign = match self.0.first()? {
            b'+' => 1,
            b'-' => -1,
            _ => return None,
        };
        self.0 = &self.0[1..];
        let hours = self.number(2).filter(|hours| *hours <= 24)?;
        let minutes = self.after(b':')?.number(2).filter(|it| *it <= 60)?;
        Offset::from_seconds(sign * (hours * 60 + minutes) * 60).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::parse_time;

    #[test]
    fn times_are_read_as_go_reads_them() {
        // Answers of Go: `time.Parse(time.RFC3339, text)`, printed in UTC.
        let read = [
            ("2024-01-31T23:59:59Z", "2024-01-31T23:59:59Z"),
            ("2024-02-01T00:59:59+01:00", "2024-01-31T23:59:59Z"),
            ("2024-01-31T23:59:59.5Z", "2024-01-31T23:59:59.5Z"),
            ("2024-01-31T23:59:59,5Z", "2024-01-31T23:59:59.5Z"),
            ("2024-01-31T23:59:59.12345678998Z", "2024-01-31T23:59:59.123456789Z"),
            ("2024-01-31T3:59:59Z", "2024-01-31T03:59:59Z"),
            ("2024-01-31T23:59:59+24:60", "2024-01-30T22:59:59Z"),
            ("2024-02-29T00:00:00-00:00", "2024-02-29T00:00:00Z"),
            ("0000-01-01T00:00:00+23:00", "-000001-12-31T01:00:00Z"),
            ("9999-12-31T23:59:59Z", "9999-12-30T22:00:00.999999999Z"),
        ];
        for (text, instant) in read {
            let found = parse_time(text).map(|it| it.to_string());
            assert_eq!(found.as_deref(), Some(instant), "{text}");
        }
    }

    #[test]
    fn what_go_refuses_is_no_time() {
        let refused = [
            "",
            "Z",
            "2024-01-31",
            "2024-01-31T23:59:59",
            "2024-01-31T23:59Z",
            "2024-01-31t23:59:59Z",
            "2024-01-31T23:59:59z",
            "2024-01-31 23:59:59Z",
            "20240131T235959Z",
            "2024-1-31T23:59:59Z",
            "24-01-31T23:59:59Z",
            "+2024-01-31T23:59:59Z",
            "2024-01-31T23:59:60Z",
            "2024-01-31T24:00:00Z",
            "2024-01-31T123:59:59Z",
            "2023-02-29T00:00:00Z",
            "2024-13-31T00:00:00Z",
            "2024-01-00T00:00:00Z",
            "2024-01-31T23:59:59.Z",
            "2024-01-31T23:59:59+0100",
            "2024-01-31T23:59:59+01",
            "2024-01-31T23:59:59+25:00",
            "2024-01-31T23:59:59+01:61",
            "2024-01-31T23:59:59Z ",
            "2024-01-31T23:59:59Z[UTC]",
        ];
        for text in refused {
            assert_eq!(parse_time(text), None, "{text}");
        }
    }
}
