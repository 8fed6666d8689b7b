// SPDX-License-Identifier: Apache-2.0
use std::io::Cursor;
use std::net::IpAddr;
use std::path::Path;
use std::sync::Arc;

use jiff::{Timestamp, ToSpan as _, tz::TimeZone};
use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, ExtendedKeyUsagePurpose, IsCa,
    KeyPair, KeyUsagePurpose, date_time_ymd,
};
use rustls::pki_types::PrivateKeyDer;

use super::certificate::{CertificateError, Identity};
use crate::files::{Destination, Trees};
use crate::platform::host_name;

/// Validity of the CA in days.
///
/// Its key never leaves the process, so that the CA is useless afterwards.
const CA_DAYS: i64 = 3650;
/// Validity of a serving certificate in days; short, since replacing it costs nothing.
const LEAF_DAYS: i64 = 30;
/// Renewal interval in days, well below the validity.
const RENEWAL_DAYS: i64 = 20;
const DAY: i64 = 86_400;

/// A generated CA, which issues serving certificates during the lifetime of the process.
#[derive(Clone, Debug)]
pub(crate) struct SelfMade {
    ca: Arc<CertifiedIssuer<'static, KeyPair>>,
    names: Vec<String>,
    since: Timestamp,
}

impl SelfMade {
    /// Creates a CA for this machine and the names that clients may use for it.
    pub(crate) fn new(listen: IpAddr, since: Timestamp) -> Result<Self, CertificateError> {
        let mut params = dated(CertificateParams::default(), since, CA_DAYS);
        params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
        params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::DigitalSignature];
        params.distinguished_name.push(DnType::CommonName, "garden-gate self-made CA");
        let ca = CertifiedIssuer::self_signed(params, KeyPair::generate()?)?;
        Ok(Self { ca: Arc::new(ca), names: names(listen), since })
    }

    /// Writes the CA certificate, which clients need for verification.
    pub(crate) fn write_ca(&self, path: &Path) -> std::io::Result<()> {
        Destination::open(path, &Trees::default())?.write(&mut Cursor::new(self.ca.pem()))
    }

    /// Returns a number that changes when a new serving certificate is due.
    pub(crate) fn generation(&self, now: Timestamp) -> i64 {
        (now.as_second() - self.since.as_second()) / (RENEWAL_DAYS * DAY)
    }

    /// Issues a serving certificate with a new key.
    pub(crate) fn issue(&self, now: Timestamp) -> Result<Identity, CertificateError> {
        let params = CertificateParams::new(self.names.clone())?;
        let mut params = dated(params, now, LEAF_DAYS);
        params.use_authority_key_identifier_extension = true;
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
        params.distinguished_name.push(DnType::CommonName, "garden-gate");
        let key = KeyPair::generate()?;
        let certificate = params.signed_by(&key, &self.ca)?;
        Ok(Identity {
            chain: vec![certificate.into()],
            key: PrivateKeyDer::Pkcs8(key.serialize_der().into()),
        })
    }
}

/// Sets the validity period: from yesterday, because of clock skew, for `days` days.
fn dated(mut params: CertificateParams, now: Timestamp, days: i64) -> CertificateParams {
    let day = |offset: i64| {
        let today = now.to_zoned(TimeZone::UTC).date();
        let date = today.saturating_add(offset.days());
        let part = |number: i8| u8::try_from(number).unwrap_or(1);
        date_time_ymd(date.year().into(), part(date.month()), part(date.day()))
    };
    params.not_before = day(-1);
    params.not_after = day(days);
    params.distinguished_name = rcgen::DistinguishedName::new();
    params
}

fn names(listen: IpAddr) -> Vec<String> {
    let mut names: Vec<String> = ["localhost", "127.0.0.1", "::1"].map(str::to_owned).into();
    let own = host_name();
    names.extend(own.filter(|it| !it.is_empty() && it.is_ascii()));
    if !listen.is_unspecified() {
        names.push(listen.to_string());
    }
    names.sort();
    names.dedup();
    names
}

#[cfg(test)]
mod tests {
    use jiff::{SignedDuration, Timestamp};
    use x509_parser::parse_x509_certificate;

    use super::{LEAF_DAYS, SelfMade};

    #[test]
    fn a_new_certificate_is_due_long_before_the_old_one_expires() {
        let start: Timestamp = "2026-02-27T12:00:00Z".parse().unwrap();
        let made = SelfMade::new([10, 0, 0, 7].into(), start).unwrap();
        let after = |days: i64| start + SignedDuration::from_hours(24 * days);
        assert_eq!(made.generation(after(19)), 0);
        assert_eq!(made.generation(after(21)), 1);
        let identity = made.issue(after(21)).unwrap();
        let (_, leaf) = parse_x509_certificate(&identity.chain[0]).unwrap();
        assert!(leaf.validity().not_before.timestamp() < after(21).as_second());
        assert!(leaf.validity().not_after.timestamp() > after(20 + LEAF_DAYS).as_second());
    }

    #[test]
    fn the_certificate_is_for_the_address_that_is_listened_on() {
        let made = SelfMade::new([10, 0, 0, 7].into(), Timestamp::UNIX_EPOCH).unwrap();
        for name in ["localhost", "127.0.0.1", "::1", "10.0.0.7"] {
            assert!(made.names.iter().any(|it| it == name), "{name}");
        }
        let anywhere = SelfMade::new([0, 0, 0, 0].into(), Timestamp::UNIX_EPOCH).unwrap();
        assert!(!anywhere.names.iter().any(|it| it == "0.0.0.0"));
    }
}
