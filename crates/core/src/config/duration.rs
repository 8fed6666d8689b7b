// SPDX-License-Identifier: Apache-2.0
use jiff::SignedDuration;

use garden_gate_text::go::parse_duration;

/// Maximum number of days, which keeps sums of times and durations within the calendar range.
const LONGEST_DAYS: i64 = 36_500;

/// Parses a duration such as `30d`, `12h30m` or `1d12h`: days, then a Go duration.
/// Rejects signs.
pub(super) fn parse(text: &str) -> Result<SignedDuration, String> {
    let malformed = || format!("`{text}` is not a duration");
    let (days, rest) = match text.split_once('d') {
        Some((days, "")) => (days, "0"),
        Some((days, rest)) => (days, rest),
        None => ("0", text),
    };
    if [days, rest].iter().any(|part| part.starts_with(['+', '-'])) {
        return Err(malformed());
    }
    let days: u32 = days.parse().map_err(|_| malformed())?;
    let rest = parse_duration(rest).map_err(|_| malformed())?;
    let longest = SignedDuration::from_hours(LONGEST_DAYS * 24);
    let days = SignedDuration::from_hours(i64::from(days) * 24);
    let sum = days.checked_add(rest).filter(|sum| *sum <= longest);
    sum.ok_or_else(|| format!("`{text}` is longer than {LONGEST_DAYS}d"))
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn durations_are_those_of_go_and_days() {
        let cases = [
            ("30d", Some(30 * 86_400_000)),
            ("1d12h", Some(36 * 3_600_000)),
            ("1.5h", Some(5_400_000)),
            (".5s", Some(500)),
            ("2m3s4ms", Some(123_004)),
            ("0s", Some(0)),
            ("36500d", Some(36_500 * 86_400_000)),
            ("36500d1ms", None),
            ("", None),
            ("30", None),
            ("d", None),
            ("-1h", None),
            ("+1h", None),
            ("1d-1h", None),
            ("+1d", None),
            ("1h1d", None),
            ("1h ", None),
            ("1.2.3h", None),
            (".h", None),
            ("1month", None),
            ("9999999999999999999d", None),
        ];
        for (text, millis) in cases {
            assert_eq!(parse(text).ok().map(|duration| duration.as_millis()), millis, "{text}");
        }
    }
}
