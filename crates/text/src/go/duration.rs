// SPDX-License-Identifier: Apache-2.0
use std::fmt::Write as _;

use jiff::SignedDuration;

const OVERFLOW: u64 = 1 << 63;

/// Parses a Go duration such as `10s`, `1h30m` or `1.5h`, as Go's `time.ParseDuration` does.
///
/// # Errors
/// Returns a sentence with the error in `text`.
pub fn parse_duration(text: &str) -> Result<SignedDuration, String> {
    let (negative, unsigned) = match text.as_bytes().first() {
        Some(b'-') => (true, &text[1..]),
        Some(b'+') => (false, &text[1..]),
        _ => (false, text),
    };
    let nanoseconds = magnitude(unsigned).map_err(|what| {
        format!("`{text}` is not a duration: {what}; write it like `1h30m`, `10s` or `500ms`")
    })?;
    // Two's complement: exactly 2^63 is the most negative duration, but too large as a positive one.
    let nanoseconds = match (negative, i64::try_from(nanoseconds)) {
        (false, Ok(nanoseconds)) => nanoseconds,
        (true, Ok(nanoseconds)) => -nanoseconds,
        (true, Err(_)) => i64::MIN,
        (false, Err(_)) => return Err(format!("`{text}` is longer than a duration can be")),
    };
    Ok(SignedDuration::from_nanos(nanoseconds))
}

/// Formats a duration of a second or more as Go's `time.Duration` does, such as `1h30m0s`.
pub fn go_duration(duration: SignedDuration) -> String {
    let mut text = String::with_capacity(16);
    if duration.is_negative() {
        text.push('-');
    }
    let length = duration.unsigned_abs();
    let (seconds, nanoseconds) = (length.as_secs(), length.subsec_nanos());
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    // Writing to a string cannot fail.
    let _ = match (hours, minutes) {
        (0, 0) => write!(text, "{seconds}"),
        (0, _) => write!(text, "{minutes}m{seconds}"),
        _ => write!(text, "{hours}h{minutes}m{seconds}"),
    };
    if nanoseconds > 0 {
        let _ = write!(text, ".{nanoseconds:09}");
        text.truncate(text.trim_end_matches('0').len());
    }
    text.push('s');
    text
}

/// Returns the sum of the terms; at most 2^63.
fn magnitude(text: &str) -> Result<u64, &'static str> {
    if text == "0" {
        return Ok(0);
    }
    if text.is_empty() {
        return Err("it is empty");
    }
    let (mut rest, mut sum) = (text, 0);
    while !rest.is_empty() {
        let (nanoseconds, after) = term(rest)?;
        sum = bounded(u64::checked_add(sum, nanoseconds))?;
        rest = after;
    }
    Ok(sum)
}

/// Parses one number with its unit.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "Go truncates in the same way"
)]
fn term(text: &str) -> Result<(u64, &str), &'static str> {
    let (integer, after) = digits(text);
    let (fraction, after) = match after.strip_prefix('.') {
        Some(after) => digits(after),
        None => ("", after),
    };
    if integer.is_empty() && fraction.is_empty() {
        return Err("a number is expected");
    }
    let end = after.find(|c: char| c == '.' || c.is_ascii_digit()).unwrap_or(after.len());
    let (name, rest) = after.split_at(end);
    let unit = unit(name)?;
    let whole = bounded(integer.bytes().try_fold(0_u64, push_digit))?;
    let whole = bounded(whole.checked_mul(unit))?;
    let (numerator, scale) = fraction_of(fraction);
    // The value is a float as in Go: exact to the nanosecond for fractions of hours, otherwise truncated in the same way.
    let part = (numerator as f64 * (unit as f64 / scale)) as u64;
    Ok((bounded(whole.checked_add(part))?, rest))
}

fn digits(text: &str) -> (&str, &str) {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    text.split_at(end)
}

fn push_digit(number: u64, digit: u8) -> Option<u64> {
    number.checked_mul(10)?.checked_add(u64::from(digit - b'0'))
}

fn bounded(number: Option<u64>) -> Result<u64, &'static str> {
    number.filter(|number| *number <= OVERFLOW).ok_or("it is longer than a duration can be")
}

/// Returns the digits as a number and its power of ten; digits beyond 63 bits are dropped.
fn fraction_of(digits: &str) -> (u64, f64) {
    let (mut number, mut scale) = (0_u64, 1.0);
    for digit in digits.bytes() {
        let next = (number <= (OVERFLOW - 1) / 10).then(|| push_digit(number, digit)).flatten();
        match next.filter(|next| *next <= OVERFLOW) {
            Some(next) => number = next,
            None => break,
        }
        scale *= 10.0;
    }
    (number, scale)
}

fn unit(name: &str) -> Result<u64, &'static str> {
    Ok(match name {
        "ns" => 1,
        // The micro sign, and the Greek letter that looks the same.
        "us" | "\u{b5}s" | "\u{3bc}s" => 1_000,
        "ms" => 1_000_000,
        "s" => 1_000_000_000,
        "m" => 60_000_000_000,
        "h" => 3_600_000_000_000,
        "" => return Err("a unit is missing"),
        _ => return Err("the units are ns, us, ms, s, m and h"),
    })
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::{go_duration, parse_duration};

    #[rstest]
    #[case("2160h", "2160h0m0s")]
    #[case("90m", "1h30m0s")]
    #[case("61.5s", "1m1.5s")]
    #[case("-5s", "-5s")]
    fn printed_as_in_go(#[case] text: &str, #[case] printed: &str) {
        let duration = parse_duration(text).unwrap();
        assert_eq!(go_duration(duration), printed);
        assert_eq!(parse_duration(printed), Ok(duration));
    }

    #[test]
    fn error_names_the_value_and_the_fix() {
        let error = parse_duration("10").unwrap_err();
        assert_eq!(
            error,
            "`10` is not a duration: a unit is missing; write it like `1h30m`, `10s` or `500ms`"
        );
    }
}
