use jiff::SignedDuration;

/// More than any date in a garden is away; it keeps sums of instants and durations within the calendar.
const LONGEST_DAYS: i128 = 36_500;

const NANOS_PER_SECOND: i128 = 1_000_000_000;
const NANOS_PER_DAY: i128 = 24 * 3_600 * NANOS_PER_SECOND;

/// The units of Go's ParseDuration, and days of 24 hours. A unit that begins with another one comes before it.
const UNITS: [(&str, i128); 9] = [
    ("ns", 1),
    ("us", 1_000),
    ("µs", 1_000),
    ("μs", 1_000),
    ("ms", 1_000_000),
    ("s", NANOS_PER_SECOND),
    ("m", 60 * NANOS_PER_SECOND),
    ("h", 3_600 * NANOS_PER_SECOND),
    ("d", NANOS_PER_DAY),
];

/// Reads a duration as `30d`, `12h30m` or `1.5h`; negative ones are refused.
pub(super) fn parse(text: &str) -> Result<SignedDuration, String> {
    let malformed = || format!("`{text}` is not a duration");
    let mut rest = text;
    let mut nanos: i128 = 0;
    while !rest.is_empty() || text.is_empty() {
        let (part, after) = number_and_unit(rest).ok_or_else(malformed)?;
        nanos += part;
        rest = after;
        if nanos > LONGEST_DAYS * NANOS_PER_DAY {
            return Err(format!("`{text}` is longer than {LONGEST_DAYS}d"));
        }
    }
    // Both fit after the check above.
    let seconds = i64::try_from(nanos / NANOS_PER_SECOND).map_err(|_| malformed())?;
    let fraction = i32::try_from(nanos % NANOS_PER_SECOND).map_err(|_| malformed())?;
    Ok(SignedDuration::new(seconds, fraction))
}

/// The nanoseconds of the first number with its unit, and what follows. Numbers of more than 15 digits are no durations.
fn number_and_unit(text: &str) -> Option<(i128, &str)> {
    let is_number = |c: char| c.is_ascii_digit() || c == '.';
    let end = text.find(|c| !is_number(c)).unwrap_or(text.len());
    let (number, rest) = text.split_at(end);
    let (unit, nanos) = UNITS.into_iter().find(|(unit, _)| rest.starts_with(unit))?;
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let digits = format!("{whole}{fraction}");
    if digits.is_empty() || digits.len() > 15 {
        return None;
    }
    let scale = 10_i128.checked_pow(u32::try_from(fraction.len()).ok()?)?;
    let scaled: i128 = digits.parse().ok()?;
    Some((scaled * nanos / scale, &rest[unit.len()..]))
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
            ("1h ", None),
            ("1.2.3h", None),
            (".h", None),
            ("1month", None),
            ("9999999999999999999d", None),
        ];
        for (text, millis) in cases {
            assert_eq!(
                parse(text).ok().map(|duration| duration.as_millis()),
                millis,
                "{text}"
            );
        }
    }
}
