// SPDX-License-Identifier: Apache-2.0
//! Times on the command line.

use jiff::Timestamp;

use garden_gate_text::time_or_date;

/// Parses a time such as `2026-12-24T18:00:00Z`, or a date, which is its beginning in UTC.
///
/// # Errors
/// Returns the expected format.
pub(super) fn time(text: &str) -> Result<Timestamp, String> {
    time_or_date(text).ok_or_else(|| {
        "write it like 2026-12-24T18:00:00Z, or a date like 2026-12-24 for its start in UTC"
            .to_owned()
    })
}

/// Divides a duration such as `90d` into its digits and its unit; `None` for other texts, and for zero.
pub(super) fn digits_and_unit(text: &str) -> Option<(&str, char)> {
    let unit = text.chars().next_back()?;
    let digits = &text[..text.len() - unit.len_utf8()];
    let is_number = digits.bytes().all(|it| it.is_ascii_digit());
    (is_number && digits.bytes().any(|it| it != b'0')).then_some((digits, unit))
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
