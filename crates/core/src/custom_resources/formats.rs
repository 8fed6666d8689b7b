// SPDX-License-Identifier: Apache-2.0
//! Formats of strings. Mirrors `pkg/validation/strfmt` of `k8s.io/kube-openapi` as far as it is simple.

use garden_gate_text::go::{dns_label_error, dns_subdomain_error};
use jiff::civil::Date;

/// Formats that API servers know and that are not evaluated here.
const OTHERS: [&str; 22] = [
    "bsonobjectid",
    "byte",
    "cidr",
    "creditcard",
    "duration",
    "email",
    "hexcolor",
    "hostname",
    "ipv4",
    "ipv6",
    "isbn",
    "isbn10",
    "isbn13",
    "mac",
    "rgbcolor",
    "ssn",
    "uri",
    "uuid",
    "uuid3",
    "uuid4",
    "uuid5",
    "k8sresourcename",
];

/// The result of comparing a string with a format.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Formatted {
    /// The string has the format, or an API server ignores the format.
    Right,
    /// The string does not have the format.
    Wrong,
    /// The format is not evaluated here.
    Unknown,
}

/// Compares a string with a format of a schema.
pub(super) fn compare(text: &str, format: &str) -> Formatted {
    let is_right = match format.replace('-', "").as_str() {
        "datetime" => is_date_time(text),
        "date" => is_date(text),
        "k8sshortname" => dns_label_error(text).is_none(),
        "k8slongname" => dns_subdomain_error(text).is_none(),
        other if OTHERS.contains(&other) => return Formatted::Unknown,
        _ => true,
    };
    if is_right { Formatted::Right } else { Formatted::Wrong }
}

/// Reports whether an API server knows a format of strings.
pub(super) fn is_known(format: &str) -> bool {
    let format = format.replace('-', "");
    let own = ["datetime", "date", "k8sshortname", "k8slongname", "password"];
    own.contains(&&*format) || OTHERS.contains(&&*format)
}

fn is_date(text: &str) -> bool {
    let is_written = text.len() == 10
        && text.bytes().enumerate().all(|(index, byte)| match index {
            4 | 7 => byte == b'-',
            _ => byte.is_ascii_digit(),
        });
    is_written && text.parse::<Date>().is_ok()
}

/// Reports whether a string is a date, `T`, a time of day, and `Z` or an offset.
fn is_date_time(text: &str) -> bool {
    let text = text.to_lowercase();
    let mut parts = text.split('t');
    let (Some(date), Some(time)) = (parts.next(), parts.next()) else {
        return false;
    };
    is_date(date) && is_time(time).unwrap_or(false)
}

fn is_time(text: &str) -> Option<bool> {
    let two = |text: &str| {
        let digits = text.get(..2)?;
        digits.bytes().all(|it| it.is_ascii_digit()).then(|| digits.parse::<u8>().ok())?
    };
    let hour = two(text)?;
    let minute = two(text.get(2..)?.strip_prefix(':')?)?;
    let rest = text.get(5..)?.strip_prefix(':')?;
    let second = two(rest)?;
    let zone = without_fraction(rest.get(2..)?);
    let is_zone = zone == "z" || is_offset(zone).unwrap_or(false);
    Some(is_zone && hour <= 23 && minute <= 59 && second <= 59)
}

/// Skips any character with digits after it, which is a fraction.
fn without_fraction(text: &str) -> &str {
    let mut characters = text.chars();
    characters.next();
    let rest = characters.as_str();
    let after = rest.trim_start_matches(|it: char| it.is_ascii_digit());
    let is_fraction = after.len() < rest.len() && (after == "z" || after.starts_with(['+', '-']));
    if is_fraction { after } else { text }
}

fn is_offset(text: &str) -> Option<bool> {
    let rest = text.strip_prefix(['+', '-'])?;
    let (hours, minutes) = rest.split_once(':')?;
    let is_two = |it: &str| it.len() == 2 && it.bytes().all(|it| it.is_ascii_digit());
    Some(is_two(hours) && is_two(minutes))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::{Formatted, compare};

    #[rstest]
    #[case::utc("2026-01-31T12:00:00Z", true)]
    #[case::lower_case("2026-01-31t12:00:00z", true)]
    #[case::fraction("2026-01-31T12:00:00.123+01:00", true)]
    #[case::hour("2026-01-31T24:00:00Z", false)]
    #[case::day("2026-02-31T12:00:00Z", false)]
    #[case::no_zone("2026-01-31T12:00:00", false)]
    #[case::date("2026-01-31", false)]
    #[case::nothing("", false)]
    #[case::multibyte("2026-01-31T1ä:00:00Z", false)]
    fn date_time(#[case] text: &str, #[case] expected: bool) {
        let expected = if expected { Formatted::Right } else { Formatted::Wrong };
        assert_eq!(compare(text, "date-time"), expected);
    }
}
