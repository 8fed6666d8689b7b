// SPDX-License-Identifier: Apache-2.0
use super::time::digits_and_unit;
use crate::review::notes::note;
use std::str::FromStr;

use anyhow::Context as _;
use clap::Args;
use jiff::{SignedDuration, Timestamp};

/// Maximum length of a forecast; no profile has lifecycle dates beyond it.
const LONGEST: SignedDuration = SignedDuration::from_hours(10 * 365 * 24);

/// The period of a forecast.
#[derive(Args, Debug)]
pub(super) struct Horizon {
    /// Start of the forecast, such as 2026-12-24T18:00:00Z, or a date (UTC) [default: now].
    #[arg(long, value_name = "TIME", value_parser = crate::cli::time::time)]
    at: Option<Timestamp>,

    /// Length of the forecast, such as `90d`, `12w` or `36h`; at most ten years.
    #[arg(long = "for", value_name = "TIME", default_value = "90d")]
    length: Length,
}

/// A number of hours, days or weeks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Length(pub(super) SignedDuration);

impl FromStr for Length {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong =
            || format!("`{text}` is not a valid duration; write it like `90d`, `12w` or `36h`");
        let (count, unit) = digits_and_unit(text).ok_or_else(wrong)?;
        let hours = match unit {
            'h' => 1,
            'd' => 24,
            'w' => 7 * 24,
            'y' => 365 * 24,
            _ => return Err(wrong()),
        };
        // A number beyond the range is also beyond the limit, which is checked later.
        let count: i64 = count.parse().unwrap_or(i64::MAX);
        let hours = count.saturating_mul(hours).min(LONGEST.as_hours() + 1);
        Ok(Self(SignedDuration::from_hours(hours)))
    }
}

impl Horizon {
    /// Returns the begin and the end of the forecast; a length beyond the limit is cut with a warning.
    ///
    /// # Errors
    /// Fails if the end is not a valid time, or standard error fails.
    pub(super) fn times(&self) -> anyhow::Result<(Timestamp, Timestamp)> {
        let now = Timestamp::now();
        // Fractions of a second are not relevant.
        let now = Timestamp::from_second(now.as_second()).unwrap_or(now);
        let at = self.at.unwrap_or(now);
        let Length(mut length) = self.length;
        if length > LONGEST {
            note(format_args!(
                "warning: --for is more than ten years; the forecast ends after ten"
            ));
            length = LONGEST;
        }
        let until = at.checked_add(length);
        Ok((at, until.context("the end of --at and --for is not a valid time")?))
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::Length;

    #[rstest]
    #[case("90d", Some(90 * 24))]
    #[case("12w", Some(12 * 7 * 24))]
    #[case("36h", Some(36))]
    #[case("99999999999999999999999d", Some(10 * 365 * 24 + 1))]
    #[case("0d", None)]
    #[case("-1d", None)]
    #[case("d", None)]
    #[case("", None)]
    #[case("90", None)]
    #[case("9é", None)]
    fn lengths(#[case] text: &str, #[case] hours: Option<i64>) {
        let length = text.parse::<Length>().ok();
        assert_eq!(length.map(|Length(it)| it.as_hours()), hours);
    }
}
