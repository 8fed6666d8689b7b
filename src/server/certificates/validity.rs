// SPDX-License-Identifier: Apache-2.0
use std::path::Path;

use jiff::{SignedDuration, Timestamp};
use x509_parser::parse_x509_certificate;

/// Warning period before the expiry of long-lived certificates: two weeks.
const SOON: SignedDuration = SignedDuration::from_hours(14 * 24);

/// The validity period of a certificate, in seconds since the Unix epoch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Validity {
    not_before: i64,
    pub(super) not_after: i64,
}

impl Validity {
    /// Parses the validity period of a DER certificate.
    pub(super) fn of(certificate: &[u8]) -> Result<Self, String> {
        let (_, certificate) =
            parse_x509_certificate(certificate).map_err(|error| error.to_string())?;
        let validity = certificate.validity();
        Ok(Self {
            not_before: validity.not_before.timestamp(),
            not_after: validity.not_after.timestamp(),
        })
    }

    /// Logs that a certificate file has expired, or will expire within [`Self::soon`] seconds.
    pub(super) fn warn_if_invalid(self, path: &Path, now: Timestamp) {
        let shown = path.display();
        let left = self.not_after - now.as_second();
        let end = Timestamp::from_second(self.not_after).unwrap_or(Timestamp::MAX);
        if left <= 0 {
            tracing::error!(
                "the certificate `{shown}` expired at {end}, so clients reject it; renew it"
            );
        } else if left < self.soon() {
            tracing::warn!(
                "the certificate `{shown}` expires at {end} and has not been renewed; renew it"
            );
        }
    }

    /// Returns the warning period in seconds.
    ///
    /// Certificates with lifetimes of hours are renewed in their last hours.
    fn soon(self) -> i64 {
        let life = self.not_after.saturating_sub(self.not_before);
        SOON.as_secs().min(life / 3)
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::Validity;

    const DAY: i64 = 24 * 60 * 60;

    #[rstest]
    #[case::of_a_year(365, 14 * DAY)]
    #[case::of_90_days(90, 14 * DAY)]
    #[case::of_three_days(3, DAY)]
    fn soon_is_two_weeks_or_a_third_of_a_short_life(#[case] days: i64, #[case] soon: i64) {
        let not_before = 1_700_000_000;
        let not_after = not_before + days * DAY;
        let validity = Validity { not_before, not_after };
        assert_eq!(validity.soon(), soon);
    }
}
